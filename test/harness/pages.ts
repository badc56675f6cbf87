import { type ApiResponse, asForm, type Client } from './api.ts';
import { attributeOf, sameOrigin, unescapeHtml } from './forms.ts';

export const password = 'correct horse battery';

export type FormBrowser = Awaited<ReturnType<typeof openFormBrowser>>;

/** A browser without scripts. It stores cookies, follows redirects, and submits forms. */
export async function openFormBrowser(api: Client, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function storeCookies(answer: ApiResponse): ApiResponse {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  async function get(path: string): Promise<ApiResponse> {
    return storeCookies(await api.get(path, { ...headers, cookie: cookie() }));
  }

  async function send(
    path: string,
    fields: Record<string, string>,
    extraHeaders: Record<string, string> = sameOrigin,
  ) {
    const body = String(new URLSearchParams(fields));
    return storeCookies(
      await api.send('POST', path, {
        headers: { ...asForm, ...headers, ...extraHeaders, cookie: cookie() },
        body,
      }),
    );
  }

  /** Submits the form of a page with this `action`, and follows the redirect. */
  async function submit(
    page: string,
    action: string,
    fields: Record<string, string> = {},
  ): Promise<ApiResponse> {
    const form = parseForms((await get(page)).text).find((each) => each.action === action);
    if (form === undefined) throw new Error(`there is no form for ${action} on ${page}`);
    const answer = await send(action, { ...form.fields, ...fields });
    const location = answer.headers.location;
    return location === undefined ? answer : get(location);
  }

  const signUp = (email: string) => submit('/sign-up', '/sign-up', { email, password });
  return { get, send, submit, signUp, jar };
}

export type PageForm = { action: string; fields: Record<string, string> };

/** The POST forms of a page, with their hidden fields. */
export function parseForms(html: string): PageForm[] {
  return [...html.matchAll(/<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)].map(([form = '']) => ({
    action: attributeOf(/<form[^>]*>/.exec(form)?.[0] ?? '', 'action'),
    fields: Object.fromEntries(
      (form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []).map((input) => [
        attributeOf(input, 'name'),
        attributeOf(input, 'value'),
      ]),
    ),
  }));
}

/** The visible text of a page, as one line. */
export const visibleText = ({ text }: ApiResponse): string =>
  unescapeHtml(text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');

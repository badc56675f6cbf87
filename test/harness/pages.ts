import { type Answer, asForm, type Client } from './api.ts';
import { attribute, fromHere, unescaped } from './forms.ts';

export const password = 'correct horse battery';

export type Browser = Awaited<ReturnType<typeof openBrowser>>;

/** A browser without scripts: it keeps cookies, follows redirects and sends the forms it is shown. */
export async function openBrowser(api: Client, headers: Record<string, string> = {}) {
  const jar = new Map<string, string>();
  const cookie = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

  function keep(answer: Answer): Answer {
    for (const line of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/Max-Age=0\b/.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }

  async function get(path: string): Promise<Answer> {
    return keep(await api.get(path, { ...headers, cookie: cookie() }));
  }

  async function send(path: string, fields: Record<string, string>, more: Record<string, string> = fromHere) {
    const body = String(new URLSearchParams(fields));
    return keep(
      await api.send('POST', path, { headers: { ...asForm, ...headers, ...more, cookie: cookie() }, body }),
    );
  }

  /** Fills in and sends the form of a page that goes to `action`, and gives what that leads to. */
  async function submit(page: string, action: string, fields: Record<string, string> = {}): Promise<Answer> {
    const form = formsOn((await get(page)).text).find((each) => each.action === action);
    if (form === undefined) throw new Error(`there is no form for ${action} on ${page}`);
    const answer = await send(action, { ...form.fields, ...fields });
    const to = answer.headers.location;
    return to === undefined ? answer : get(to);
  }

  const signUp = (email: string) => submit('/sign-up', '/sign-up', { email, password });
  return { get, send, submit, signUp, jar };
}

export type Shown = { action: string; fields: Record<string, string> };

/** The forms on a page that are sent by POST, with their hidden fields. */
export function formsOn(html: string): Shown[] {
  return [...html.matchAll(/<form[^>]*method="post"[^>]*>([\s\S]*?)<\/form>/g)].map(([form = '']) => ({
    action: attribute(/<form[^>]*>/.exec(form)?.[0] ?? '', 'action'),
    fields: Object.fromEntries(
      (form.match(/<input[^>]*type="hidden"[^>]*>/g) ?? []).map((input) => [
        attribute(input, 'name'),
        attribute(input, 'value'),
      ]),
    ),
  }));
}

/** What a reader sees of a page, as one line. */
export const textOf = ({ text }: Answer): string =>
  unescaped(text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');

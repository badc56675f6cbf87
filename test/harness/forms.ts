import type { Domain } from '../../src/domain/index.ts';
import { type Locale, messagesOf } from '../../src/locales/locales.ts';
import { confirmWord } from '../../src/web/confirmation.ts';
import { signNonce } from '../../src/web/revealNonce.ts';
import { type ApiResponse, asForm, type Client, type CreatedPush } from './api.ts';

type Headers = Record<string, string>;

/** What a browser sends along with a form: the cookies of its page, and its hidden fields. */
export type HtmlForm = { headers: Headers; fields: Record<string, string> };

export const sameOrigin = { 'sec-fetch-site': 'same-origin' };

/** Loads and submits the forms of pages as a browser does. */
export function createForms({ signing }: Pick<Domain, 'signing'>, client: Client) {
  /** Loads the form of a page, as it is a second after the page was requested. */
  async function loadForm(page: string, headers: Headers = {}): Promise<HtmlForm> {
    const form = parseForm(await client.get(page, headers), headers.cookie);
    return form.fields.nonce === undefined ? form : ageForm(1_000, form, page);
  }

  /** The form of a push's page as if the page had been requested `ms` earlier. */
  function ageForm(ms: number, { headers, fields }: HtmlForm, page: string): HtmlForm {
    const [, holder = ''] = [...(headers.cookie ?? '').matchAll(/reveal-\w+=([^;]*)/g)].at(-1) ?? [];
    const at = Number(fields.nonce?.split('.')[0]) - ms;
    const urlToken = /\/p\/(\w+)/.exec(page)?.[1] ?? '';
    return { headers, fields: { ...fields, nonce: signNonce(signing, { urlToken, holder, at }) } };
  }

  /** Submits a form as its page does after its button was held, unless it has a word. */
  async function submit(
    page: string,
    { headers, fields }: HtmlForm,
    values: Record<string, string> = {},
    extraHeaders: Headers = sameOrigin,
  ): Promise<ApiResponse> {
    const body = String(
      new URLSearchParams({ ...fields, ...(values.word === undefined && { held: 'yes' }), ...values }),
    );
    return client.send('POST', page, { headers: { ...asForm, ...headers, ...extraHeaders }, body });
  }

  /** Submits a form, and follows the redirect to its result. */
  async function submitAndFollow(page: string, form: HtmlForm, values: Record<string, string>) {
    const answer = await submit(page, form, values);
    const { location } = answer.headers;
    if (location === undefined) return answer;
    return client.get(location, parseForm(answer, form.headers.cookie).headers);
  }

  /** Opens the page of a push, and submits its form. */
  async function reveal(
    { page }: Pick<CreatedPush, 'page'>,
    values: Record<string, string> = {},
    headers: Headers = sameOrigin,
  ) {
    return submit(page, await loadForm(page), values, headers);
  }

  return { loadForm, ageForm, submit, submitAndFollow, reveal };
}

/** The word that the page of a form asks for. */
export function wordOf({ fields }: HtmlForm, locale: Locale = 'en'): string {
  return confirmWord(messagesOf(locale), fields.nonce ?? '');
}

/** Parses the form of a page, for a browser that already has `cookie`. */
export function parseForm({ text, headers }: ApiResponse, cookie?: string): HtmlForm {
  const inputs = text.match(/<input[^>]*>/g) ?? [];
  const fields = inputs
    .filter((input) => /type="?hidden/.test(input))
    .map((input) => [attributeOf(input, 'name'), attributeOf(input, 'value')]);
  const newCookies = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
  const cookies = [cookie, ...newCookies].filter((each) => each !== undefined).join('; ');
  return { headers: cookies === '' ? {} : { cookie: cookies }, fields: Object.fromEntries(fields) };
}

export function attributeOf(tag: string, name: string): string {
  return unescapeHtml(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#x27': "'" };

export function unescapeHtml(html: string): string {
  return html.replaceAll(/&(lt|gt|quot|amp|#39|#x27);/g, (_, name: string) => entities[name] ?? '');
}

/** The payload on a page, whose pieces have tags of their own. A browser drops the first line break of a <pre>. */
export function payloadShown({ text }: ApiResponse): string | undefined {
  const html = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(text)?.[1];
  return html === undefined
    ? undefined
    : unescapeHtml(html.replaceAll(/<\/?span[^>]*>/g, '').replace(/^\n/, ''));
}

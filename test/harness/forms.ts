import type { Domain } from '../../src/domain/index.ts';
import { signNonce } from '../../src/web/revealNonce.ts';
import { type Answer, asForm, type Client, type Created } from './api.ts';

type Headers = Record<string, string>;

/** What a browser would send along with a form: the cookies that came with its page, and its hidden fields. */
export type Form = { headers: Headers; fields: Record<string, string> };

export const fromHere = { 'sec-fetch-site': 'same-origin' };

/** Does with the forms on pages what a browser does, without being one. */
export function createForms({ signing }: Pick<Domain, 'signing'>, client: Client) {
  /** The form on a page, as it is a second after the page was asked for. */
  async function formOn(page: string, headers: Headers = {}): Promise<Form> {
    const form = formOf(await client.get(page, headers), headers.cookie);
    return form.fields.nonce === undefined ? form : agedBy(1_000, form, page);
  }

  /** A form of the page of a push as it would be if the page had been asked for so much earlier. */
  function agedBy(ms: number, { headers, fields }: Form, page: string): Form {
    const [, holder = ''] = [...(headers.cookie ?? '').matchAll(/reveal-\w+=([^;]*)/g)].at(-1) ?? [];
    const at = Number(fields.nonce?.split('.')[0]) - ms;
    const urlToken = /\/p\/(\w+)/.exec(page)?.[1] ?? '';
    return { headers, fields: { ...fields, nonce: signNonce(signing, { urlToken, holder, at }) } };
  }

  /** Sends a form as its page would, after a press that was held. */
  function submit(
    page: string,
    { headers, fields }: Form,
    values: Record<string, string> = {},
    more: Headers = fromHere,
  ): Promise<Answer> {
    const body = String(new URLSearchParams({ ...fields, word: 'open', ...values }));
    return client.send('POST', page, { headers: { ...asForm, ...headers, ...more }, body });
  }

  /** Opens the page of a push and presses its button. */
  async function reveal(
    { page }: Pick<Created, 'page'>,
    values: Record<string, string> = {},
    headers: Headers = fromHere,
  ) {
    return submit(page, await formOn(page), values, headers);
  }

  return { formOn, agedBy, submit, reveal };
}

/** The form on a page that was answered, for a browser that had `cookie` before. */
export function formOf({ text, headers }: Answer, cookie?: string): Form {
  const inputs = text.match(/<input[^>]*>/g) ?? [];
  const fields = inputs
    .filter((input) => /type="?hidden/.test(input))
    .map((input) => [attribute(input, 'name'), attribute(input, 'value')]);
  const set = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]);
  const cookies = [cookie, ...set].filter((each) => each !== undefined).join('; ');
  return { headers: cookies === '' ? {} : { cookie: cookies }, fields: Object.fromEntries(fields) };
}

export function attribute(tag: string, name: string): string {
  return unescaped(new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', amp: '&', '#39': "'", '#x27': "'" };

export function unescaped(html: string): string {
  return html.replaceAll(/&(lt|gt|quot|amp|#39|#x27);/g, (_, name: string) => entities[name] ?? '');
}

/** The payload as a page shows it: a browser drops the first line break of a <pre>. */
export function payloadOn({ text }: Answer): string | undefined {
  const shown = /<pre[^>]*>([\s\S]*?)<\/pre>/.exec(text)?.[1];
  return shown === undefined ? undefined : unescaped(shown.replace(/^\n/, ''));
}

import { parseForms } from './pages.ts';

/** A browser without scripts that goes from site to site. It keeps cookies a host and port, and never follows more than asked. */
export function openFederatedBrowser() {
  const jars = new Map<string, Map<string, string>>();

  const jarOf = ({ host }: URL) => {
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };

  /** Requests a page, without following where it leads. */
  async function request(address: string | URL, init: RequestInit = {}): Promise<Response> {
    const url = new URL(address);
    const jar = jarOf(url);
    const headers = new Headers(init.headers);
    headers.set('Cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('Accept', 'text/html');
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /Max-Age=0\b/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  const locationOf = (response: Response): string | undefined => {
    const location = response.headers.get('location');
    return location === null ? undefined : new URL(location, response.url).href;
  };

  /** Follows redirects, up to the one that leads to an address that fits, which it returns without asking for it. */
  async function followTo(address: string, isEnd: (url: string) => boolean): Promise<string> {
    for (let url = address, hops = 0; hops < 20; hops++) {
      const next = locationOf(await request(url));
      if (next === undefined) throw new Error(`${new URL(url).pathname} leads nowhere`);
      if (isEnd(next)) return next;
      url = next;
    }
    throw new Error('there are too many redirects');
  }

  /** Follows all redirects, and returns the page at their end. */
  async function open(address: string): Promise<{ url: string; status: number; text: string }> {
    for (let url = address, hops = 0; hops < 20; hops++) {
      const response = await request(url);
      const next = locationOf(response);
      if (next === undefined) return { url, status: response.status, text: await response.text() };
      url = next;
    }
    throw new Error('there are too many redirects');
  }

  /** Sends the form for `action` of a page of the service at `base`, with its hidden fields, and follows the redirects. */
  async function submit(base: string, page: string, action: string, fields: Record<string, string> = {}) {
    const form = parseForms((await open(`${base}${page}`)).text).find((each) => each.action === action);
    if (form === undefined) throw new Error(`there is no form for ${action} on ${page}`);
    const response = await request(`${base}${action}`, {
      method: 'POST',
      headers: { 'Sec-Fetch-Site': 'same-origin' },
      body: new URLSearchParams({ ...form.fields, ...fields }),
    });
    const next = locationOf(response);
    return next === undefined
      ? { url: response.url, status: response.status, text: await response.text() }
      : open(next);
  }

  return { request, followTo, open, submit, jarOf: (address: string) => jarOf(new URL(address)) };
}

import type { Context } from 'koa';

type Options = { sameSite: 'strict' | 'lax'; maxAgeSeconds?: number };

/** How long a browser saves what was chosen in it, such as the language. */
export const choiceMaxAgeSeconds = 365 * 24 * 3_600;

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Cookies that scripts cannot read and no other host can set: `__Host-NAME` (RFC 6265bis, section 4.1.3), which browsers
 * accept over https only. A service at an http address, such as loopback, uses `hushpush-NAME`. Koa's own `cookies.set`
 * refuses to set secure cookies behind a TLS proxy unless it trusts that proxy's headers; BASE_URL is enough for us.
 */
export function createCookies(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  const nameOf = (name: string) => `${secure ? '__Host-' : 'hushpush-'}${name}`;

  /** Not Koa's `cookies.get`, which keeps a regular expression of each name forever, and pushes have their own. */
  const get = ({ req }: Context, name: string) => valueIn(req.headers.cookie ?? '', nameOf(name));

  function set(ctx: Context, name: string, value: string, { sameSite, maxAgeSeconds }: Options): void {
    const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
    const site = sameSite === 'strict' ? 'Strict' : 'Lax';
    ctx.res.appendHeader(
      'Set-Cookie',
      `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}${age}`,
    );
  }

  return { get, set };
}

/** The value of the first cookie of this name in a header (RFC 6265bis, section 4.2.1). */
function valueIn(header: string, name: string): string | undefined {
  const start = `${name}=`;
  for (let at = header.indexOf(start); at !== -1; at = header.indexOf(start, at + 1)) {
    const before = header.slice(0, at).trimEnd();
    if (before !== '' && !before.endsWith(';')) continue; // the end of another name, or in a value
    const end = header.indexOf(';', at);
    return header.slice(at + start.length, end === -1 ? undefined : end).trimEnd();
  }
  return undefined;
}

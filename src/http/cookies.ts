import type { Context } from 'koa';

type Options = { sameSite: 'strict' | 'lax'; maxAgeSeconds?: number };

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Cookies that scripts cannot read and no other host can set: `__Host-NAME` (RFC 6265bis, section 4.1.3), which browsers
 * take over https alone. A service at a plain http address, such as one on loopback, uses `hushpush-NAME`.
 */
export function createCookies(baseUrl: string) {
  const secure = baseUrl.startsWith('https:');
  const nameOf = (name: string) => `${secure ? '__Host-' : 'hushpush-'}${name}`;

  const get = (ctx: Context, name: string) => ctx.cookies.get(nameOf(name));

  function set(ctx: Context, name: string, value: string, { sameSite, maxAgeSeconds }: Options): void {
    const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
    const site = sameSite === 'strict' ? 'Strict' : 'Lax';
    ctx.append(
      'Set-Cookie',
      `${nameOf(name)}=${value}; Path=/; HttpOnly; SameSite=${site}${secure ? '; Secure' : ''}${age}`,
    );
  }

  return { get, set };
}

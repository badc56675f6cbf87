import type { Domain } from '../domain/index.ts';
import { defaultLook, type Look } from '../look/look.ts';
import type { Platform } from '../platforms.ts';
import { createAuth } from './auth.ts';
import { createClientReader } from './client.ts';
import { createCookies } from './cookies.ts';
import { createCrossOrigin } from './crossOrigin.ts';
import { createCsrf } from './csrf.ts';
import { createLinks } from './links.ts';

/** Who runs the server, as far as they say so. The contact is an e-mail address or the address of a page. */
export type Operator = { name?: string | undefined; contact?: string | undefined };

export type HttpSettings = {
  baseUrl: string;
  trustedProxies: string[];
  /** The sites whose scripts may use the whole API. */
  allowedOrigins?: string[];
  operator?: Operator;
  /** The chats that are on. */
  chats?: readonly Platform[];
  look?: Look;
  /** Where the look was read, for admins to see it change. */
  lookFolder?: string | undefined;
};

export type Http = ReturnType<typeof createHttp>;

/** What the routes of the API and of the pages share. */
export function createHttp(
  domain: Domain,
  {
    baseUrl,
    trustedProxies,
    allowedOrigins = [],
    operator = {},
    chats = [],
    look = defaultLook,
    lookFolder,
  }: HttpSettings,
) {
  const cookies = createCookies(baseUrl);
  return {
    links: createLinks(baseUrl),
    operator,
    chats,
    look,
    lookFolder,
    cookies,
    csrf: createCsrf(domain.signing, cookies, baseUrl),
    crossOrigin: createCrossOrigin(baseUrl, allowedOrigins),
    auth: createAuth(domain, createClientReader(trustedProxies), (ctx) => cookies.get(ctx, 'session')),
  };
}

import type { Context } from 'koa';
import { randomBytes, type SignedIn } from '../domain/index.ts';
import { type Cookies, choiceMaxAgeSeconds } from '../http/cookies.ts';
import type { Http } from '../http/http.ts';
import { one } from '../http/params.ts';
import { isLocale, type Locale, locales, type Messages, messagesOf } from '../locales/locales.ts';
import type { Look } from '../look/look.ts';
import type { Platform } from '../platforms.ts';
import { type Theme, themeOf } from './theme.ts';

const cookieName = 'locale';

export type PageHttp = Pick<Http, 'links' | 'csrf' | 'cookies' | 'operator' | 'chats' | 'look'>;

/** What every page needs to render: its language, its address, the reader, and tokens for scripts and forms. */
export type PageContext = {
  locale: Locale;
  messages: Messages;
  /** Allows the scripts and styles of this response (Content Security Policy Level 3). */
  nonce: string;
  baseUrl: string;
  /** Whether browsers open links of this service in a secure context: only there they encrypt and decrypt. */
  isSecure: boolean;
  /** The name of whoever runs the service, as far as they say. */
  operator: string | undefined;
  /** The chats that are on. Without any, pages offer nothing that needs one. */
  chats: readonly Platform[];
  look: Look;
  /** Prefixes a path with that of BASE_URL. */
  path(path: string): string;
  theme: Theme;
  /** The query of the same page in another language or theme; undefined for responses to POST. */
  queryWith: ((choice: { locale: Locale } | { theme: Theme }) => string) | undefined;
  /** Always null on pages for recipients. */
  signedIn: SignedIn | null;
  /** The CSRF token for forms. */
  csrf(): string;
  /** Allows the scripts of this response to send requests to the service. */
  allowConnect(): void;
};

/** Creates the context of a page, and sets the headers that depend on it. */
export function createPageContexts({ links, csrf, cookies, operator, chats, look }: PageHttp) {
  return (ctx: Context, signedIn: SignedIn | null): PageContext => {
    const requested = one(ctx.query.locale);
    if (isLocale(requested)) setLocaleCookie(ctx, cookies, requested);
    const locale = localeOf(ctx, [requested, cookies.get(ctx, cookieName), signedIn?.locale]);
    const nonce = randomBytes(16).toString('base64');
    const policy = policyWith(nonce);
    ctx.set('Content-Security-Policy', policy);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    return {
      locale,
      messages: messagesOf(locale),
      nonce,
      baseUrl: links.baseUrl,
      isSecure: links.isSecure,
      operator: operator.name,
      chats,
      look,
      path: links.path,
      theme: themeOf(ctx, cookies),
      queryWith: ctx.method === 'POST' ? undefined : (choice) => `?${queryWith(ctx, choice)}`,
      signedIn,
      csrf: () => csrf.token(ctx, signedIn !== null),
      allowConnect: () => ctx.set('Content-Security-Policy', `${policy}; connect-src 'self'`),
    };
  };
}

/** Saves the language that was chosen on a page. `null` leaves the choice to the account and the browser again. */
export function setLocaleCookie(ctx: Context, cookies: Cookies, locale: Locale | null): void {
  const maxAgeSeconds = locale === null ? 0 : choiceMaxAgeSeconds;
  cookies.set(ctx, cookieName, locale ?? '', { sameSite: 'lax', maxAgeSeconds });
}

/** The first of the chosen languages, or else the one that the browser prefers. */
function localeOf(ctx: Context, chosen: (string | null | undefined)[]): Locale {
  return chosen.map((text) => text ?? undefined).find(isLocale) ?? preferredLocale(ctx);
}

/** What browsers prefer, by their Accept-Language: most of them send one of a few. */
const preferences = new Map<string, Locale>();
const preferencesMax = 1_000;
const rememberedLength = 100;

function preferredLocale(ctx: Context): Locale {
  const header = ctx.get('Accept-Language');
  const known = preferences.get(header);
  if (known !== undefined) return known;
  const accepted = ctx.acceptsLanguages(locales) || undefined;
  const locale = isLocale(accepted) ? accepted : 'en';
  if (preferences.size === preferencesMax) preferences.clear();
  if (header.length <= rememberedLength) preferences.set(header, locale);
  return locale;
}

/** A page may use its own scripts and styles, our images, and send forms to us. */
function policyWith(nonce: string): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function queryWith(ctx: Context, choice: Record<string, string>): string {
  const query = new URLSearchParams(ctx.querystring);
  for (const [name, value] of Object.entries(choice)) query.set(name, value);
  return String(query);
}

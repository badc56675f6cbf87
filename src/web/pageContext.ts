import type { SignedIn } from '../domain/index.ts';
import type { Locale, Messages } from '../locales/locales.ts';

/** What every page needs to render: its language, its address, the reader, and tokens for scripts and forms. */
export type PageContext = {
  locale: Locale;
  messages: Messages;
  /** Allows the scripts and styles of this response (Content Security Policy Level 3). */
  nonce: string;
  baseUrl: string;
  /** Prefixes a path with that of BASE_URL. */
  path(path: string): string;
  /** The query of the same page in another language; undefined for responses to POST. */
  localeQuery: ((locale: Locale) => string) | undefined;
  /** Always null on pages for recipients. */
  signedIn: SignedIn | null;
  /** The CSRF token for forms. */
  csrf(): string;
  /** Allows the scripts of this response to send requests to the service. */
  allowConnect(): void;
};

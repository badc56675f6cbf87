import type { SignedIn } from '../domain/index.ts';
import type { Locale, Messages } from '../locales/locales.ts';

/** What every page is drawn in: its language, where it is, who looks at it, and what its scripts, styles and forms need. */
export type PageContext = {
  locale: Locale;
  messages: Messages;
  /** Allows the scripts and styles of this one answer (Content-Security-Policy, level 3). */
  nonce: string;
  /** Where the service is, and a path of it as a link has it: BASE_URL may have a path of its own. */
  baseUrl: string;
  path(path: string): string;
  /** The query that shows the same page in another language; undefined where the page cannot be asked for again. */
  localeQuery: ((locale: Locale) => string) | undefined;
  /** Whoever is signed in; null on pages for strangers, even if somebody is. */
  signedIn: SignedIn | null;
  /** The token that a form of ours carries. */
  csrf(): string;
  /** Lets the scripts of this answer send a form themselves. */
  allowConnect(): void;
};

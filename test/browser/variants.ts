import type { PageOptions } from '../harness/browser.ts';

/** How pages are judged: each theme, size and language once. Other combinations found nothing that these do not. */
export const variants = [
  { theme: 'light', device: 'desktop', locale: 'en-GB' },
  { theme: 'dark', device: 'phone', locale: 'de-DE' },
] as const satisfies PageOptions[];

/** The widest that a page may be. */
export const widthMax = { desktop: 1280, phone: 375 };

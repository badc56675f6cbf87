import type { Context } from 'koa';
import { type Cookies, choiceMaxAgeSeconds } from '../http/cookies.ts';
import { one } from '../http/params.ts';

const cookieName = 'theme';

/** How pages look. `system` follows the settings of the device. */
export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** The theme that was chosen on this page or an earlier one. Choosing one saves it in this browser. */
export function themeOf(ctx: Context, cookies: Cookies): Theme {
  const requested = themes.find((theme) => theme === one(ctx.query.theme));
  if (requested !== undefined) save(ctx, cookies, requested);
  const saved = cookies.get(ctx, cookieName);
  return requested ?? themes.find((theme) => theme === saved) ?? 'system';
}

/** The name of a style sheet in a theme: scripts/assets.mjs makes one for each. */
export function styleFor(theme: Theme, name: string): string {
  return theme === 'system' ? name : name.replace('.css', `-${theme}.css`);
}

function save(ctx: Context, cookies: Cookies, theme: Theme): void {
  const maxAgeSeconds = theme === 'system' ? 0 : choiceMaxAgeSeconds;
  cookies.set(ctx, cookieName, theme, { sameSite: 'lax', maxAgeSeconds });
}

import { converter, formatHex, toGamut, wcagContrast } from 'culori';
import { defaultLook, type Palette, type Scheme } from './look.ts';

/** The colours of a scheme that an operator may choose; the others follow from them. */
export type ChosenColours = { [Name in ChosenName]?: string | undefined };
type ChosenName = 'background' | 'surface' | 'accent';

/** The least contrast of text, and of the borders of fields (WCAG 2.2, 1.4.3 and 1.4.11). */
const [ofText, ofBorders] = [4.5, 3];

/** Which colours a chosen one is seen with, and with which contrast at least. */
const rules: Record<ChosenName, Partial<Record<keyof Palette, number>>> = {
  background: { text: ofText, textMuted: ofText, danger: ofText, borderStrong: ofBorders },
  surface: { text: ofText, textMuted: ofText, danger: ofText, borderStrong: ofBorders },
  accent: { background: ofText, surface: ofText },
};

/**
 * The palette of a scheme with chosen colours, and what is wrong with them, with the nearest colour that would do. An accent
 * that nobody chose is the one of the other scheme, or ours, as near as it may be.
 */
export function paletteOf(
  scheme: Scheme,
  chosen: ChosenColours,
  ofOtherScheme: ChosenColours,
): { palette: Palette; problems: string[] } {
  const palette = { ...defaultLook.palettes[scheme] };
  const problems: string[] = [];
  for (const name of ['background', 'surface', 'accent'] as const) {
    const wanted = chosen[name] ?? (name === 'accent' ? (ofOtherScheme.accent ?? palette.accent) : undefined);
    if (wanted === undefined) continue;
    palette[name] = nearest(wanted, (colour) => tooFaint(name, colour, palette) === undefined);
    const faint = chosen[name] && tooFaint(name, wanted, palette);
    if (faint) problems.push(`${scheme}.${name} ${faint}; ${palette[name]} would do`);
  }
  const { background, accent } = defaultLook.palettes[scheme];
  if (palette.background !== background)
    palette.border = shifted(palette.background, scheme === 'light' ? -0.08 : 0.13);
  if (palette.accent !== accent) Object.assign(palette, coloursOfAccent(scheme, palette.accent));
  return { palette, problems };
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, contrast ratio). */
export const contrastOf = (one: string, other: string): number => wcagContrast(one, other);

/** What a colour is not seen well with; undefined if it does. */
function tooFaint(name: ChosenName, colour: string, palette: Palette): string | undefined {
  for (const [other, min] of Object.entries(rules[name])) {
    const against = palette[other as keyof Palette];
    const contrast = contrastOf(colour, against);
    if (contrast < min)
      return `${colour} has a contrast of ${Math.floor(contrast * 100) / 100} with the ${wordsOf(other)} ${against}, and needs ${min}`;
  }
  return undefined;
}

/** `textMuted`: muted text */
const wordsOf = (name: string) =>
  ({ textMuted: 'muted text', borderStrong: 'border of fields', danger: 'text of errors' })[name] ?? name;

const step = 0.0025;

/** The colour that passes and differs least in its lightness (OKLCH). Black and white are the last to be tried. */
function nearest(wanted: string, passes: (colour: string) => boolean): string {
  if (passes(wanted)) return wanted;
  for (let by = step; by <= 1; by += step)
    for (const colour of [shifted(wanted, -by), shifted(wanted, by)]) if (passes(colour)) return colour;
  return wanted;
}

/** A colour that is lighter or darker, with the same hue. */
function shifted(colour: string, by: number): string {
  const { l, c, h = 0 } = toOklch(colour);
  return hexOf(l + by, c, h);
}

const toRgb = toGamut('rgb', 'oklch');

/** Colours that screens do not have become less colourful, not lighter or darker (CSS Color 4, 13.2). */
const hexOf = (lightness: number, chroma: number, hue: number) =>
  formatHex(toRgb({ mode: 'oklch', l: Math.min(1, Math.max(0, lightness)), c: chroma, h: hue }));

const inOklch = converter('oklch');

function toOklch(colour: string) {
  const converted = inOklch(colour);
  if (converted === undefined) throw new Error(`${colour} is not a colour`);
  return converted;
}

/** What is drawn with an accent: the same when pressed, the text on it, and a surface on which it is text. */
function coloursOfAccent(
  scheme: Scheme,
  accent: string,
): Pick<Palette, 'accentStrong' | 'onAccent' | 'accentSoft'> {
  const { c, h = 0 } = toOklch(accent);
  const direction = scheme === 'light' ? 1 : -1;
  let lightness = scheme === 'light' ? 0.9 : 0.35;
  const soft = () => hexOf(lightness, Math.min(c, 0.04), h);
  while (contrastOf(accent, soft()) < ofText && lightness > 0 && lightness < 1) lightness += direction * 0.01;
  return {
    accentStrong: shifted(accent, direction * -0.08),
    onAccent: scheme === 'light' ? '#ffffff' : '#000000', // at least as far from the accent as the background
    accentSoft: soft(),
  };
}

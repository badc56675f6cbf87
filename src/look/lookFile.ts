import { z } from 'zod';
import { isLocale, type Locale, locales } from '../locales/locales.ts';
import type { OwnText } from './look.ts';

/** Control characters, line breaks, and what turns the direction of the text that follows (UAX #9). */
const unseen = '\\p{Cc}\\p{Zl}\\p{Zp}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';

type TextOptions = { max: number; hasLines?: boolean };

function plain(options: TextOptions, error = `must be ${wordsOf(options)}`) {
  const { max, hasLines = false } = options;
  return z
    .string(error)
    .trim()
    .min(1, error)
    .max(max, error)
    .regex(new RegExp(`^([^${unseen}]${hasLines ? '|\\n' : ''})*$`, 'u'), error);
}

const wordsOf = ({ max, hasLines = false }: TextOptions) =>
  `a text of 1 to ${max} characters, ${hasLines ? 'without control characters except line breaks' : 'in one line and without control characters'}`;

/** One text for all readers, or one for each language. */
function ownText(options: TextOptions) {
  const error = `must be ${wordsOf(options)}, or one for each language, such as {"en": "…", "de": "…"}; the languages are ${locales.join(', ')}`;
  const text = plain(options, error);
  return z.union([text, z.partialRecord(z.enum(locales), text, error)], { error }).transform(inEachLanguage);
}

/** What readers of a language get that has no text is in English, or in the first language that has one. */
function inEachLanguage(texts: string | Partial<Record<Locale, string>>): OwnText | undefined {
  const given = typeof texts === 'string' ? [] : Object.entries(texts);
  const [lang, other] = given.find(([locale]) => locale === 'en') ?? given[0] ?? [];
  const text = typeof texts === 'string' ? texts : other;
  if (text === undefined) return undefined;
  const of = (locale: Locale) =>
    typeof texts === 'object' && texts[locale] !== undefined
      ? { text: texts[locale] }
      : { text, ...(isLocale(lang) && { lang }) };
  return Object.fromEntries(locales.map((locale) => [locale, of(locale)])) as OwnText;
}

/** An address without the characters that end one in the markup of a chat. */
const withoutMarkup = (url: string) =>
  new URL(url).href.replace(/[|()<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

/** An object with these keys and no others, which are probably misspelt. */
const only = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code, keys }) =>
      code === 'unrecognized_keys'
        ? `has no ${(keys as string[]).join(', ')}; it may have ${Object.keys(shape).join(', ')}`
        : `must be an object with ${Object.keys(shape).join(', ')}`,
  });

const colour = z
  .string('must be a colour such as "#14584f"')
  .regex(/^#[\da-f]{6}$/i, 'must be a colour such as "#14584f"')
  .toLowerCase()
  .optional();

const colours = only({ accent: colour, background: colour, surface: colour }).default({});

const linksMax = 6;

/** What `look.json` may have. */
export const lookFile = only({
  name: plain({ max: 40 }).optional(),
  nameInLogo: z.boolean('must be true or false').default(false),
  light: colours,
  dark: colours,
  footer: ownText({ max: 200 }).optional(),
  links: z
    .array(
      only({
        text: ownText({ max: 40 }),
        url: z
          .url({
            protocol: /^(https?|mailto)$/,
            error: 'must be an address that begins with https:, http: or mailto:',
          })
          .transform(withoutMarkup),
      }),
      'must be a list such as [{"text": "Imprint", "url": "https://example.com/imprint"}]',
    )
    .max(linksMax, `must have at most ${linksMax} entries`)
    .default([]),
  welcome: ownText({ max: 1_000, hasLines: true }).optional(),
  shareTitle: ownText({ max: 100 }).optional(),
});

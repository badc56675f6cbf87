import { z } from 'zod';
import { passwordBytesMax } from '../../../crypto/pepper.ts';
import { dayMs, minuteMs } from '../../../time.ts';
import {
  asMessage,
  type FileSettings,
  flag,
  hasAtMost,
  integer,
  isBlank,
  optionalInteger,
  optionalTextOf,
  type PushSettings,
  tooLong,
  wellFormedText,
} from '../../base/index.ts';
import { passphraseSchema } from '../../pushes/index.ts';
import { acceptedAnswers } from '../tables.ts';

/** The longest texts of a request link, in characters. */
export const requestLinkTextMax = { title: 100, note: 2_000 };
/** How long a link may be open, and how long it is where nothing else is asked for. */
export const requestLinkMinutes = { min: 5, max: (90 * dayMs) / minuteMs, byDefault: (7 * dayMs) / minuteMs };
/** How many answers one link takes. */
export const requestLinkAnswers = { min: 1, max: 100 };

export type RequestLinkSchema = ReturnType<typeof buildRequestLinkSchema>;

/** The validation of a request link's input, within the operator's bounds. The API and the pages share it. */
export function buildRequestLinkSchema(
  { defaults, bounds }: Pick<PushSettings, 'defaults' | 'bounds'>,
  { totalBytesMax }: Pick<FileSettings, 'totalBytesMax'>,
) {
  const { title, note } = requestLinkTextMax;
  const { byDefault, ...minutes } = requestLinkMinutes;
  return z.object({
    title: wellFormedText()
      .trim()
      .min(1, asMessage({ code: 'required' }))
      .refine((text) => hasAtMost(title, text), asMessage(tooLong(title)))
      .meta({ maxLength: title, description: 'What is asked for. Whoever has the link reads it' }),
    note: optionalTextOf(note).meta({ description: 'What else they should know. They read it, too' }),
    accepts: z
      .preprocess(
        (value) => (isBlank(value) ? undefined : value),
        z.enum(acceptedAnswers, asMessage({ code: 'oneOf', values: acceptedAnswers })).optional(),
      )
      .meta({ description: 'What they can send; both by default, and text where you may not attach files' }),
    filesBytesMax: optionalInteger({ min: 1, max: totalBytesMax }).meta({
      description: 'How many bytes the files of an answer may have together',
    }),
    expireAfterMinutes: integer(minutes, byDefault).meta({
      description: `Minutes until the link takes no more answers; ${byDefault} by default`,
    }),
    answers: integer(requestLinkAnswers, 1).meta({ description: 'How many answers it takes; 1 by default' }),
    answersExpireAfterDays: integer(bounds.expireAfterDays, defaults.expireAfterDays).meta({
      description: `Days that an answer waits for you; ${defaults.expireAfterDays} by default`,
    }),
    allowName: flag(false).meta({ description: 'Whether they may say who they are; false by default' }),
    passphrase: passphraseSchema().meta({
      description: `What they must enter to answer, at most ${passwordBytesMax} bytes`,
    }),
  });
}

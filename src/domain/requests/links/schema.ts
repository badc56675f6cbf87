import { z } from 'zod';
import { passwordBytesMax } from '../../../crypto/pepper.ts';
import { addressesIn } from '../../../mailAddress.ts';
import { dayMs, minuteMs } from '../../../time.ts';
import {
  asMessage,
  type FileSettings,
  flag,
  hasAtMost,
  integer,
  isBlank,
  optionalInteger,
  optionalText,
  optionalTextOf,
  type PushSettings,
  tooLong,
  wellFormedText,
} from '../../base/index.ts';
import { passphraseSchema, readAddress, recipientsMax } from '../../pushes/index.ts';
import { acceptedAnswers } from '../tables.ts';
import type { RequestLink } from './link.ts';

/** The longest texts of a request link, in characters. */
export const requestLinkTextMax = { title: 100, note: 2_000 };
/** How long a link may be open, and how long it is where nothing else is asked for. */
export const requestLinkMinutes = { min: 5, max: (90 * dayMs) / minuteMs, byDefault: (7 * dayMs) / minuteMs };
/** How many answers one link takes. */
export const requestLinkAnswers = { min: 1, max: 100 };

/** A public key of X25519, if there is one, and one of P-256, in base64url. */
const publicKeysShape = /^(?:[\w-]{43}\.)?[\w-]{87}$/;
/** Under a passphrase, or under a passkey, with its credential id. */
const wrappedKeyShape =
  /^(?:\d{6,8}\.[\w-]{22}|prf\.(?<credentialId>[\w-]{1,1364})\.[\w-]{43})\.A[\w-]{42,1000}$/;

/** The credential id of the passkey that opens the answers to a link, in base64url; undefined if none does. */
export const passkeyThatOpens = ({ wrappedKey }: Pick<RequestLink, 'wrappedKey'>): string | undefined =>
  wrappedKeyShape.exec(wrappedKey ?? '')?.groups?.credentialId;

const optionalShape = (shape: RegExp) =>
  optionalText().refine((text) => text === null || shape.test(text), asMessage({ code: 'notEncrypted' }));

export type RequestLinkSchema = ReturnType<typeof buildRequestLinkSchema>;

/** The validation of a request link's input, within the operator's bounds. The API and the pages share it. */
export function buildRequestLinkSchema(
  { defaults, bounds, mailDomains }: Pick<PushSettings, 'defaults' | 'bounds' | 'mailDomains'>,
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
    ...(mailDomains !== null && { to: addresses(mailDomains) }),
    answers: optionalInteger(requestLinkAnswers).meta({
      description: 'How many answers it takes; by default 1, or as many as addresses get the link in a mail',
    }),
    answersExpireAfterDays: integer(bounds.expireAfterDays, defaults.expireAfterDays).meta({
      description: `Days that an answer waits for you; ${defaults.expireAfterDays} by default`,
    }),
    allowName: flag(false).meta({ description: 'Whether they may say who they are; false by default' }),
    passphrase: passphraseSchema().meta({
      description: `What they must enter to answer, at most ${passwordBytesMax} bytes`,
    }),
    publicKeys: optionalShape(publicKeysShape).meta({
      description:
        'The public keys that answers are sealed to, as docs/encryption.md describes. Without them, the server encrypts answers',
    }),
    wrappedKey: optionalShape(wrappedKeyShape).meta({
      description:
        'The key that opens the answers, encrypted under a passphrase or the secret of a passkey, which the server does not get',
    }),
  });
}

/** E-mail addresses, as a list or as somebody typed them, each once. */
function addresses(mailDomains: string[]) {
  const address = wellFormedText().transform((text, context) => readAddress(text, mailDomains, context));
  const count = asMessage({ code: 'maxCount', max: recipientsMax });
  return z
    .preprocess(
      (value) => (isBlank(value) ? [] : typeof value === 'string' ? addressesIn(value) : value),
      z
        .array(address)
        .max(recipientsMax, count)
        .transform((all) => [...new Map(all.map((each) => [each.toLowerCase(), each])).values()]),
    )
    .meta({
      description: `At most ${recipientsMax} e-mail addresses that get the link in a mail`,
    });
}

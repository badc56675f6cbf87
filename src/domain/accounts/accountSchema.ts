import { z } from 'zod';
import { passwordBytesMax } from '../../crypto/pepper.ts';
import { asMessage, tooLong } from '../base/index.ts';

/** The rules for passwords. */
const password = z
  .string()
  .min(12, asMessage({ code: 'minLength', min: 12 }))
  .refine(
    (text) => Buffer.byteLength(text) <= passwordBytesMax,
    asMessage({ code: 'maxLength', max: passwordBytesMax, unit: 'bytes' }),
  )
  .pipe(z.string().refine((text) => !isGuessable(text), asMessage({ code: 'guessable' })));

/** The input for creating an account as an operator. */
export const accountSchema = z.object({
  email: z
    .string()
    .max(254, asMessage(tooLong(254)))
    .transform(normalizeEmail)
    .pipe(z.email(asMessage({ code: 'email' }))),
  password: password.optional(),
  subscribed: z.boolean().default(false),
  isAdmin: z.boolean().default(false),
  signedUp: z.boolean().default(false),
});

/** What the owner of an account calls something of theirs, such as a token. */
export const nameField = z
  .string()
  .trim()
  .min(1, asMessage({ code: 'required' }))
  .max(100, asMessage(tooLong(100)));

/** The input for a new password. */
export const newPasswordSchema = z.object({ password });

/** The input for creating one's own account. */
export const signUpSchema = accountSchema.pick({ email: true, password: true }).required();

/** E-mail addresses are compared without case. Names of accounts created by chats are compared exactly. */
export function normalizeEmail(email: string): string {
  const name = email.trim();
  return name.includes('@') ? name.toLowerCase() : name;
}

const neededCharacters = 6;
const commonParts = /passwor[dt]|kennwort|geheim|welcome|willkommen|letmein|iloveyou|admin|secret|hushpush/g;
const keyboardRows = [
  '1234567890',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
];

/**
 * Whether a password is among those that people try first: one whose characters repeat or follow one another in the
 * alphabet or on a keyboard, with hardly anything besides them and well-known passwords.
 */
export function isGuessable(password: string): boolean {
  const text = password.toLowerCase().replace(commonParts, ' ');
  const surprising = [...text].filter((character, index, all) => !follows(all[index - 1], character));
  return new Set(surprising).size < neededCharacters;
}

function follows(before: string | undefined, character: string): boolean {
  if (before === undefined) return false;
  const step = Number(character.codePointAt(0)) - Number(before.codePointAt(0));
  return Math.abs(step) <= 1 || keyboardRows.some((row) => hasPair(row, before, character));
}

function hasPair(row: string, one: string, other: string): boolean {
  return row.includes(one + other) || row.includes(other + one);
}

import { z } from 'zod';
import { passwordBytesMax } from '../../crypto/pepper.ts';
import { asMessage } from '../base/index.ts';
import { isGuessable } from './guessable.ts';

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
    .max(254, asMessage({ code: 'maxLength', max: 254, unit: 'characters' }))
    .transform(normalizeEmail)
    .pipe(z.email(asMessage({ code: 'email' }))),
  password: password.optional(),
  subscribed: z.boolean().default(false),
  isAdmin: z.boolean().default(false),
  signedUp: z.boolean().default(false),
});

/** The input for a new password. */
export const newPasswordSchema = z.object({ password });

/** The input for creating one's own account. */
export const signUpSchema = accountSchema.pick({ email: true, password: true }).required();

/** E-mail addresses are compared without case. Names of accounts created by chats are compared exactly. */
export function normalizeEmail(email: string): string {
  const name = email.trim();
  return name.includes('@') ? name.toLowerCase() : name;
}

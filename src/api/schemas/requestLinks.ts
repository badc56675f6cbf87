import { z } from 'zod';
import { acceptedAnswers } from '../../domain/index.ts';
import { timeResponse } from './values.ts';

/** A request link, for the account that asks. */
export const requestLinkResponse = z.object({
  id: z.string().length(32),
  url_token: z.string().length(26).nullable(),
  html_url: z
    .url()
    .nullable()
    .describe('What to send to whoever is to answer; null for API tokens that may not see links'),
  title: z.string().nullable(),
  note: z.string().nullable(),
  unreadable: z
    .literal(true)
    .optional()
    .describe(
      'Present if link, title and note cannot be decrypted, because their key is missing; they are then null',
    ),
  accepts: z.enum(acceptedAnswers),
  files_bytes_max: z
    .int()
    .nullable()
    .describe('For all files of an answer; null if only the limits of the service apply'),
  allow_name: z.boolean(),
  passphrase: z.literal('********').nullable(),
  answers: z.int().describe('How many it takes'),
  answers_used: z.int(),
  answers_expire_after_days: z.number(),
  state: z
    .enum(['open', 'answered', 'closed', 'expired'])
    .describe('`answered`: all answers are here; `closed` by hand, `expired` by time'),
  mails: z
    .array(
      z.object({
        address: z.string(),
        state: z.enum(['waiting', 'handed_over', 'refused']),
        reason: z.string().nullable(),
      }),
    )
    .optional()
    .describe('Present when it is created or sent again, if it went by mail'),
  public_keys: z
    .string()
    .nullable()
    .describe('What answers are sealed to (docs/encryption.md); null if the server encrypts them'),
  wrapped_key: z
    .string()
    .nullable()
    .describe(
      'What opens the answers, encrypted under a passphrase or a passkey; null without one, and without links',
    ),
  created_at: timeResponse,
  expires_at: timeResponse.describe('Until when it can be answered'),
});

/** An answer, for the account that asked. */
export const requestAnswerResponse = z.object({
  receipt: z.string().nullable().describe('The code that whoever answered has, too'),
  name: z.string().nullable().describe('Who they say they are'),
  url_token: z.string().length(26).nullable(),
  html_url: z.url().nullable().describe('Opens the answer, once; null for API tokens that may not see links'),
  answer_id: z.string().nullable().describe('What the key of a sealed answer was sealed for; else null'),
  sealed_key: z
    .string()
    .nullable()
    .describe('The key of a sealed answer, which only whoever asked can open; else null'),
  waiting: z.boolean().describe('Whether it can still be opened'),
  created_at: timeResponse,
  expires_at: timeResponse,
});

/** What an open request link asks whoever has it for. */
export const openRequestResponse = z.object({
  title: z.string(),
  note: z.string().nullable(),
  asked_by: z.string().nullable().describe('The account that asks'),
  asked_by_confirmed: z
    .boolean()
    .describe('Whether somebody besides themselves knows the address to be theirs'),
  accepts: z.enum(acceptedAnswers),
  files_bytes_max: z.int().nullable(),
  allow_name: z.boolean(),
  passphrase_required: z.boolean(),
  encrypted_by: z
    .enum(['server', 'sender'])
    .describe(
      'Who encrypts the answer. `server`: whoever runs it could read it until it is opened. `sender`: it is sealed to `public_keys`',
    ),
  public_keys: z
    .string()
    .nullable()
    .describe('What the answer is sealed to, if they are those that the link promises after #; else null'),
  expires_at: timeResponse,
});

/** What whoever answers gets. */
export const receiptResponse = z.object({
  receipt: z.string().describe('A code that both sides can compare. It opens nothing'),
});

export type RequestLinkResponse = z.output<typeof requestLinkResponse>;
export type RequestAnswerResponse = z.output<typeof requestAnswerResponse>;
export type OpenRequestResponse = z.output<typeof openRequestResponse>;

import type { FileInput } from './wire.ts';

/** The objects of request links in the JSON API, as in wire.ts. */

/** What a request link asks for, and its limits. Whoever has it answers without an account. */
export type RequestLinkParams = {
  /** Whoever has the link reads it, as they do the note. */
  title: string;
  note?: string | undefined;
  /** E-mail addresses that get the link in a mail, where the server sends any. */
  to?: string[] | undefined;
  /** `both` if it is not set. */
  accepts?: 'text' | 'files' | 'both' | undefined;
  files_bytes_max?: number | undefined;
  /** A week if it is not set. */
  expire_after_minutes?: number | undefined;
  /** How many answers it takes, at most 100: if it is not set, 1, or as many as there are addresses. */
  answers?: number | undefined;
  answers_expire_after_days?: number | undefined;
  allow_name?: boolean | undefined;
  passphrase?: string | undefined;
};

/** A request link of yours. Its link is null for a token that may not see links. */
export type RequestLinkObject = {
  id: string;
  url_token: string | null;
  html_url: string | null;
  title: string | null;
  note: string | null;
  accepts: 'text' | 'files' | 'both';
  files_bytes_max: number | null;
  allow_name: boolean;
  passphrase: string | null;
  answers: number;
  answers_used: number;
  answers_expire_after_days: number;
  state: 'open' | 'answered' | 'closed' | 'expired';
  /** What answers are sealed to; null if the server encrypts them. */
  public_keys: string | null;
  /** The opening key, encrypted under your passphrase, or, with `prf.` before it, under your passkey, which browsers alone can use; else null. */
  wrapped_key: string | null;
  /** What became of the mails with it, when it is created or sent again. */
  mails?: { address: string; state: 'waiting' | 'handed_over' | 'refused'; reason: string | null }[];
  created_at: string;
  expires_at: string;
};

/** A new request link whose answers only `opening_key` opens, which nobody but you has: `opening_url` is a link with it. */
export type SealedLinkObject = RequestLinkObject & { opening_key: string; opening_url: string };

/** What a request link asks for, to whoever has it. */
export type OpenRequestObject = {
  title: string;
  note: string | null;
  asked_by: string | null;
  asked_by_confirmed: boolean;
  accepts: 'text' | 'files' | 'both';
  files_bytes_max: number | null;
  allow_name: boolean;
  passphrase_required: boolean;
  encrypted_by: 'server' | 'sender';
  public_keys?: string | null;
  expires_at: string;
};

/** An answer to a request link: a push of yours, which `html_url` opens once. A sealed one opens with its key: see `openAnswers`. */
export type RequestAnswerObject = {
  receipt: string | null;
  answer_id?: string | null;
  sealed_key?: string | null;
  name: string | null;
  url_token: string | null;
  html_url: string | null;
  waiting: boolean;
  created_at: string;
  expires_at: string;
};

/** What is sent to a request link. */
export type AnswerParams = {
  payload?: string | undefined;
  name?: string | undefined;
  passphrase?: string | undefined;
  files?: FileInput[] | undefined;
};

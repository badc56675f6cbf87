import type { Secret } from './encryption.js';

/** The objects of the JSON API, under the names that it uses. Servers may send further fields. */

/** What a payload is. */
export type PayloadKind = Secret['kind'];

/** A file of a push. `url` downloads it for a few minutes after a retrieval, and is null otherwise. */
export type AttachedFile = { filename: string; content_type: string; size: number; url: string | null };

/** A push without its secret. Times are ISO 8601 in UTC. `name` and `note` are null for everyone but the creator. */
export type PushObject = {
  url_token: string;
  /** The link for people. */
  html_url: string;
  json_url: string;
  created_at: string;
  expires_at: string;
  views_remaining: number;
  views_total: number;
  files: AttachedFile[];
  /** `********` if the push has a passphrase. */
  passphrase: string | null;
  name: string | null;
  note: string | null;
  expire_after_days: number;
  expire_after_views: number;
  days_remaining: number;
  expired: boolean;
  expired_on: string | null;
  /** Whether it was expired by hand. */
  deleted: boolean;
  deletable_by_viewer: boolean;
  retrieval_step: boolean;
  kind: PayloadKind;
  /** Whether payload and files are encrypted under a key that only the link has: see `decryptPush`. */
  encrypted?: true;
  /** For the creator: who has a link of their own. */
  recipients?: NamedRecipient[];
  updated_at: string;
  /** Names the push and opens nothing: the SHA-256 of the url token. Only hushpush sends it. */
  url_token_sha256?: string;
};

/** A recipient of a push, with a link of their own. */
export type NamedRecipient = {
  id: string;
  name: string | null;
  /** For those named by an e-mail address: what became of the mail with their link, and whether that needs a code. */
  mail?: { state: 'waiting' | 'handed_over' | 'refused' | null; reason: string | null; code: boolean };
  html_url: string | null;
  views_remaining: number;
  views_total: number;
  opened_at: string | null;
};

/** A push with its secret; `payload` is null once it has expired. */
export type RetrievedPush = PushObject & { payload: string | null };

/**
 * A push in a list, or one that was expired. The link is null for an API token that may not open it, and if the server can
 * no longer decrypt it.
 */
export type ListEntry = Omit<PushObject, 'url_token' | 'html_url' | 'json_url' | 'url_token_sha256'> & {
  [Name in 'url_token' | 'html_url' | 'json_url']: string | null;
} & { url_token_sha256?: string | null };

/** What an API token may do: everything, create pushes and expire those, or read lists and audit logs without links. */
export type GrantedScope = 'full' | 'create' | 'read';

/** Which pushes a list has, and in which order. Only hushpush filters and sorts. */
export type ListParams = {
  kind?: PayloadKind | undefined;
  /** A part of the name, the note or the link. */
  search?: string | undefined;
  /** A part of the name of a recipient. */
  recipient?: string | undefined;
  /** By creation, or by when they end or have ended; `newest` by default. */
  sort?: 'newest' | 'oldest' | 'ends_soonest' | 'ends_latest' | undefined;
};

/** An event of a push, such as `creation`, `view` or `failed_passphrase`. */
export type ActivityEntry = {
  ip: string;
  user_agent: string;
  referrer: string;
  created_at: string;
  updated_at: string;
  kind: string;
  successful?: boolean;
  /** How many events the entry stands for, if it is more than one. */
  times?: number;
  /** How a view was opened. */
  /** `mail:` and the address: in a browser where the code was entered that went there. */
  opened_by?: 'hold' | 'word' | 'passphrase' | 'link' | 'api' | `mail:${string}`;
  /** Through whose link a view came, if through that of a recipient. */
  recipient?: { id: string; name: string | null };
  /** Roughly where the address is today, where the server has a database of places. */
  place?: { city?: string; country?: string; country_code?: string };
};

/** Which notifications the creator gets; unset ones follow the account. Only hushpush knows them. */
export type NotifyOptions = {
  viewed?: 'first' | 'every' | 'none';
  expired?: boolean;
  failed_passphrase?: boolean;
  reminder?: boolean;
  asked_again?: boolean;
};

/** How long a push lives: one of these. Only hushpush knows hours and minutes. */
export type Lifetime = {
  expire_after_days?: number;
  expire_after_hours?: number;
  expire_after_minutes?: number;
};

/** The settings of a new push. What is not set is up to the server. */
export type PushOptions = Lifetime & {
  expire_after_views?: number;
  passphrase?: string;
  /** Who shares it, for whoever opens the push. Only hushpush knows it. */
  sender?: string;
  name?: string;
  note?: string;
  /** Whether anybody with the link may expire the push. */
  deletable_by_viewer?: boolean;
  /** Whether the page asks before it uses a view, so that link previews use none. */
  retrieval_step?: boolean;
  /**
   * Names of people who get a link each, with views that nobody else can use. Where the server sends mails, those named by an
   * e-mail address get their link in one. Only hushpush knows them.
   */
  recipients?: string[];
  views_per_recipient?: number;
  /** Whether links that go by mail open only with a code that goes to the same address at that moment; true by default. */
  recipient_code?: boolean;
  notify?: NotifyOptions;
  /** Whether payload and files are encrypted: use `encryptPush`. */
  encrypted?: boolean;
};

/** A file to attach. A Blob of a large file is not read into memory: use `openAsBlob` of `node:fs` in Node. */
export type FileInput = {
  filename: string;
  /** A stream needs a runtime that can send streams: Node, Deno, Bun or Chrome over HTTP/2. */
  content: Blob | ReadableStream<Uint8Array>;
  content_type?: string;
};

/** A new push: a secret, or files with or without a text. */
export type PushParams = PushOptions &
  ({ payload: string; kind?: PayloadKind; files?: FileInput[] } | { payload?: string; files: FileInput[] });

/** What hushpush has beyond the API of Password Pusher. */
export type ServerFeature =
  | 'device-sign-in'
  | 'idempotency-key'
  | 'list-filters'
  | 'recipient-mail'
  | 'repeatable-retrieval'
  | 'request-links'
  | 'sealed-answers'
  | 'x-passphrase';

/** What a server says of itself. */
export type ServerVersion = {
  application_version: string;
  api_version: string;
  edition: string;
  /** Each a `ServerFeature`, or one of later versions. */
  features?: string[];
};

import { isUrlToken } from '../../crypto/tokens.ts';
import { DomainError } from '../../errors.ts';
import { dayMs, minuteMs } from '../../time.ts';
import type { PushFile } from '../files/index.ts';
import type { MailState } from '../mail/index.ts';
import type { Account, Platform } from '../people/index.ts';
import { type PushRow, type ShownFields, shownFields } from './tables.ts';

/**
 * A push as its creator and viewers may see it. `name` and `note` are null for everybody but the owner, and like `files`
 * empty if they cannot be decrypted.
 */
export type Push = ShownFields & {
  /** Identifies the push. Not a credential. */
  id: string;
  urlToken: string;
  /** Names the push, and opens nothing. In hexadecimal. */
  urlTokenSha256: string;
  hasPassphrase: boolean;
  name: string | null;
  note: string | null;
  /** Empty once the push has expired, and for callers who may not see the files. */
  files: PushFile[];
  /** For its owner, where they are read; empty for everybody else. */
  recipients: PushRecipient[];
  /** Whether only recipients can still open it, through their own links. */
  isReserved: boolean;
  /** Whether its link opens only in a browser where a code was entered that went by mail. */
  needsCode: boolean;
  /** How much time extending it adds: 0 once it has expired, or lives as long as it may. */
  extensionMs: number;
  /** The latest end that it may be given. */
  latestEnd: number;
  expiredOn: number | null;
  /** Whether something that the caller may see cannot be decrypted, because its key is missing. */
  isUnreadable: boolean;
  now: number;
};

export type UrlTokenField = 'urlToken' | 'urlTokenSha256';

/**
 * A push in its owner's list. The url token is null for a caller who may not see it, and like its SHA-256 if the label cannot
 * be decrypted.
 */
export type ListedPush =
  | Push
  | (Omit<Push, UrlTokenField> & { urlToken: null; urlTokenSha256: string | null });

/** The decrypted fields. Those that cannot be decrypted are empty, and `isUnreadable` is set. */
type Decrypted<UrlToken> = Pick<ListedPush, 'name' | 'note' | 'files' | 'recipients' | 'isUnreadable'> & {
  urlToken: UrlToken;
  urlTokenSha256: UrlToken;
  needsCode?: boolean;
  /** The longest life that the service allows, from now. */
  longestMs: number;
};

/** The columns that a push shows. */
export type PresentedRow = Omit<PushRow, 'accountId' | 'label' | 'fileCount' | 'notify'>;

/** Converts a row to a push for its creator and viewers. */
export function toPush<UrlToken extends string | null>(
  row: PresentedRow,
  {
    urlToken,
    urlTokenSha256,
    name,
    note,
    files,
    recipients,
    isUnreadable,
    needsCode = false,
    longestMs,
  }: Decrypted<UrlToken>,
): ListedPush & Record<UrlTokenField, UrlToken> {
  const push = {
    id: row.id.toString('hex'),
    urlToken,
    urlTokenSha256,
    hasPassphrase: row.passphraseHash !== null,
    name,
    note,
    files,
    recipients,
    isReserved: row.viewsReserved > 0 && row.viewsUsed + row.viewsReserved >= row.viewsMax,
    needsCode,
    extensionMs: extensionOf(row, longestMs),
    latestEnd: latestEndOf(row, longestMs),
    expiredOn: expiredOn(row),
    isUnreadable,
    now: row.now,
  };
  const shown: Record<string, unknown> = push; // one by one: a copy of so many fields takes V8 15 µs
  for (const name of shownFields) shown[name] = row[name];
  return push as ListedPush & typeof push;
}

/** Whether an account owns a push. Anonymous pushes have no owner. */
export function isOwner(account: Account | null, { accountId }: Pick<PushRow, 'accountId'>): boolean {
  return account !== null && accountId !== null && account.id.equals(accountId);
}

type Lifetime = Pick<PushRow, 'expiredOn' | 'expiresAt' | 'now'>;

/** When a push expired, by any limit or by hand; null while it is live. Does not depend on any job. */
function expiredOn({ expiredOn, expiresAt, now }: Lifetime): number | null {
  return expiredOn ?? (expiresAt <= now ? expiresAt : null);
}

export function isExpired(push: Lifetime): boolean {
  return expiredOn(push) !== null;
}

/**
 * Whether a push can still be opened, as SQL over its columns; `isExpired` says the opposite of a row that was read.
 * `now` is the database's clock as SQL, `prefix` that of the columns.
 */
export const isLive = (now: string, prefix = ''): string =>
  `${prefix}expired_on IS NULL AND ${prefix}expires_at > ${now}`;

type Extendable = Lifetime & Pick<PushRow, 'createdAt' | 'lifetimeMs' | 'expiresAtMax'>;

/** The latest end that a push may be given: by the service, counted from its creation, and by its workspace. */
function latestEndOf({ createdAt, expiresAtMax }: Extendable, longestMs: number): number {
  return Math.min(createdAt + longestMs, expiresAtMax ?? Number.POSITIVE_INFINITY);
}

/** How much time extending a push adds: its lifetime once more, up to its latest end. */
export function extensionOf(push: Extendable, longestMs: number): number {
  if (isExpired(push)) return 0;
  const room = latestEndOf(push, longestMs) - push.expiresAt;
  return room < shortestExtensionMs ? 0 : Math.min(push.lifetimeMs, room);
}

const shortestExtensionMs = 5 * minuteMs;

/** Whole days left, rounded up while the push is live. */
export function daysRemaining(push: Lifetime): number {
  return isExpired(push) ? 0 : Math.ceil((push.expiresAt - push.now) / dayMs);
}

/** The day limit of a push in days, rounded up if it was set in smaller units. */
export function expireAfterDays({ expiresAt, createdAt }: Pick<PushRow, 'expiresAt' | 'createdAt'>): number {
  return Math.ceil((expiresAt - createdAt) / dayMs);
}

/** A recipient of a push, as its owner sees them. Times are epoch milliseconds. */
export type PushRecipient = {
  id: string;
  /** Who they are in a chat; null for those known only by a name or an e-mail address. */
  platform: Platform | null;
  address: string | null;
  /** Null where the chat did not tell it, or if it cannot be decrypted. That of somebody known by an e-mail address is the address. */
  name: string | null;
  /** For somebody known by an e-mail address: whether their link needs a code, and what became of the mail with the link. */
  mail?: { needsCode: boolean; state: MailState };
  /** Their own link; null where they have none, or if it cannot be decrypted. */
  urlToken: string | null;
  isBound: boolean;
  /** How often their own link opens the push. */
  viewsMax: number;
  viewsUsed: number;
  openedAt: number | null;
  lastOpenedAt: number | null;
};

/** Rejects text that cannot be a url token, without a query. */
export function requireUrlTokenFormat(urlToken: string): void {
  if (!isUrlToken(urlToken)) throw pushNotFound();
}

/** The refusal of a push that does not exist, or that the caller may not see. */
export function pushNotFound(): DomainError {
  return new DomainError('not_found', 'pushNotFound');
}

import { type Sealer, seal } from '../../../crypto/cipher.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import { type Database, insertOf, type Statements } from '../../../database/database.ts';
import { encodePreferences, type NoticePreferences } from '../../outbox/index.ts';
import { type Caller, clientColumns } from '../../people/index.ts';
import { reminderLeadMs } from '../erasure.ts';
import { eachFlag } from '../flags.ts';
import { sealPushLabel } from '../label.ts';
import type { PresentedRow, PushRecipient } from '../push.ts';
import { pushesTable, type StoredPush } from '../tables.ts';
import type { CreateInput } from './input.ts';
import type { NewLink } from './newLinks.ts';

/** What nothing has happened to yet. */
const byDefault = ['viewsUsed', 'viewsReserved', 'expiredOn', 'deleted', 'purgeAt', 'damagedAt'] as const;

/** What most pushes do not have. Without these columns, the database needs a fifth less for a push. */
const seldom = [
  'encrypted',
  'accountId',
  'passphraseHash',
  'notify',
  'label',
  'fileCount',
  'filesKey',
  'sender',
  'expiresAtMax',
] as const;

/** A row to insert, with the times that count from its creation: the database sets those by its clock. */
export type NewPush = Omit<
  StoredPush,
  (typeof byDefault)[number] | 'createdAt' | 'updatedAt' | 'expiresAt' | 'expiresAtMax' | 'dueAt'
> & { lifetimeMaxMs: number | null; dueInMs: number; payload: Buffer };

/** What identifies a push, with the key of its files if it has any. */
type PushIds = { id: Buffer; filesKey?: Buffer };

/** What a push has besides its input. */
type Origin = {
  link: NewLink;
  caller: Caller;
  passphraseHash: string | null;
  fileCount: number;
  lifetimeMaxMs: number | null;
};

type PushInput = Omit<CreateInput, 'passphrase' | 'recipients' | 'recipientCode'>;

/**
 * Turns the validated input of a push into the row to insert. Payload and files' key are encrypted under the url token,
 * the label for the owner under the account's key. Throws like `seal`.
 */
export function toNewPush(
  keyring: Keyring,
  { id, filesKey }: PushIds,
  input: PushInput,
  { link, caller: { account, client, token }, passphraseHash, fileCount, lifetimeMaxMs }: Origin,
): NewPush {
  const { urlToken } = link;
  const sealed = (field: string, content: string | Buffer, sealer?: Sealer) =>
    seal(keyring, content, { id, field, secret: urlToken }, sealer);
  const { payload, sender, name, note, notify, lifetimeMs } = input;
  const { ip, userAgent, referrer } = clientColumns(client);
  const tokenId = token?.scope === 'create' ? token.id.toString('hex') : undefined;
  return {
    id,
    tokenDigest: link.digest,
    label:
      account && sealPushLabel(keyring, { id, accountId: account.id }, { urlToken, name, note, tokenId }),
    accountId: account?.id ?? null,
    kind: input.kind,
    encrypted: input.encrypted,
    payload: sealed('payload', payload, link.payloadSealer),
    passphraseHash,
    notify: notify === null ? 0 : encodePreferences(notify),
    ...eachFlag((name) => input[name]),
    viewsMax: input.viewsMax,
    fileCount,
    filesKey: filesKey === undefined ? null : sealed('files_key', filesKey),
    sender: sender === null ? null : sealed('sender', sender),
    lifetimeMs,
    lifetimeMaxMs,
    dueInMs: dueInMs(lifetimeMs, notify),
    creatorIp: ip,
    creatorUserAgent: userAgent,
    creatorReferrer: referrer,
  };
}

/**
 * A push as it was inserted at this time, with views of these recipients. Completes the row itself: a copy of so many
 * fields takes V8 15 µs.
 */
export function asCreated(row: NewPush, now: number, recipients: PushRecipient[]): PresentedRow {
  const { lifetimeMs, lifetimeMaxMs } = row;
  return Object.assign(row, {
    viewsUsed: 0,
    viewsReserved: recipients.reduce((views, { viewsMax }) => views + viewsMax, 0),
    createdAt: now,
    updatedAt: now,
    expiresAt: now + lifetimeMs,
    expiresAtMax: lifetimeMaxMs && now + lifetimeMaxMs,
    expiredOn: null,
    deleted: false,
    now,
  });
}

/** When a job first handles a push: at its end, or earlier if its owner wants a reminder. */
function dueInMs(lifetimeMs: number, notify: NoticePreferences | null): number {
  return lifetimeMs - (notify?.reminder ? reminderLeadMs(lifetimeMs) : 0);
}

/** Inserts rows of pushes. */
export function createPushInsertion({ dialect: { now, returning } }: Database) {
  const insertionOf = insertOf(pushesTable, {
    byDefault,
    seldom,
    sql: {
      createdAt: returning(now),
      updatedAt: now,
      expiresAt: `${now} + $lifetimeMs`,
      expiresAtMax: `${now} + $lifetimeMaxMs`,
      dueAt: `${now} + $dueInMs`,
    },
  });

  /** Inserts pushes in one statement. Returns their time of creation by the database's clock. */
  return function insertPushes(newPushes: NewPush[], { insertReturning }: Statements): Promise<number> {
    const { sql, binds } = insertionOf(newPushes);
    return insertReturning(sql, 'created_at', binds);
  };
}

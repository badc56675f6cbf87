import { seal } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import type { Account } from '../accounts/account.ts';
import type { Caller } from '../caller.ts';
import { clientColumns } from '../client.ts';
import { encodePreferences } from '../notices/preferences.ts';
import type { CreateInput } from './createInput.ts';
import { reminderLeadMs } from './erasure.ts';
import type { NewPush } from './insertPushes.ts';
import type { PushRow } from './push.ts';
import type { PushRecipient } from './pushRecipient.ts';

/** What identifies a push, with the key of its files if it has any. */
type PushIds = { id: Buffer; urlToken: string; filesKey?: Buffer };

/** What a push has besides its input. */
type Origin = {
  caller: Caller;
  passphraseHash: string | null;
  fileCount: number;
  lifetimeMaxMs: number | null;
};

type PushInput = Omit<CreateInput, 'passphrase' | 'recipients'>;

/** Turns the validated input of a push into the row to insert. Throws like `seal`. */
export function toNewPush(
  keyring: Keyring,
  ids: PushIds,
  input: PushInput,
  { caller: { account, client }, ...origin }: Origin,
): NewPush {
  return {
    ...sealedColumns(keyring, ids, input, account),
    ...origin,
    id: ids.id,
    accountId: account?.id ?? null,
    kind: input.kind,
    encrypted: input.encrypted,
    notify: input.notify === null ? 0 : encodePreferences(input.notify),
    deletableByViewer: input.deletableByViewer,
    retrievalStep: input.retrievalStep,
    viewsMax: input.viewsMax,
    lifetimeMs: input.lifetimeMs,
    dueInMs: dueInMs(input),
    ...clientColumns(client),
  };
}

/** A row as it was inserted at this time, with views of these recipients. */
export function asCreated(row: NewPush, now: number, recipients: PushRecipient[]): PushRow {
  const times = { createdAt: now, updatedAt: now, expiresAt: now + row.lifetimeMs, now };
  const expiresAtMax = row.lifetimeMaxMs && now + row.lifetimeMaxMs;
  const viewsReserved = recipients.reduce((views, { viewsMax }) => views + viewsMax, 0);
  return { ...row, ...times, expiresAtMax, viewsUsed: 0, viewsReserved, expiredOn: null, deleted: false };
}

/** Everything encrypted under the url token, and the token itself for the owner. */
function sealedColumns(
  keyring: Keyring,
  { id, urlToken, filesKey }: PushIds,
  { payload, name, note }: PushInput,
  account: Account | null,
) {
  const sealed = (field: string, content: string | Buffer) =>
    seal(keyring, content, { id, field, secret: urlToken });
  return {
    digest: urlTokenDigest(keyring, urlToken),
    tokenSealed: account === null ? null : seal(keyring, urlToken, { id, field: 'url_token' }),
    payload: sealed('payload', payload),
    name: name === null || account === null ? null : sealed('name', name), // only its owner could read it
    note: note === null ? null : sealed('note', note),
    filesKey: filesKey === undefined ? null : sealed('files_key', filesKey),
  };
}

/** When a job first handles a push: at its end, or earlier if its owner wants a reminder. */
function dueInMs({ lifetimeMs, notify }: PushInput): number {
  return lifetimeMs - (notify?.reminder ? reminderLeadMs(lifetimeMs) : 0);
}

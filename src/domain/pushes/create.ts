import { seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenDigest } from '../../crypto/pepper.ts';
import { newUrlToken } from '../../crypto/tokens.ts';
import { createBatches } from '../../database/batches.ts';
import type { Database, Tx } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { Account } from '../accounts/account.ts';
import type { Caller } from '../caller.ts';
import { clientColumns } from '../client.ts';
import type { RepeatableUpload } from '../files/repeatableUpload.ts';
import { createKeyWatch } from '../keys/watch.ts';
import type { PasswordHasher } from '../limits/passwordHashers.ts';
import { encodePreferences } from '../notices/preferences.ts';
import type { Observer } from '../observer.ts';
import type { FileSettings, PushSettings } from '../settings.ts';
import type { AdmitCreation } from './admission.ts';
import { type CreateInput, parseCreateInput } from './createInput.ts';
import { reminderLeadMs } from './erasure.ts';
import { createPushInsertion, type NewPush, type NewRow } from './insertPushes.ts';
import type { Invite } from './invite.ts';
import type { Push, PushRow } from './push.ts';
import type { PushRecipient } from './pushRecipient.ts';
import { buildPushSchema } from './pushSchema.ts';
import type { PushRecipients } from './recipients.ts';
import type { InviteOptions } from './reserveViews.ts';
import { toPush } from './toPush.ts';

export type CreatePushOptions = {
  /** The files that came with the input. */
  upload?: RepeatableUpload | undefined;
  /** The longest that the push may ever live, where the rules of a workspace say so. */
  lifetimeMaxMs?: number | null;
  /** Additional work in the transaction that creates the push. If it throws, nothing is created. */
  inTransaction?: (tx: Tx, id: Buffer, push: Push) => Promise<void>;
};

type Dependencies = {
  database: Database;
  keyring: Keyring;
  passphrases: PasswordHasher;
  invite: Invite;
  pushRecipients: Pick<PushRecipients, 'ofPush'>;
  admitCreation: AdmitCreation;
  settings: PushSettings;
  fileSettings: FileSettings;
  observer: Observer;
};

export type CreatePush = ReturnType<typeof createPushCreator>['create'];

/** Creates pushes. */
export function createPushCreator(dependencies: Dependencies) {
  const {
    database,
    keyring,
    passphrases,
    invite,
    pushRecipients,
    admitCreation,
    settings,
    fileSettings,
    observer,
  } = dependencies;
  const { transaction, dialect } = database;
  const schema = buildPushSchema(settings);
  const longestMs = settings.bounds.expireAfterDays.max * dayMs;
  const insert = createPushInsertion(database);
  const watchKey = createKeyWatch({ database, keyring });
  const insertions = createBatches(
    {
      run: insertAll,
      bytesOf: ({ payload }: NewPush) => payload.length,
      onStart: (size, waitedMs) => observer.batched('create', size, waitedMs),
    },
    { running: dialect.parallelBatches },
  );

  /**
   * Creates a push, with or without files, and returns it with its url token, which only the owner can read from the
   * database later. Counts the creation, unless its upload did.
   */
  async function create(
    input: unknown,
    caller: Caller,
    { upload, inTransaction, lifetimeMaxMs = null }: CreatePushOptions = {},
  ): Promise<Push> {
    const { account, client } = caller;
    if (upload === undefined) await admitCreation(caller);
    const uploaded = await upload?.finish();
    const hasFiles = uploaded !== undefined;
    const {
      passphrase,
      recipients: labels,
      ...parsed
    } = parseCreateInput(schema, input, { account, hasFiles, fileSettings });
    const passphraseHash = passphrase === null ? null : await passphrases.hash(passphrase, caller);
    const ids = uploaded ?? { id: newId(), urlToken: newUrlToken() };
    const requireKey = watchKey();
    const row: NewRow = {
      ...sealedColumns(ids, parsed, account),
      id: ids.id,
      accountId: account?.id ?? null,
      kind: parsed.kind,
      passphraseHash,
      notify: parsed.notify === null ? 0 : encodePreferences(parsed.notify),
      deletableByViewer: parsed.deletableByViewer,
      retrievalStep: parsed.retrievalStep,
      viewsMax: parsed.viewsMax,
      fileCount: uploaded?.files.length ?? 0,
      lifetimeMs: parsed.lifetimeMs,
    };
    const { name, note } = parsed;
    const files = (uploaded?.files ?? []).map(({ id: _, object: _object, ...file }) => file);
    const plain = { urlToken: ids.urlToken, name, note, files, isUnreadable: false, longestMs };
    const newPush = { ...row, lifetimeMaxMs, dueInMs: dueInMs(parsed), ...clientColumns(client) };
    const created = (createdAt: number, recipients: PushRecipient[] = []) =>
      toPush(asCreated(newPush, createdAt, recipients), { ...plain, recipients });
    const isAlone = !hasFiles && inTransaction === undefined && labels.length === 0;
    const push = isAlone
      ? created(await insertions.submit(newPush))
      : await transaction(async (tx) => {
          const createdAt = await insert([newPush], tx);
          await upload?.attach(createdAt + parsed.lifetimeMs, tx);
          if (labels.length > 0) await inviteLabels(row.id, labels, parsed, tx);
          const inserted = created(
            createdAt,
            labels.length > 0 ? await pushRecipients.ofPush(row.id, tx) : [],
          );
          if (inTransaction === undefined) return inserted;
          await inTransaction(tx, row.id, inserted);
          return created(createdAt, await pushRecipients.ofPush(row.id, tx));
        });
    await requireKey();
    return push;
  }

  async function inviteLabels(id: Buffer, labels: string[], options: InviteOptions, tx: Tx): Promise<void> {
    const invitations = labels.map((label) => ({ label }));
    await invite(id, invitations, options, tx);
  }

  /** Everything encrypted under the url token, and the token itself for the owner. */
  function sealedColumns(
    { id, urlToken, filesKey }: { id: Buffer; urlToken: string; filesKey?: Buffer },
    { payload, name, note }: Pick<CreateInput, 'payload' | 'name' | 'note'>,
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

  /** Creates pushes without files, all in one statement. */
  async function insertAll(newPushes: NewPush[]): Promise<number[]> {
    const createdAt = await insert(newPushes, database);
    return newPushes.map(() => createdAt);
  }

  return { create, schema, waiting: insertions.waiting };
}

/** A row as it was inserted at this time, with views of these recipients. */
function asCreated(row: NewPush, now: number, recipients: PushRecipient[]): PushRow {
  const times = { createdAt: now, updatedAt: now, expiresAt: now + row.lifetimeMs, now };
  const expiresAtMax = row.lifetimeMaxMs && now + row.lifetimeMaxMs;
  const viewsReserved = recipients.reduce((views, { viewsMax }) => views + viewsMax, 0);
  return { ...row, ...times, expiresAtMax, viewsUsed: 0, viewsReserved, expiredOn: null, deleted: false };
}

/** When a job first handles a push: at its end, or earlier if its owner wants a reminder. */
function dueInMs({ lifetimeMs, notify }: Pick<CreateInput, 'lifetimeMs' | 'notify'>): number {
  return lifetimeMs - (notify?.reminder ? reminderLeadMs(lifetimeMs) : 0);
}

import { newId } from '../../../crypto/ids.ts';
import { createBatches } from '../../../database/batches.ts';
import type { Tx } from '../../../database/database.ts';
import { dayMs } from '../../../time.ts';
import { createKeyWatch } from '../../base/index.ts';
import type { Uploaded } from '../../files/index.ts';
import type { Account, Caller } from '../../people/index.ts';
import type { PushDependencies } from '../dependencies.ts';
import type { MailRecipients } from '../mailRecipients.ts';
import { requireRoomFor } from '../payload.ts';
import { type Push, type PushRecipient, toPush } from '../push.ts';
import type { Invite } from '../sharing.ts';
import { type CreateInput, parseCreateInput } from './input.ts';
import { createNewLinks } from './newLinks.ts';
import { asCreated, createPushInsertion, type NewPush, toNewPush } from './newPush.ts';
import { buildPushSchema } from './schema.ts';

export type CreatePushOptions = {
  /** The longest that the push may ever live, where the rules of a workspace say so. */
  lifetimeMaxMs?: number | null;
  /** Additional work in the transaction that creates the push, such as inviting recipients. If it throws, nothing is created. */
  inTransaction?: (tx: Tx, id: Buffer) => Promise<void>;
};

/** Who creates the push, and what came with its input. */
type Origin = {
  caller: Caller;
  uploaded: Uploaded | undefined;
  /** The last work in the transaction that creates the push, with the push as it is going to be returned. */
  beforeCommit?: (push: Push, tx: Tx) => Promise<void>;
};

export type CreatePush = ReturnType<typeof createPushCreator>['createPush'];

/** Creates pushes. */
export function createPushCreator(
  dependencies: PushDependencies & {
    invite: Invite;
    mailRecipients: Pick<MailRecipients, 'admit' | 'toInvitations'>;
  },
) {
  const { database, keyring, passphrases, invite, pushRecipients, mailRecipients, ...others } = dependencies;
  const { settings, fileSettings, observer } = others;
  const { transaction, dialect } = database;
  const schema = buildPushSchema(settings);
  const longestMs = settings.bounds.expireAfterDays.max * dayMs;
  const links = createNewLinks(keyring);
  const insert = createPushInsertion(database);
  const watchKey = createKeyWatch({ database, keyring });
  const insertions = createBatches(
    {
      run: insertAll,
      bytesOf: ({ payload }: NewPush) => payload.length,
      onStart: (size, waitedMs) => {
        observer.batched('create', size, waitedMs);
        links.prepare();
      },
    },
    { running: dialect.parallelBatches },
  );

  /** Creates a push, with or without files, and returns it. */
  async function createPush(
    input: unknown,
    { caller, uploaded, beforeCommit }: Origin,
    { inTransaction, lifetimeMaxMs = null }: CreatePushOptions = {},
  ): Promise<Push> {
    const hasFiles = uploaded !== undefined;
    const parsed = parseCreateInput(schema, input, {
      account: caller.account,
      hasFiles,
      settings,
      fileSettings,
    });
    const { passphrase, recipients: labels, name, note } = parsed;
    if (caller.account !== null && labels.length > 0) await mailRecipients.admit(caller.account, labels);
    const passphraseHash = passphrase && (await passphrases.hash(passphrase.trim(), caller)); // see readingsOf
    const requireKey = watchKey();
    const link = uploaded === undefined ? links.take() : links.linkOf(uploaded.urlToken);
    const ids = uploaded ?? { id: newId() };
    const newPush = toNewPush(keyring, ids, parsed, {
      link,
      caller,
      passphraseHash,
      fileCount: uploaded?.files.length ?? 0,
      lifetimeMaxMs,
    });
    await requireRoomFor(newPush.payload, database);
    const files = (uploaded?.files ?? []).map(({ id: _, object: _object, ...file }) => file);
    const created = (createdAt: number, recipients: PushRecipient[] = []) =>
      toPush(asCreated(newPush, createdAt, recipients), {
        urlToken: link.urlToken,
        urlTokenSha256: link.sha256,
        name,
        note,
        files,
        recipients,
        isUnreadable: false,
        longestMs,
      });
    const mayHaveRecipients = labels.length > 0 || inTransaction !== undefined;
    const isAlone = !hasFiles && !mayHaveRecipients && beforeCommit === undefined;
    const push = isAlone
      ? created(await insertions.submit(newPush))
      : await transaction(async (tx) => {
          const createdAt = await insert([newPush], tx);
          await uploaded?.attach(createdAt + parsed.lifetimeMs, tx);
          if (caller.account !== null && labels.length > 0)
            await inviteNamed(ids.id, caller.account, parsed, tx);
          await inTransaction?.(tx, ids.id);
          const inserted = created(
            createdAt,
            mayHaveRecipients ? await pushRecipients.ofPush(ids.id, tx) : [],
          );
          await beforeCommit?.(inserted, tx);
          return inserted;
        });
    await requireKey();
    return push;
  }

  async function inviteNamed(id: Buffer, account: Account, input: CreateInput, tx: Tx): Promise<void> {
    const { recipients, recipientCode: needsCode, viewsPerRecipient } = input;
    const invitations = await mailRecipients.toInvitations(account, recipients, { needsCode }, tx);
    await invite(id, invitations, { viewsPerRecipient }, tx);
  }

  /** Creates pushes without files, all in one statement. */
  async function insertAll(newPushes: NewPush[]): Promise<number[]> {
    const createdAt = await insert(newPushes, database);
    return newPushes.map(() => createdAt);
  }

  return { createPush, schema, waiting: insertions.waiting };
}

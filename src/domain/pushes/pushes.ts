import { openLabel, seal, urlTokenDigest } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { costs, type Passwords } from '../../crypto/passwords.ts';
import { isUrlToken, newUrlToken } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError, type Problem } from '../../errors.ts';
import type { Account } from '../accounts/accounts.ts';
import { type Audit, type AuditRow, type ClientInfo, clientColumns } from '../audit/audit.ts';
import type { Downloads } from '../files/downloads.ts';
import type { FileList, PushFile } from '../files/fileList.ts';
import { type IncomingFile, invalidFiles, requireFileAccess } from '../files/fileRules.ts';
import type { Grants } from '../files/grants.ts';
import type { Upload, Uploads } from '../files/uploads.ts';
import type { Limits } from '../limits.ts';
import type { NoticeAddress, Outbox } from '../notices/outbox.ts';
import { decodePreferences, encodePreferences, type NoticePreferences } from '../notices/preferences.ts';
import type { FileSettings, PushSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { createAskAgain } from './askAgain.ts';
import type { Claim, ClaimView } from './claim.ts';
import { pushColumns, withBooleans } from './columns.ts';
import { erasure, reminderLeadMs } from './erasure.ts';
import { createExtension } from './extend.ts';
import { expiredOn, isExpired, type Push, type PushRow } from './push.ts';
import { buildPushSchema } from './pushSchema.ts';

export type Pushes = ReturnType<typeof createPushes>;

/** Who asks: the account behind the request, if any, and what the request tells of itself. */
export type Caller = { account: Account | null; client: ClientInfo };

type CreateOptions = {
  /** The files that came with the input. */
  upload?: Upload;
  /** What else belongs into the transaction that makes the push; when it throws, nothing was made. */
  inTransaction?: (tx: Tx, id: Buffer) => Promise<void>;
};

/** What a retrieval gives: the push, and its payload unless it has expired or a link previewer asked. */
export type Revealed = { push: Push; payload: string | null };

const listPageSize = 50;
const searchedAtOnce = 500;
const searchedMost = 5_000;

export type PushState = 'active' | 'expired';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  passwords: Passwords;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  claimView: ClaimView;
  uploads: Uploads;
  fileList: FileList;
  grants: Grants;
  downloads: Downloads;
  settings: PushSettings;
  fileSettings: FileSettings;
};

/** What `receive` hands to whoever reads the input of a push: it takes the files that come with that, while they come. */
export type TakeFile = (file: IncomingFile) => Promise<void>;

/** What one does with pushes. Every read decides expiry by the database's clock; no job has to have run. */
export function createPushes(dependencies: Dependencies) {
  const { database, keyring, passwords, limits, audit, outbox, claimView, settings } = dependencies;
  const { uploads, fileList, grants, downloads, fileSettings } = dependencies;
  const { select, withRetries, transaction, dialect } = database;
  const schema = buildPushSchema(settings);
  const columns = pushColumns(dialect.now);
  const extension = createExtension({ database, audit, settings });
  const again = createAskAgain({ database, keyring, audit, outbox });

  /**
   * Makes a push of what `read` gives, with the files that `read` hands to `take` meanwhile: all of it, or nothing. Files
   * are refused as soon as they break a rule. As `create` otherwise.
   */
  async function receive(
    caller: Caller,
    read: (take: TakeFile) => Promise<unknown>,
    options: Pick<CreateOptions, 'inTransaction'> = {},
  ): Promise<Push> {
    const upload = uploads(async () => {
      requireFileAccess(caller.account, fileSettings);
      await admit(caller);
    });
    try {
      return await make(await read(upload.take), caller, { ...options, upload });
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }

  /** Refuses who may not create, or has created too much. */
  async function admit({ account, client }: Caller): Promise<void> {
    if (account === null && !settings.allowAnonymous) {
      throw new DomainError('unauthenticated', 'tokenRequiredToCreate');
    }
    await (account === null
      ? limits.consume('anonymousCreate', client)
      : limits.consume('tokenCreate', { id: account.id }));
  }

  /** Makes a push and gives it with its url token, which the database can tell nobody but the push's owner. */
  const create = (input: unknown, caller: Caller, options: Pick<CreateOptions, 'inTransaction'> = {}) =>
    make(input, caller, options);

  async function make(
    input: unknown,
    caller: Caller,
    { upload, inTransaction }: CreateOptions,
  ): Promise<Push> {
    const { account, client } = caller;
    const begun = await upload?.finish();
    if (begun === undefined) await admit(caller);
    if (namesFiles(input)) refuseFiles(account, { code: 'notUploaded' });
    const wanted = parseInput(schema, begun === undefined ? input : asFilePush(input));
    if (wanted.kind === 'file' && begun === undefined) refuseFiles(account, { code: 'uploadRequired' });
    const { kind, payload, passphrase, name, lifetimeMs, viewsMax, deletableByViewer, retrievalStep } =
      wanted;
    const note = account === null ? null : wanted.note;
    const passphraseHash = passphrase === null ? null : await passwords.hash(passphrase, costs.passphrase);
    const notify =
      account === null ? null : { ...decodePreferences(account.notify), ...definedOnly(wanted.notify) };
    const dueInMs = lifetimeMs - (notify?.reminder ? reminderLeadMs(lifetimeMs) : 0);
    const { id, urlToken } = begun ?? { id: newId(), urlToken: newUrlToken() };
    const sealed = (field: string, content: string | Buffer | null) =>
      content === null ? null : seal(keyring, content, { id, field, secret: urlToken });
    const insert = (tx?: Tx) =>
      (tx ?? database).insertReturning(
        (
          returning,
        ) => `INSERT INTO pushes (id, token_digest, token_sealed, account_id, kind, payload, passphrase_hash, name, note,
           notify, deletable_by_viewer, retrieval_step, views_max, file_count, files_key, created_at, updated_at, expires_at,
           due_at, creator_ip, creator_user_agent, creator_referrer)
         VALUES ($id, $digest, $tokenSealed, $accountId, $kind, $payload, $passphraseHash, $name, $note,
           $notify, $deletableByViewer, $retrievalStep, $viewsMax, $fileCount, $filesKey,
           ${returning(dialect.now)}, ${dialect.now}, ${dialect.now} + $lifetimeMs, ${dialect.now} + $dueInMs,
           $ip, $userAgent, $referrer)`,
        'created_at',
        {
          id,
          digest: urlTokenDigest(keyring, urlToken),
          tokenSealed: account === null ? null : seal(keyring, urlToken, { id, field: 'url_token' }),
          accountId: account?.id ?? null,
          kind,
          payload: sealed('payload', payload),
          passphraseHash,
          name: sealed('name', name),
          note: sealed('note', note),
          deletableByViewer,
          retrievalStep,
          notify: notify === null ? 0 : encodePreferences(notify),
          viewsMax,
          fileCount: begun?.files.length ?? 0,
          filesKey: sealed('files_key', begun?.filesKey ?? null),
          lifetimeMs,
          dueInMs,
          ...clientColumns(client),
        },
      );
    const begunUpload = begun && upload ? { begun, upload } : undefined;
    const createdAt =
      begunUpload === undefined && inTransaction === undefined
        ? await withRetries(() => insert())
        : await transaction(async (tx) => {
            const now = await insert(tx);
            if (begunUpload !== undefined)
              await begunUpload.upload.attach(begunUpload.begun, now + lifetimeMs, tx);
            await inTransaction?.(tx, id);
            return now;
          });
    return {
      id: id.toString('hex'),
      urlToken,
      kind,
      hasPassphrase: passphrase !== null,
      name,
      note,
      files: (begun?.files ?? []).map(({ id: _, object: _object, ...file }) => file),
      deletableByViewer,
      retrievalStep,
      viewsMax,
      viewsUsed: 0,
      createdAt,
      updatedAt: createdAt,
      expiresAt: createdAt + lifetimeMs,
      expiredOn: null,
      deleted: false,
      now: createdAt,
    };
  }

  /**
   * Claims one view and gives the payload; at most `viewsMax` callers ever succeed, on any number of processes.
   * An expired push comes without its payload. Files come with the grant of this view, and no view is spent while they
   * cannot be had. Refuses with `not_found`, with `unauthenticated` (field `passphrase`) while the passphrase is missing or
   * wrong, and with `too_many` after too many tries. With `once`, the SHA-256 of a nonce, it refuses with `conflict` what
   * would be a second view under the same nonce within its ten minutes.
   */
  async function reveal(
    urlToken: string,
    passphrase: string | undefined,
    { account, client }: Caller,
    { nonceDigest }: { nonceDigest?: Buffer } = {},
  ): Promise<Revealed> {
    requireToken(urlToken);
    if (client.isPreviewer) {
      const row = await requireRow(urlToken, client);
      if (row.retrievalStep && !isExpired(row)) {
        await audit.recordBounded(row.id, 'preview', client);
        return { push: present(row, urlToken, account), payload: null };
      }
    }
    const verifiedHash =
      passphrase === undefined ? null : await verifiedPassphrase(urlToken, passphrase, client);
    const claim = await claimView(urlToken, verifiedHash, client, { nonceDigest });
    if (claim.outcome !== 'files') return revealed(claim, urlToken, { account, client });
    await downloads.requireStored(claim.row.id);
    const second = await claimView(urlToken, verifiedHash, client, { nonceDigest, sawFiles: true });
    return revealed(second, urlToken, { account, client });
  }

  async function revealed(claim: Claim, urlToken: string, { account, client }: Caller): Promise<Revealed> {
    switch (claim.outcome) {
      case 'unknown':
        return unknown(client);
      case 'repeated':
        throw new DomainError('conflict', 'viewAlreadyGiven');
      case 'locked':
        await recordWrongPassphrase(claim.row, client);
        throw wrongPassphrase();
      case 'expired':
        await audit.recordBounded(claim.row.id, 'failed_view', client);
        return { push: present(claim.row, urlToken, account), payload: null };
      case 'claimed':
        return { push: present(claim.row, urlToken, account, claim.files), payload: claim.payload };
      case 'files':
        throw new Error('a claim that saw the files asks for them again');
    }
  }

  /** The hash that a passphrase fits, or null where none is asked for. bcrypt is slow, so this runs before any row is locked. */
  async function verifiedPassphrase(
    urlToken: string,
    passphrase: string,
    client: ClientInfo,
  ): Promise<string | null> {
    const row = await requireRow(urlToken, client);
    const { id, passphraseHash } = row;
    if (passphraseHash === null || isExpired(row)) return null;
    const guess = await limits.guess(id, client.ip, () => passwords.verify(passphrase, passphraseHash));
    if (guess.outcome === 'right') return passphraseHash;
    await recordWrongPassphrase(row, client, { locked: guess.outcome === 'locked' });
    throw wrongPassphrase(guess.triesLeft);
  }

  async function recordWrongPassphrase(
    row: PushRow,
    client: ClientInfo,
    { locked = false } = {},
  ): Promise<void> {
    if (!(await audit.hasRoomFor(row.id, 'failed_passphrase'))) return;
    await transaction(async (tx) => {
      await audit.record(row.id, 'failed_passphrase', client, tx);
      await outbox.write('failed_passphrase', row, row.viewsUsed, tx);
      if (locked) await outbox.write('locked', row, row.viewsUsed, tx);
    });
  }

  /** Looks at a push without spending a view or leaving a trace. */
  async function preview(urlToken: string, { account, client }: Caller): Promise<Push> {
    return present(await requireRow(urlToken, client), urlToken, account);
  }

  /** As preview, for the push's owner, and with its files: what belongs to somebody else is as unknown as what never was. */
  async function previewOwned(urlToken: string, { account, client }: Caller): Promise<Push> {
    const row = await requireRow(urlToken, client);
    if (!isOwner(account, row)) return unknown(client);
    const { id, fileCount } = row;
    const files = fileCount > 0 && !isExpired(row) ? await fileList.ofPushes([{ id, urlToken }]) : new Map();
    return present(row, urlToken, account, files.get(id.toString('hex')));
  }

  /** Expires a push now, once: a second call changes nothing. Only for its owner, or anybody when it is deletable by viewers. */
  async function expire(urlToken: string, { account, client }: Caller): Promise<Push> {
    const seen = await requireRow(urlToken, client);
    if (!isOwner(account, seen) && !seen.deletableByViewer) {
      throw new DomainError(account === null ? 'unauthenticated' : 'forbidden', 'notDeletableByViewers');
    }
    const { id } = seen;
    await transaction(async (tx) => {
      // the clock of a statement stands at its start, so a wait for the lock must not be part of the one that dates
      await tx.select(`SELECT id FROM pushes WHERE id = $id ${dialect.forUpdate}`, { id });
      const expired = await tx.execute(
        `UPDATE pushes SET deleted = TRUE, ${erasure(dialect, settings)}
         WHERE id = $id AND expired_on IS NULL AND expires_at > ${dialect.now}`,
        { id },
      );
      if (seen.fileCount > 0) await grants.revoke(id, tx);
      if (expired === 0) return;
      await audit.record(id, 'expire', client, tx);
      const event = isOwner(account, seen) ? 'burned' : 'deleted';
      await outbox.write(event, seen, seen.viewsUsed, tx);
    });
    return present(await requireRow(urlToken, client), urlToken, account);
  }

  /** The url token of a push that an account owns, by its id. Refuses every other with `not_found`. */
  async function requireUrlToken({ id: accountId }: Account, id: string): Promise<string> {
    const [row] = /^[0-9a-f]{32}$/.test(id)
      ? await select<PushRow>(`SELECT ${columns} FROM pushes WHERE id = $id AND account_id = $accountId`, {
          id: Buffer.from(id, 'hex'),
          accountId,
        })
      : [];
    if (row === undefined) throw notFound();
    return ownedToken(row);
  }

  /** Hands a live push of an account to more people. */
  async function share(account: Account, id: string, recipients: NoticeAddress[]): Promise<void> {
    const urlToken = await requireUrlToken(account, id);
    await transaction(async (tx) => {
      const [row] = await tx.select<PushRow>(
        `SELECT ${columns} FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`,
        { digest: urlTokenDigest(keyring, urlToken) },
      );
      if (row === undefined || isExpired(row)) throw notFound();
      await outbox.send('shared', row.id, recipients, tx);
    });
  }

  /**
   * Undoes the making of a push that its maker was not told of: nothing of it stays, and nobody hears of it. `alongside`
   * undoes, in the same transaction, what else was done with it.
   */
  async function withdraw(
    { id: accountId }: Account,
    id: string,
    inTransaction: (tx: Tx) => Promise<void> = async () => {},
  ): Promise<void> {
    const binds = { id: Buffer.from(id, 'hex'), accountId };
    await transaction(async (tx) => {
      const gone = await tx.execute('DELETE FROM pushes WHERE id = $id AND account_id = $accountId', binds);
      if (gone === 0) return;
      await inTransaction(tx);
    });
  }

  /** Gives a live push of the caller's a day more, or as much again as it had; refuses all others with `forbidden`. */
  async function extend(urlToken: string, { account, client }: Caller): Promise<Push> {
    await extension.extend(await requireOwned(urlToken, { account, client }), client);
    return present(await requireRow(urlToken, client), urlToken, account);
  }

  /** Lets a push of the caller's end so many `minutes` from now instead, which is later; refuses all others with `forbidden`. */
  async function setExpiry(urlToken: string, input: unknown, { account, client }: Caller): Promise<Push> {
    await extension.setExpiry(await requireOwned(urlToken, { account, client }), input, client);
    return present(await requireRow(urlToken, client), urlToken, account);
  }

  /** Whether whoever has a link that is over may ask its sender for a new one; machines that only look at it may not. */
  async function canAskAgain(urlToken: string, { isPreviewer }: ClientInfo): Promise<boolean> {
    return isUrlToken(urlToken) && !isPreviewer && again.canAsk(urlToken);
  }

  /**
   * Asks the sender of a push that is over for a new one; after the first time it changes nothing. Refuses with `not_found`
   * where nobody may ask, and with `too_many` who asks for too much.
   */
  async function askAgain(urlToken: string, client: ClientInfo): Promise<void> {
    await limits.consume('askAgain', client);
    await requireRow(urlToken, client);
    if (!(await again.ask(urlToken, client))) throw notFound();
  }

  /** One page of 50 of an account's pushes, the newest first; the first page is 1. */
  async function list(account: Account, state: PushState, page: number): Promise<Push[]> {
    return slice(account, state, { from: (page - 1) * listPageSize, count: listPageSize });
  }

  async function slice(account: Account, state: PushState, { from, count }: { from: number; count: number }) {
    const isActive = `expired_on IS NULL AND expires_at > ${dialect.now}`;
    const found = await select<PushRow>(
      `SELECT ${columns} FROM pushes WHERE account_id = $accountId AND ${state === 'active' ? isActive : `NOT (${isActive})`}
       ORDER BY created_at DESC, id DESC LIMIT ${count} OFFSET ${from}`,
      { accountId: account.id },
    );
    const listed = found.map((row) => ({ ...withBooleans(row), urlToken: ownedToken(row) }));
    const files = await fileList.ofPushes(listed.filter((row) => row.fileCount > 0 && !isExpired(row)));
    return listed.map(({ urlToken, ...row }) =>
      present(row, urlToken, account, files.get(row.id.toString('hex'))),
    );
  }

  /**
   * As list, of those of the newest 5,000 whose name, note or link has the words in it. The database cannot look for
   * them, since it holds no name that it could read.
   */
  async function search(account: Account, state: PushState, query: string, page: number): Promise<Push[]> {
    const wanted = query.normalize('NFC').toLowerCase();
    const matches: Push[] = [];
    for (let from = 0; from < searchedMost && matches.length < page * listPageSize; from += searchedAtOnce) {
      const found = await slice(account, state, { from, count: searchedAtOnce });
      matches.push(...found.filter((push) => searchableTextOf(push).includes(wanted)));
      if (found.length < searchedAtOnce) break;
    }
    return matches.slice((page - 1) * listPageSize, page * listPageSize);
  }

  /** One page of 50 of a push's log, the oldest first. Refuses everybody but its owner with `forbidden`. */
  async function auditLog(
    urlToken: string,
    page: number,
    caller: Caller & { account: Account },
  ): Promise<AuditRow[]> {
    return audit.page((await requireOwned(urlToken, caller)).id, page);
  }

  /** The newest rows of a push's log, and how many there are before them. Refuses like `auditLog`. */
  async function recentAuditLog(urlToken: string, count: number, caller: Caller & { account: Account }) {
    return audit.newest((await requireOwned(urlToken, caller)).id, count);
  }

  async function requireOwned(urlToken: string, { account, client }: Caller): Promise<PushRow> {
    const row = await requireRow(urlToken, client);
    if (!isOwner(account, row)) throw new DomainError('forbidden', 'notOwner');
    return row;
  }

  async function requireRow(urlToken: string, client: ClientInfo): Promise<PushRow> {
    requireToken(urlToken);
    const [row] = await select<PushRow>(`SELECT ${columns} FROM pushes WHERE token_digest = $digest`, {
      digest: urlTokenDigest(keyring, urlToken),
    });
    return row === undefined ? unknown(client) : withBooleans(row);
  }

  async function unknown({ ip }: ClientInfo): Promise<never> {
    await limits.countUnknownToken(ip);
    throw notFound();
  }

  function present(row: PushRow, urlToken: string, account: Account | null, files: PushFile[] = []): Push {
    const { id, accountId, passphraseHash, tokenSealed, fileCount, notify, name, note, ...push } = row;
    const label = (field: 'name' | 'note', record: Buffer | null) =>
      record === null || !isOwner(account, row)
        ? null
        : openLabel(keyring, record, { id, field, secret: urlToken });
    return {
      ...push,
      id: id.toString('hex'),
      urlToken,
      hasPassphrase: passphraseHash !== null,
      name: label('name', name),
      note: label('note', note),
      files,
      expiredOn: expiredOn(row),
    };
  }

  function ownedToken({ id, tokenSealed }: PushRow): string {
    if (tokenSealed === null) throw new Error('an owned push has no sealed url token');
    return openLabel(keyring, tokenSealed, { id, field: 'url_token' });
  }

  /** Refuses files that did not come as such: first who may not attach any, then what is wrong with them. */
  function refuseFiles(account: Account | null, problem: Problem): never {
    requireFileAccess(account, fileSettings);
    throw invalidFiles(problem);
  }

  /** Forgets nonces that nobody can use any more. */
  const purgeNonces = (isStopping?: () => boolean) =>
    database.deleteInBatches('spent_nonces', 'expires_at', dialect.now, isStopping);

  return {
    create,
    receive,
    reveal,
    preview,
    previewOwned,
    expire,
    extend,
    setExpiry,
    canAskAgain,
    askAgain,
    share,
    withdraw,
    requireUrlToken,
    list,
    search,
    auditLog,
    recentAuditLog,
    purgeNonces,
    schema,
    settings,
  };
}

/** What a partial choice does say. */
function definedOnly(
  choice: { [Name in keyof NoticePreferences]?: NoticePreferences[Name] | undefined },
): Partial<NoticePreferences> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** What a push can be found by. */
function searchableTextOf({ name, note, urlToken }: Push): string {
  return [name, note, urlToken].join('\n').normalize('NFC').toLowerCase();
}

function requireToken(urlToken: string): void {
  if (!isUrlToken(urlToken)) throw notFound();
}

function isOwner(account: Account | null, { accountId }: PushRow): boolean {
  return account !== null && accountId !== null && account.id.equals(accountId);
}

function notFound(): DomainError {
  return new DomainError('not_found', 'pushNotFound');
}

function wrongPassphrase(triesLeft?: number): DomainError {
  return new DomainError('unauthenticated', 'wrongPassphrase', {
    problems: { passphrase: [{ code: 'incorrect' }] },
    triesLeft,
  });
}

/** Whether input names files in its own words, where they can only be parts of a form. */
function namesFiles(input: unknown): boolean {
  const { files } = (input ?? {}) as { files?: unknown };
  return Array.isArray(files) ? files.some((entry) => entry !== '') : files != null && files !== '';
}

/** With files and no kind, a push is of kind file. */
function asFilePush(input: unknown): unknown {
  const { kind, ...rest } = (input ?? {}) as { kind?: unknown };
  return { ...rest, kind: kind ?? 'file' };
}

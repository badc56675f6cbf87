import type { Transaction } from 'sequelize';
import { openLabel, seal, urlTokenDigest } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { costs, type Passwords } from '../../crypto/passwords.ts';
import { isUrlToken, newUrlToken } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import type { Owner } from '../accounts/accounts.ts';
import { type Audit, type AuditRow, type Visit, visitColumns } from '../audit/audit.ts';
import type { Downloads } from '../files/downloads.ts';
import type { Attached, PushFile } from '../files/fileList.ts';
import { type IncomingFile, refusal, requireOpenTo } from '../files/fileRules.ts';
import type { Grants } from '../files/grants.ts';
import type { Upload, Uploads } from '../files/uploads.ts';
import type { Limits } from '../limits.ts';
import type { Outbox, Recipient } from '../notices/outbox.ts';
import { decodeChoice, encodeChoice, type NoticeChoice } from '../notices/preferences.ts';
import type { FileSettings, PushSettings } from '../settings.ts';
import { parseInput } from '../validation.ts';
import { createAskAgain } from './askAgain.ts';
import type { Claim, ClaimView } from './claim.ts';
import { pushColumns, withBooleans } from './columns.ts';
import { erasure, reminderLeadMs } from './erasure.ts';
import { createExtend } from './extend.ts';
import { expiredOn, isExpired, type Push, type PushRow } from './push.ts';
import { buildNewPush } from './pushSchema.ts';

export type Pushes = ReturnType<typeof createPushes>;

/** Who asks: the account behind the request, if any, and what the request tells of itself. */
export type Asking = { owner: Owner | null; visit: Visit };

type CreateOptions = {
  /** The files that came with the input. */
  upload?: Upload;
  /** What else belongs into the transaction that makes the push; when it throws, nothing was made. */
  alongside?: (transaction: Transaction, id: Buffer) => Promise<void>;
};

/** What a retrieval gives: the push, and its payload unless it has expired or a link previewer asked. */
export type Revealed = { push: Push; payload: string | null };

const listPageSize = 50;
const searchedAtOnce = 500;
const searchedMost = 5_000;

export type PushState = 'active' | 'expired';

type Parts = {
  database: Database;
  keyring: Keyring;
  passwords: Passwords;
  limits: Limits;
  audit: Audit;
  outbox: Outbox;
  claimView: ClaimView;
  uploads: Uploads;
  attached: Attached;
  grants: Grants;
  downloads: Downloads;
  settings: PushSettings;
  fileSettings: FileSettings;
};

/** What `receive` hands to whoever reads the input of a push: it takes the files that come with that, while they come. */
export type TakeFile = (file: IncomingFile) => Promise<void>;

/** What one does with pushes. Every read decides expiry by the database's clock; no job has to have run. */
export function createPushes(parts: Parts) {
  const { database, keyring, passwords, limits, audit, outbox, claimView, settings } = parts;
  const { uploads, attached, grants, downloads, fileSettings } = parts;
  const { rows, change, insertAndTell, retrying, unitOfWork, dialect } = database;
  const schema = buildNewPush(settings);
  const columns = pushColumns(dialect.now);
  const giveTime = createExtend({ database, audit, settings });
  const again = createAskAgain({ database, keyring, audit, outbox });

  /**
   * Makes a push of what `read` gives, with the files that `read` hands to `take` meanwhile: all of it, or nothing. Files
   * are refused as soon as they break a rule. As `create` otherwise.
   */
  async function receive(
    asking: Asking,
    read: (take: TakeFile) => Promise<unknown>,
    options: Pick<CreateOptions, 'alongside'> = {},
  ): Promise<Push> {
    const upload = uploads(async () => {
      requireOpenTo(asking.owner, fileSettings);
      await admit(asking);
    });
    try {
      return await make(await read(upload.take), asking, { ...options, upload });
    } catch (error) {
      await upload.discard();
      throw error;
    }
  }

  /** Refuses who may not create, or has created too much. */
  async function admit({ owner, visit }: Asking): Promise<void> {
    if (owner === null && !settings.allowAnonymous) {
      throw new DomainError('unauthenticated', 'Creating a push needs an API token on this server.');
    }
    await (owner === null
      ? limits.consume('anonymousCreate', visit)
      : limits.consume('tokenCreate', { id: owner.id }));
  }

  /** Makes a push and gives it with its url token, which the database can tell nobody but the push's owner. */
  const create = (input: unknown, asking: Asking, options: Pick<CreateOptions, 'alongside'> = {}) =>
    make(input, asking, options);

  async function make(input: unknown, asking: Asking, { upload, alongside }: CreateOptions): Promise<Push> {
    const { owner, visit } = asking;
    const begun = await upload?.finish();
    if (begun === undefined) await admit(asking);
    if (namesFiles(input)) refuseFiles(owner, 'must be sent as multipart/form-data, each with a filename');
    const wanted = parseInput(schema, begun === undefined ? input : asFilePush(input));
    if (wanted.kind === 'file' && begun === undefined)
      refuseFiles(owner, 'must be at least one, sent as multipart/form-data');
    const { kind, payload, passphrase, name, lifetimeMs, viewsMax, deletableByViewer, retrievalStep } =
      wanted;
    const note = owner === null ? null : wanted.note;
    const passphraseHash = passphrase === null ? null : await passwords.hash(passphrase, costs.passphrase);
    const notify = owner === null ? null : { ...decodeChoice(owner.notify), ...said(wanted.notify) };
    const dueInMs = lifetimeMs - (notify?.reminder ? reminderLeadMs(lifetimeMs) : 0);
    const { id, urlToken } = begun ?? { id: newId(), urlToken: newUrlToken() };
    const sealed = (field: string, content: string | Buffer | null) =>
      content === null ? null : seal(keyring, content, { id, field, secret: urlToken });
    const insert = (transaction?: Transaction) =>
      insertAndTell(
        (
          remember,
        ) => `INSERT INTO pushes (id, token_digest, token_sealed, account_id, kind, payload, passphrase_hash, name, note,
           notify, deletable_by_viewer, retrieval_step, views_max, file_count, files_key, created_at, updated_at, expires_at,
           due_at, creator_ip, creator_user_agent, creator_referrer)
         VALUES ($id, $digest, $tokenSealed, $accountId, $kind, $payload, $passphraseHash, $name, $note,
           $notify, $deletableByViewer, $retrievalStep, $viewsMax, $fileCount, $filesKey,
           ${remember(dialect.now)}, ${dialect.now}, ${dialect.now} + $lifetimeMs, ${dialect.now} + $dueInMs,
           $ip, $userAgent, $referrer)`,
        'created_at',
        {
          id,
          digest: urlTokenDigest(keyring, urlToken),
          tokenSealed: owner === null ? null : seal(keyring, urlToken, { id, field: 'url_token' }),
          accountId: owner?.id ?? null,
          kind,
          payload: sealed('payload', payload),
          passphraseHash,
          name: sealed('name', name),
          note: sealed('note', note),
          deletableByViewer,
          retrievalStep,
          notify: notify === null ? 0 : encodeChoice(notify),
          viewsMax,
          fileCount: begun?.files.length ?? 0,
          filesKey: sealed('files_key', begun?.filesKey ?? null),
          lifetimeMs,
          dueInMs,
          ...visitColumns(visit),
        },
        transaction && { transaction },
      );
    const begunUpload = begun && upload ? { begun, upload } : undefined;
    const createdAt =
      begunUpload === undefined && alongside === undefined
        ? await retrying(() => insert())
        : await unitOfWork(async (transaction) => {
            const now = await insert(transaction);
            if (begunUpload !== undefined)
              await begunUpload.upload.attach(begunUpload.begun, now + lifetimeMs, transaction);
            await alongside?.(transaction, id);
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
    { owner, visit }: Asking,
    { once }: { once?: Buffer } = {},
  ): Promise<Revealed> {
    requireToken(urlToken);
    if (visit.isPreviewer) {
      const row = await requireRow(urlToken, visit);
      if (row.retrievalStep && !isExpired(row)) {
        await audit.recordBounded(row.id, 'preview', visit);
        return { push: present(row, urlToken, owner), payload: null };
      }
    }
    const verifiedHash =
      passphrase === undefined ? null : await verifiedPassphrase(urlToken, passphrase, visit);
    const claim = await claimView(urlToken, verifiedHash, visit, { once });
    if (claim.outcome !== 'files') return revealed(claim, urlToken, { owner, visit });
    await downloads.requireStored(claim.row.id);
    const second = await claimView(urlToken, verifiedHash, visit, { once, sawFiles: true });
    return revealed(second, urlToken, { owner, visit });
  }

  async function revealed(claim: Claim, urlToken: string, { owner, visit }: Asking): Promise<Revealed> {
    switch (claim.outcome) {
      case 'unknown':
        return unknown(visit);
      case 'repeated':
        throw new DomainError('conflict', 'That view was already given.');
      case 'locked':
        await recordWrongPassphrase(claim.row, visit);
        throw wrongPassphrase();
      case 'expired':
        await audit.recordBounded(claim.row.id, 'failed_view', visit);
        return { push: present(claim.row, urlToken, owner), payload: null };
      case 'claimed':
        return { push: present(claim.row, urlToken, owner, claim.files), payload: claim.payload };
      case 'files':
        throw new Error('a claim that saw the files asks for them again');
    }
  }

  /** The hash that a passphrase fits, or null where none is asked for. bcrypt is slow, so this runs before any row is locked. */
  async function verifiedPassphrase(
    urlToken: string,
    passphrase: string,
    visit: Visit,
  ): Promise<string | null> {
    const row = await requireRow(urlToken, visit);
    const { id, passphraseHash } = row;
    if (passphraseHash === null || isExpired(row)) return null;
    const guess = await limits.guess(id, visit.ip, () => passwords.verify(passphrase, passphraseHash));
    if (guess.outcome === 'right') return passphraseHash;
    await recordWrongPassphrase(row, visit, { locked: guess.outcome === 'locked' });
    throw wrongPassphrase(guess.triesLeft);
  }

  async function recordWrongPassphrase(row: PushRow, visit: Visit, { locked = false } = {}): Promise<void> {
    if (!(await audit.hasRoomFor(row.id, 'failed_passphrase'))) return;
    const isTold = await unitOfWork(async (transaction) => {
      await audit.record(row.id, 'failed_passphrase', visit, transaction);
      const told = await outbox.write('failed_passphrase', row, row.viewsUsed, transaction);
      return locked ? outbox.write('locked', row, row.viewsUsed, transaction) : told;
    });
    if (isTold) outbox.announce();
  }

  /** Looks at a push without spending a view or leaving a trace. */
  async function peek(urlToken: string, { owner, visit }: Asking): Promise<Push> {
    return present(await requireRow(urlToken, visit), urlToken, owner);
  }

  /** As peek, for the push's owner, and with its files: what belongs to somebody else is as unknown as what never was. */
  async function peekOwn(urlToken: string, { owner, visit }: Asking): Promise<Push> {
    const row = await requireRow(urlToken, visit);
    if (!isOwner(owner, row)) return unknown(visit);
    const { id, fileCount } = row;
    const files = fileCount > 0 && !isExpired(row) ? await attached.ofPushes([{ id, urlToken }]) : new Map();
    return present(row, urlToken, owner, files.get(id.toString('hex')));
  }

  /** Expires a push now, once: a second call changes nothing. Only for its owner, or anybody when it is deletable by viewers. */
  async function expire(urlToken: string, { owner, visit }: Asking): Promise<Push> {
    const seen = await requireRow(urlToken, visit);
    if (!isOwner(owner, seen) && !seen.deletableByViewer) {
      throw new DomainError(
        owner === null ? 'unauthenticated' : 'forbidden',
        'That push is not deletable by viewers.',
      );
    }
    const { id } = seen;
    const isTold = await unitOfWork(async (transaction) => {
      // the clock of a statement stands at its start, so a wait for the lock must not be part of the one that dates
      await rows(`SELECT id FROM pushes WHERE id = $id ${dialect.forUpdate}`, { id }, { transaction });
      const expired = await change(
        `UPDATE pushes SET deleted = TRUE, ${erasure(dialect, settings)}
         WHERE id = $id AND expired_on IS NULL AND expires_at > ${dialect.now}`,
        { id },
        { transaction },
      );
      if (seen.fileCount > 0) await grants.revoke(id, transaction);
      if (expired === 0) return false;
      await audit.record(id, 'expire', visit, transaction);
      const event = isOwner(owner, seen) ? 'burned' : 'deleted';
      return outbox.write(event, seen, seen.viewsUsed, transaction);
    });
    if (isTold) outbox.announce();
    return present(await requireRow(urlToken, visit), urlToken, owner);
  }

  /** The url token of a push that an account owns, by its id. Refuses every other with `not_found`. */
  async function tokenOf({ id: accountId }: Owner, id: string): Promise<string> {
    const [row] = /^[0-9a-f]{32}$/.test(id)
      ? await rows<PushRow>(`SELECT ${columns} FROM pushes WHERE id = $id AND account_id = $accountId`, {
          id: Buffer.from(id, 'hex'),
          accountId,
        })
      : [];
    if (row === undefined) throw notFound();
    return ownedToken(row);
  }

  /** Hands a live push of an account to more people. */
  async function share(owner: Owner, id: string, recipients: Recipient[]): Promise<void> {
    const urlToken = await tokenOf(owner, id);
    await unitOfWork(async (transaction) => {
      const [row] = await rows<PushRow>(
        `SELECT ${columns} FROM pushes WHERE token_digest = $digest ${dialect.forUpdate}`,
        { digest: urlTokenDigest(keyring, urlToken) },
        { transaction },
      );
      if (row === undefined || isExpired(row)) throw notFound();
      await outbox.send('shared', row.id, recipients, transaction);
    });
    outbox.announce();
  }

  /**
   * Undoes the making of a push that its maker was not told of: nothing of it stays, and nobody hears of it. `alongside`
   * undoes, in the same transaction, what else was done with it.
   */
  async function withdraw(
    { id: accountId }: Owner,
    id: string,
    alongside: (transaction: Transaction) => Promise<void> = async () => {},
  ): Promise<void> {
    const binds = { id: Buffer.from(id, 'hex'), accountId };
    await unitOfWork(async (transaction) => {
      const gone = await change('DELETE FROM pushes WHERE id = $id AND account_id = $accountId', binds, {
        transaction,
      });
      if (gone === 0) return;
      for (const table of ['notices', 'audit_rows'])
        await change(`DELETE FROM ${table} WHERE push_id = $id`, { id: binds.id }, { transaction });
      await change('UPDATE files SET shred_at = 0 WHERE push_id = $id', { id: binds.id }, { transaction });
      await alongside(transaction);
    });
  }

  /** Gives a live push of the caller's a day more, or as much again as it had; refuses all others with `forbidden`. */
  async function extend(urlToken: string, { owner, visit }: Asking): Promise<Push> {
    await giveTime.extend(await requireOwned(urlToken, { owner, visit }), visit);
    return present(await requireRow(urlToken, visit), urlToken, owner);
  }

  /** Lets a push of the caller's end so many `minutes` from now instead, which is later; refuses all others with `forbidden`. */
  async function endLater(urlToken: string, input: unknown, { owner, visit }: Asking): Promise<Push> {
    await giveTime.endLater(await requireOwned(urlToken, { owner, visit }), input, visit);
    return present(await requireRow(urlToken, visit), urlToken, owner);
  }

  /** Whether whoever has a link that is over may ask its sender for a new one; machines that only look at it may not. */
  async function canAskAgain(urlToken: string, { isPreviewer }: Visit): Promise<boolean> {
    return isUrlToken(urlToken) && !isPreviewer && again.canAsk(urlToken);
  }

  /**
   * Asks the sender of a push that is over for a new one; after the first time it changes nothing. Refuses with `not_found`
   * where nobody may ask, and with `too_many` who asks for too much.
   */
  async function askAgain(urlToken: string, visit: Visit): Promise<void> {
    await limits.consume('askAgain', visit);
    await requireRow(urlToken, visit);
    if (!(await again.ask(urlToken, visit))) throw notFound();
  }

  /** One page of 50 of an account's pushes, the newest first; the first page is 1. */
  async function list(owner: Owner, state: PushState, page: number): Promise<Push[]> {
    return slice(owner, state, { from: (page - 1) * listPageSize, count: listPageSize });
  }

  async function slice(owner: Owner, state: PushState, { from, count }: { from: number; count: number }) {
    const isActive = `expired_on IS NULL AND expires_at > ${dialect.now}`;
    const found = await rows<PushRow>(
      `SELECT ${columns} FROM pushes WHERE account_id = $accountId AND ${state === 'active' ? isActive : `NOT (${isActive})`}
       ORDER BY created_at DESC, id DESC LIMIT ${count} OFFSET ${from}`,
      { accountId: owner.id },
    );
    const listed = found.map((row) => ({ ...withBooleans(row), urlToken: ownedToken(row) }));
    const files = await attached.ofPushes(listed.filter((row) => row.fileCount > 0 && !isExpired(row)));
    return listed.map(({ urlToken, ...row }) =>
      present(row, urlToken, owner, files.get(row.id.toString('hex'))),
    );
  }

  /**
   * As list, of those of the newest 5,000 whose name, note or link has the words in it. The database cannot look for
   * them, since it holds no name that it could read.
   */
  async function search(owner: Owner, state: PushState, words: string, page: number): Promise<Push[]> {
    const wanted = words.normalize('NFC').toLowerCase();
    const matches: Push[] = [];
    for (let from = 0; from < searchedMost && matches.length < page * listPageSize; from += searchedAtOnce) {
      const found = await slice(owner, state, { from, count: searchedAtOnce });
      matches.push(...found.filter((push) => saysOf(push).includes(wanted)));
      if (found.length < searchedAtOnce) break;
    }
    return matches.slice((page - 1) * listPageSize, page * listPageSize);
  }

  /** One page of 50 of a push's log, the oldest first. Refuses everybody but its owner with `forbidden`. */
  async function auditLog(
    urlToken: string,
    page: number,
    asking: Asking & { owner: Owner },
  ): Promise<AuditRow[]> {
    return audit.page((await requireOwned(urlToken, asking)).id, page);
  }

  /** The newest rows of a push's log, and how many there are before them. Refuses like `auditLog`. */
  async function newestOfLog(urlToken: string, count: number, asking: Asking & { owner: Owner }) {
    return audit.newest((await requireOwned(urlToken, asking)).id, count);
  }

  async function requireOwned(urlToken: string, { owner, visit }: Asking): Promise<PushRow> {
    const row = await requireRow(urlToken, visit);
    if (!isOwner(owner, row)) throw new DomainError('forbidden', "That push doesn't belong to you.");
    return row;
  }

  async function requireRow(urlToken: string, visit: Visit): Promise<PushRow> {
    requireToken(urlToken);
    const [row] = await rows<PushRow>(`SELECT ${columns} FROM pushes WHERE token_digest = $digest`, {
      digest: urlTokenDigest(keyring, urlToken),
    });
    return row === undefined ? unknown(visit) : withBooleans(row);
  }

  async function unknown({ ip }: Visit): Promise<never> {
    await limits.countUnknownToken(ip);
    throw notFound();
  }

  function present(row: PushRow, urlToken: string, owner: Owner | null, files: PushFile[] = []): Push {
    const { id, accountId, passphraseHash, tokenSealed, fileCount, notify, name, note, ...push } = row;
    const label = (field: 'name' | 'note', record: Buffer | null) =>
      record === null || !isOwner(owner, row)
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
  function refuseFiles(owner: Owner | null, problem: string): never {
    requireOpenTo(owner, fileSettings);
    throw refusal(problem);
  }

  /** Forgets nonces that nobody can use any more. */
  const purgeNonces = (isStopping?: () => boolean) =>
    database.deleteInBatches('spent_nonces', 'expires_at', dialect.now, isStopping);

  return {
    create,
    receive,
    reveal,
    peek,
    peekOwn,
    expire,
    extend,
    endLater,
    canAskAgain,
    askAgain,
    share,
    withdraw,
    tokenOf,
    list,
    search,
    auditLog,
    newestOfLog,
    purgeNonces,
    schema,
    settings,
  };
}

/** What a partial choice does say. */
function said(
  choice: { [Name in keyof NoticeChoice]?: NoticeChoice[Name] | undefined },
): Partial<NoticeChoice> {
  return Object.fromEntries(Object.entries(choice).filter(([, value]) => value !== undefined));
}

/** What a push can be found by. */
function saysOf({ name, note, urlToken }: Push): string {
  return [name, note, urlToken].join('\n').normalize('NFC').toLowerCase();
}

function requireToken(urlToken: string): void {
  if (!isUrlToken(urlToken)) throw notFound();
}

function isOwner(owner: Owner | null, { accountId }: PushRow): boolean {
  return owner !== null && accountId !== null && owner.id.equals(accountId);
}

function notFound(): DomainError {
  return new DomainError('not_found', 'There is no such push.');
}

function wrongPassphrase(triesLeft?: number): DomainError {
  return new DomainError('unauthenticated', 'That passphrase is incorrect.', {
    fields: { passphrase: ['is incorrect'] },
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

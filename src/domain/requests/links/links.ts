import { newId, toId } from '../../../crypto/ids.ts';
import { urlTokenDigest } from '../../../crypto/pepper.ts';
import { newUrlToken } from '../../../crypto/tokens.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { dayMs, minuteMs } from '../../../time.ts';
import { serializeAccount } from '../../accounts/index.ts';
import { parseInput } from '../../base/index.ts';
import { canAttachFiles, requireFileAccess } from '../../files/index.ts';
import { type Account, type AccountCaller, type ListCaller, seesLinks, textFor } from '../../people/index.ts';
import { createAnswering } from './answer.ts';
import { createAnsweredReader, createAnswerReader, type RequestAnswer } from './answers.ts';
import {
  createLinkReader,
  isOpenLink,
  linkNotFound,
  type RequestLink,
  type RequestLinkDependencies,
  sealLinkLabel,
  toRequestLink,
} from './link.ts';
import { createRequestLinkMails } from './mails.ts';
import { buildRequestLinkSchema } from './schema.ts';

/** How many links of an account may be open at once, and how many are listed. */
const openLinksMax = 100;

export type RequestLinks = ReturnType<typeof createRequestLinks>;

/** Links by which anybody, without an account, answers an account with a secret. Owns the tables request_links and request_answers. */
export function createRequestLinks(dependencies: RequestLinkDependencies) {
  const { database, keyring, passphrases, limits } = dependencies;
  const { pushes: settings, files: fileSettings } = dependencies.settings;
  const { execute, transaction, deleteInBatches, dialect } = database;
  const schema = buildRequestLinkSchema(settings, fileSettings);
  const read = createLinkReader(database);
  const readAnswers = createAnswerReader(dependencies);
  const isOpen = isOpenLink(dialect.now);
  const mails = createRequestLinkMails(dependencies);

  /**
   * Creates a link, and mails it to the addresses of the input, in the language of the account or else in `locale`. Throws
   * `invalid`, and `too_many` for an account with too many open ones.
   */
  async function create(
    caller: AccountCaller,
    input: unknown,
    { locale = null }: { locale?: string | null } = {},
  ): Promise<RequestLink> {
    const { account } = caller;
    await limits.consume('accountCreate', { account: account.id });
    const { title, note, passphrase, publicKeys, wrappedKey, ...parsed } = parseInput(schema, input);
    if (publicKeys !== null && !settings.allowEncrypted)
      throw new DomainError('forbidden', 'encryptionDisabled');
    const accepts = parsed.accepts ?? (canAttachFiles(account, fileSettings) ? 'both' : 'text');
    if (accepts !== 'text') requireFileAccess(account, fileSettings);
    const to = await mails.admit(account, input, parsed);
    const [id, urlToken] = [newId(), newUrlToken()];
    const lifetimeMs = parsed.expireAfterMinutes * minuteMs;
    const answerLifetimeMs = parsed.answersExpireAfterDays * dayMs;
    const passphraseHash = passphrase && (await passphrases.hash(passphrase.trim(), caller));
    const label = { urlToken, title, note, publicKeys, wrappedKey: publicKeys && wrappedKey };
    await transaction(async (tx) => {
      await requirePlaceFor(account, tx);
      await tx.execute(
        `INSERT INTO request_links (id, token_digest, account_id, label, passphrase_hash, accepts, bytes_max, allows_name,
         answers_max, answer_lifetime_ms, created_at, expires_at, purge_at)
       VALUES ($id, $tokenDigest, $accountId, $label, $passphraseHash, $accepts, $bytesMax, $allowsName,
         $answersMax, $answerLifetimeMs, ${dialect.now}, ${dialect.now} + $lifetimeMs, ${dialect.now} + $purgeMs)`,
        {
          id,
          tokenDigest: urlTokenDigest(keyring, urlToken),
          accountId: account.id,
          label: sealLinkLabel(keyring, { id, accountId: account.id }, label),
          passphraseHash,
          accepts,
          bytesMax: parsed.filesBytesMax ?? null,
          allowsName: parsed.allowName ? 1 : 0,
          answersMax: parsed.answers ?? Math.max(1, to.length),
          answerLifetimeMs,
          lifetimeMs,
          purgeMs: lifetimeMs + answerLifetimeMs + settings.retentionMs,
        },
      );
      await mails.send({ id, accountId: account.id }, { to, locale }, tx);
    });
    return find({ account }, id.toString('hex'));
  }

  async function requirePlaceFor({ id: accountId }: Account, tx: Tx): Promise<void> {
    await serializeAccount(database, accountId, tx);
    const sql = `SELECT COUNT(*) AS open FROM request_links WHERE account_id = $accountId AND ${isOpen}`;
    const [row] = await tx.select<{ open: number }>(sql, { accountId });
    if (Number(row?.open) >= openLinksMax) throw new DomainError('too_many', 'tooManyOpenRequests');
  }

  /** The links of an account, the newest first: all that are open, and as many of the others as fit. */
  async function list(caller: ListCaller): Promise<RequestLink[]> {
    const condition = `account_id = $accountId
      ORDER BY CASE WHEN ${isOpen} THEN 0 ELSE 1 END, created_at DESC, id DESC LIMIT ${openLinksMax}`;
    const found = await read(condition, { accountId: caller.account.id });
    return found
      .map((row) => present(caller, toRequestLink(keyring, row)))
      .sort((one, other) => other.createdAt - one.createdAt);
  }

  /** Throws `not_found` for a link of another account. */
  async function find(caller: ListCaller, id: string): Promise<RequestLink> {
    const binds = { id: toId(id), accountId: caller.account.id };
    const [row] = await read('id = $id AND account_id = $accountId', binds);
    if (row === undefined) throw linkNotFound();
    return present(caller, toRequestLink(keyring, row));
  }

  /** A link, what became of the mails with it, and its answers, the first first. Throws like `find`. */
  const findWithAnswers = async (caller: ListCaller, id: string) => ({
    link: await find(caller, id),
    mailed: await mails.mailedTo(caller, id),
    answers: await readAnswers(caller, id),
  });

  /** The answers to a link, the first first. Throws like `find`. */
  const listAnswers = async (caller: ListCaller, id: string): Promise<RequestAnswer[]> =>
    (await findWithAnswers(caller, id)).answers;

  /** Ends a link at once. What was sent stays. Throws `not_found` unless it is open. */
  async function close({ id: accountId }: Account, id: string): Promise<void> {
    const closed = await execute(
      `UPDATE request_links SET closed_at = ${dialect.now},
         purge_at = ${dialect.now} + answer_lifetime_ms + $retentionMs
       WHERE id = $id AND account_id = $accountId AND ${isOpen}`,
      { id: toId(id), accountId, retentionMs: settings.retentionMs },
    );
    if (closed !== 1) throw linkNotFound();
  }

  /** Deletes links that ended so long ago that their last answer is gone, too. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('request_links', 'purge_at', dialect.now, isStopping);

  return {
    ...{ schema, create, list, find, findWithAnswers, listAnswers, close, purge },
    mailedTo: mails.mailedTo,
    sendAgain: mails.sendAgain,
    maybeMailed: mails.maybeMailed,
    maybeAnsweredId: createAnsweredReader(database),
    ...createAnswering(dependencies),
  };
}

/** A link as a caller may see it. Who has its token answers as a stranger. */
const present = (caller: ListCaller, link: RequestLink): RequestLink =>
  seesLinks(caller)
    ? link
    : {
        ...link,
        ...{ urlToken: null, wrappedKey: null },
        ...{ title: textFor(caller, link.title), note: textFor(caller, link.note) },
      };

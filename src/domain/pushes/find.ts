import { toId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { sha256Digest } from '../../crypto/pepper.ts';
import { isSha256, urlTokenSha256 } from '../../crypto/tokens.ts';
import { createBatches } from '../../database/batches.ts';
import { type Database, inList } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import type { PushSettings } from '../base/index.ts';
import type { ListedFiles } from '../files/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Account, Caller, ClientInfo } from '../people/index.ts';
import { createPushLabelReader, openPushLabel, type PushLabel } from './label.ts';
import {
  isOwner,
  type ListedPush,
  type Push,
  type PushRecipient,
  pushNotFound,
  requireUrlTokenFormat,
  toPush,
  type UrlTokenField,
} from './push.ts';
import { type FoundRow, type LinkedRow, linkColumns, toLinkedRow } from './recipientLink.ts';
import { type PushRow, pushColumns, toPushRow } from './tables.ts';

type Dependencies = { database: Database; keyring: Keyring; limits: Limits; settings: PushSettings };

/** What is read besides the row of a push. */
type PresentOptions = {
  files?: ListedFiles | undefined;
  recipients?: PushRecipient[] | undefined;
};

/** The label of a push, for callers who may not open it. */
const noLabel = { urlToken: null, urlTokenSha256: null, name: null, note: null };

export type PushFinder = ReturnType<typeof createPushFinder>;

/** Finds pushes for callers. Each read decides expiry by the database's clock and depends on no job. */
export function createPushFinder({ database: { select, dialect }, keyring, limits, settings }: Dependencies) {
  const longestMs = settings.bounds.expireAfterDays.max * dayMs;
  const columns = pushColumns(dialect.now);
  const links = createBatches({ run: findLinks }, { running: dialect.parallelBatches });

  /**
   * The push of a link, whether its own or a recipient's. Throws `not_found` if there is no such link, and counts that as
   * a guess.
   */
  async function requireRow(urlToken: string, client: ClientInfo): Promise<LinkedRow> {
    requireUrlTokenFormat(urlToken);
    return (await maybeRow(urlToken)) ?? refuseUnknown(client);
  }

  async function maybeRow(urlToken: string): Promise<LinkedRow | undefined> {
    const sha256 = urlTokenSha256(urlToken);
    const found = await links.submit(sha256Digest(keyring, sha256));
    return found && toLinkedRow(toPushRow(found), sha256);
  }

  /** Looks links up that are opened together: among the pushes' own, and only for the rest among those of recipients. */
  async function findLinks(digests: Buffer[]): Promise<(FoundRow | undefined)[]> {
    const found = new Map<string, FoundRow>();
    const keyOf = (digest: Buffer) => digest.toString('hex');
    const find = async (sql: string) => {
      const missing = digests.filter((digest) => !found.has(keyOf(digest)));
      if (missing.length === 0) return;
      const { names, binds } = inList(missing);
      const rows = await select<FoundRow & { digest: Buffer }>(`${sql} IN (${names})`, binds);
      for (const row of rows) found.set(keyOf(row.digest), row);
    };
    await find(`SELECT ${columns}, token_digest AS digest FROM pushes WHERE token_digest`);
    await find(`SELECT ${columns}, r.token_digest AS digest, ${linkColumns}
       FROM push_recipients r JOIN pushes ON pushes.id = r.push_id WHERE r.token_digest`);
    return digests.map((digest) => found.get(keyOf(digest)));
  }

  /** The anonymous push with this id. */
  async function maybeAnonymous(id: Buffer): Promise<PushRow | undefined> {
    const sql = `SELECT ${columns} FROM pushes WHERE id = $id AND account_id IS NULL`;
    const [found] = await select<PushRow>(sql, { id });
    return found && toPushRow(found);
  }

  /** Throws `forbidden` for everybody but the owner. */
  async function requireOwned(urlToken: string, { account, client }: Caller): Promise<PushRow> {
    const row = await requireRow(urlToken, client);
    if (!isOwner(account, row)) throw new DomainError('forbidden', 'notOwner');
    return row;
  }

  /**
   * Returns the url token that a caller names a push by: itself, or for one of their own its SHA-256. Throws `not_found` for
   * those of others.
   */
  async function resolveName(name: string, { account }: Pick<Caller, 'account'>): Promise<string> {
    if (!isSha256(name)) return name;
    if (account === null) throw pushNotFound();
    const [row] = await select<Pick<PushRow, 'id' | 'label'>>(
      'SELECT id, label FROM pushes WHERE token_digest = $digest AND account_id = $accountId',
      { digest: sha256Digest(keyring, name), accountId: account.id },
    );
    if (row === undefined) throw pushNotFound();
    return openPushLabel(keyring, row).urlToken;
  }

  /** Whether the API token of a caller has created a push. It is known of those whose scope is `create`. */
  const isCreatedBy = (row: PushRow, { account, token }: Caller): boolean =>
    isOwner(account, row) && openPushLabel(keyring, row).tokenId === token?.id.toString('hex');

  /** Returns the url token of an account's push, by its id. Throws `not_found` for pushes of others. */
  async function requireUrlToken({ id: accountId }: Account, id: string): Promise<string> {
    const sql = `SELECT ${columns} FROM pushes WHERE id = $id AND account_id = $accountId`;
    const [row] = await select<PushRow>(sql, { id: toId(id), accountId });
    if (row === undefined) throw pushNotFound();
    return openPushLabel(keyring, row).urlToken;
  }

  async function refuseUnknown(client: ClientInfo): Promise<never> {
    await limits.countUnknownToken(client);
    throw pushNotFound();
  }

  /** A push as an account may see it. Only the owner sees its name and note. */
  function present(
    row: LinkedRow,
    urlToken: string,
    account: Account | null,
    options?: PresentOptions,
  ): Push {
    const label = isOwner(account, row) ? createLabelReader()(row) : null;
    const { name, note } = label ?? noLabel;
    const push = presentLabeled(row, { urlToken, urlTokenSha256: row.urlTokenSha256, name, note }, options);
    return label === undefined ? { ...push, isUnreadable: true } : push;
  }

  /** A push with what its reader may see of its label. */
  function presentLabeled<UrlToken extends string | null>(
    row: PushRow & Partial<Pick<LinkedRow, 'recipient'>>,
    label: Record<UrlTokenField, UrlToken> & Pick<PushLabel, 'name' | 'note'>,
    { files = [], recipients = [] }: PresentOptions = {},
  ): ListedPush & Record<UrlTokenField, UrlToken> {
    const isUnreadable = files === 'unreadable';
    const needsCode = row.recipient?.needsCode ?? false;
    return toPush(row, {
      files: isUnreadable ? [] : files,
      recipients,
      isUnreadable,
      needsCode,
      longestMs,
      ...label,
    });
  }

  /** A push as its row alone shows it, for callers who may not open its label. */
  const presentRow = (row: PushRow): ListedPush => presentLabeled(row, noLabel);

  /** The same for its owner. */
  const presentUnreadable = (row: PushRow): ListedPush => ({ ...presentRow(row), isUnreadable: true });

  /** Opens the labels of an account's pushes; undefined for those that cannot be decrypted or are no candidates. */
  const createLabelReader = (isCandidate?: (json: string) => boolean) =>
    createPushLabelReader(keyring, isCandidate);

  return {
    requireRow,
    maybeRow,
    maybeAnonymous,
    requireOwned,
    requireUrlToken,
    resolveName,
    isCreatedBy,
    createLabelReader,
    refuseUnknown,
    present,
    presentLabeled,
    presentRow,
    presentUnreadable,
  };
}

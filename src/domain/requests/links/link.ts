import { maybeOpenLabel, sealWithSalt } from '../../../crypto/cipher.ts';
import type { Keyring } from '../../../crypto/keyring.ts';
import type { Database } from '../../../database/database.ts';
import { columnsOf, rowReader } from '../../../database/table.ts';
import { DomainError } from '../../../errors.ts';
import type { DomainSettings } from '../../base/index.ts';
import type { Limits, PasswordHasher } from '../../limits/index.ts';
import type { MailAddresses } from '../../mail/index.ts';
import type { Outbox } from '../../outbox/index.ts';
import type { Pushes } from '../../pushes/index.ts';
import { type AcceptedAnswers, type RequestLinkRow, requestLinksTable } from '../tables.ts';

/** What request links are created with. */
export type RequestLinkDependencies = {
  database: Database;
  keyring: Keyring;
  passphrases: PasswordHasher;
  limits: Limits;
  outbox: Outbox;
  mailAddresses: Pick<MailAddresses, 'save'>;
  pushes: Pick<Pushes, 'beginAdmitted' | 'admitMails'>;
  settings: Pick<DomainSettings, 'pushes' | 'files'>;
};

/** `answered`: every place is taken. `closed` is an end by hand, `expired` one by time. */
export type RequestLinkState = 'open' | 'answered' | 'closed' | 'expired';

/** A link by which anybody answers an account with a secret, as its owner sees it. Times are epoch milliseconds. */
export type RequestLink = {
  id: string;
  /** Null for a caller who may not see links, and while the label cannot be decrypted. */
  urlToken: string | null;
  title: string | null;
  note: string | null;
  /** Whether the label cannot be decrypted, because its key is missing. */
  isUnreadable: boolean;
  accepts: AcceptedAnswers;
  /** Of all files of an answer together; null if only the operator's limits apply. */
  bytesMax: number | null;
  allowsName: boolean;
  hasPassphrase: boolean;
  answersMax: number;
  answersUsed: number;
  answerLifetimeMs: number;
  state: RequestLinkState;
  createdAt: number;
  expiresAt: number;
  /** What answers are sealed to; null if the server encrypts them. */
  publicKeys: string | null;
  /** What opens the answers, encrypted under a passphrase or a passkey, of which the server has neither; null if it is in a link. */
  wrappedKey: string | null;
};

/** A row, with the database's clock at the time of reading. */
export type FoundLink = RequestLinkRow & { now: number };

type LinkLabel = { urlToken: string; title: string; note: string | null } & Pick<
  RequestLink,
  'publicKeys' | 'wrappedKey'
>;

const toRow = rowReader(requestLinksTable);

/** Reads the links that a condition selects, from the table request_links. */
export const createLinkReader =
  ({ select, dialect }: Pick<Database, 'select' | 'dialect'>) =>
  async (condition: string, binds: Record<string, Buffer | number>): Promise<FoundLink[]> => {
    const columns = `${columnsOf(requestLinksTable)}, ${dialect.now} AS now`;
    const found = await select<FoundLink>(`SELECT ${columns} FROM request_links WHERE ${condition}`, binds);
    return found.map(toRow);
  };

/** Encrypts the label of a link, with a key that the labels of its account share (decision 0040). Throws like `seal`. */
export const sealLinkLabel = (
  keyring: Keyring,
  { id, accountId }: Pick<RequestLinkRow, 'id' | 'accountId'>,
  { urlToken, title, note, publicKeys, wrappedKey }: LinkLabel,
): Buffer => {
  const json = JSON.stringify([urlToken, title, note, publicKeys, wrappedKey]);
  return sealWithSalt(keyring, json, { id, field: 'request_link' }, accountId);
};

/** A link as its owner sees it. */
export function toRequestLink(keyring: Keyring, row: FoundLink): RequestLink {
  const { id, label, passphraseHash, accepts, bytesMax, allowsName, answersMax, answersUsed } = row;
  const { answerLifetimeMs, createdAt, expiresAt } = row;
  const json = maybeOpenLabel(keyring, label, { id, field: 'request_link' });
  const [urlToken = null, title = null, note = null, publicKeys = null, wrappedKey = null] =
    json === undefined ? [] : (JSON.parse(json) as (string | null)[]);
  return {
    ...{ id: id.toString('hex'), urlToken, title, note, isUnreadable: json === undefined },
    ...{ publicKeys, wrappedKey },
    ...{ accepts, bytesMax, allowsName, hasPassphrase: passphraseHash !== null },
    ...{ answersMax, answersUsed, answerLifetimeMs, state: stateOf(row), createdAt, expiresAt },
  };
}

/** The SQL condition for links that take answers, as `stateOf` says it. */
export const isOpenLink = (now: string): string =>
  `closed_at IS NULL AND answers_used < answers_max AND expires_at > ${now}`;

/** By the database's clock. */
export function stateOf({
  closedAt,
  answersUsed,
  answersMax,
  expiresAt,
  now,
}: Pick<FoundLink, 'closedAt' | 'answersUsed' | 'answersMax' | 'expiresAt' | 'now'>): RequestLinkState {
  if (answersUsed >= answersMax) return 'answered';
  if (closedAt !== null) return 'closed';
  return expiresAt <= now ? 'expired' : 'open';
}

/** The same for every link that takes no answer: one that ended, and one that never was. */
export const linkNotFound = (): DomainError => new DomainError('not_found', 'requestEnded');

import { literal, Op } from 'sequelize';
import { newId } from '../../crypto/ids.ts';
import { digestOf, newSecret } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs, minuteMs } from '../../time.ts';
import type { OpenPlaces, Place } from '../base/index.ts';
import { type Account, type ClientInfo, clientColumns, isEnabled } from '../people/index.ts';
import { accountColumns, toAccount } from './account.ts';
import { type AccountRow, sessionsTable, toAccountRow } from './tables.ts';

const idleMs = 2 * hourMs;
const lifetimeMaxMs = 12 * hourMs;
/** How old `seen_at` may get, so that not every page writes. */
const lastSeenStaleMs = minuteMs;

/** The signed-in account, what its pages need to know of it, and the session. */
export type SignedIn = Account &
  Pick<AccountRow, 'isAdmin' | 'locale' | 'formDefaults'> & { sessionId: Buffer };

/** A signed-in browser as shown to its owner. `id` is hexadecimal, times are epoch milliseconds. */
export type SessionSummary = {
  id: string;
  ip: string;
  /** Where the address is now, if that is known. */
  place: Place | null;
  userAgent: string;
  createdAt: number;
  seenAt: number;
};

type SignedInRow = SignedIn & { seenAt: number; createdAt: number; now: number };

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of browsers. They last two hours after the last request, and twelve hours at most. The database stores
 * digests of their tokens.
 */
export function createSessions({ database, openPlaces }: { database: Database; openPlaces: OpenPlaces }) {
  const { select, dialect, deleteInBatches } = database;
  const SessionModel = database.model(sessionsTable);

  /** Creates a session and returns its token of 256 random bits, which cannot be read later. */
  const create = async (account: Pick<Account, 'id'>, client: ClientInfo): Promise<string> =>
    (await open(account, client, { now: await database.clock() })).token;

  /** As `create`, in a transaction if one is given; returns the session's id, too. */
  async function open(
    { id: accountId }: Pick<Account, 'id'>,
    client: ClientInfo,
    { now, tx }: { now: number; tx?: Tx },
  ): Promise<{ id: Buffer; token: string }> {
    const [id, token] = [newId(), newSecret()];
    const { ip, userAgent } = clientColumns(client);
    const times = { createdAt: now, seenAt: now, expiresAt: now + idleMs };
    const row = { id, accountId, digest: digestOf(token), ip, userAgent, ...times };
    await (tx === undefined ? SessionModel.create(row) : tx.model(sessionsTable).create(row));
    return { id, token };
  }

  /** Returns who holds a token. Null if the token is unknown or expired, or the account is disabled. */
  async function authenticate(token: string): Promise<SignedIn | null> {
    const [found] = await select<SignedInRow>(
      `SELECT ${accountColumns}, a.is_admin AS isAdmin, a.locale, a.form_defaults AS formDefaults, s.id AS sessionId,
              s.seen_at AS seenAt, s.created_at AS createdAt, ${dialect.now} AS now
       FROM sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.digest = $digest AND s.expires_at > ${dialect.now} AND ${isEnabled}`,
      { digest: digestOf(token) },
    );
    if (found === undefined) return null;
    const { seenAt, createdAt, now, isAdmin, locale, formDefaults, sessionId } = found;
    if (now - seenAt > lastSeenStaleMs) await touch(sessionId, now, createdAt);
    return toAccountRow({ ...toAccount(found), isAdmin, locale, formDefaults, sessionId });
  }

  const touch = (id: Buffer, now: number, createdAt: number) =>
    SessionModel.update(
      { seenAt: now, expiresAt: Math.min(now + idleMs, createdAt + lifetimeMaxMs) },
      { where: { id } },
    );

  /** An account's sessions, the last seen first. */
  async function list({ id: accountId }: Account): Promise<SessionSummary[]> {
    const found = await SessionModel.findAll({
      where: { accountId, expiresAt: { [Op.gt]: literal(dialect.now) } },
      order: [['seenAt', 'DESC'], 'id'],
    });
    const placeOf = await openPlaces();
    return found.map(({ id, ip, userAgent, createdAt, seenAt }) => ({
      id: id.toString('hex'),
      ip,
      place: placeOf(ip),
      userAgent,
      createdAt,
      seenAt,
    }));
  }

  /** Signs one of an account's browsers out, immediately on every process. */
  async function revoke({ id: accountId }: Account, id: string): Promise<void> {
    const ended = await SessionModel.destroy({ where: { id: Buffer.from(id, 'hex'), accountId } });
    if (ended === 0) throw new DomainError('not_found', 'sessionNotFound');
  }

  /** Signs out the browser that holds a token, if any. */
  const revokeByToken = (token: string) => SessionModel.destroy({ where: { digest: digestOf(token) } });

  /**
   * Signs all of an account's browsers out but one, which gets a new token. Its session stays that of whoever began it, so that
   * it still ends with the session at an identity provider.
   */
  async function renew({ id: accountId, sessionId }: Pick<SignedIn, 'id' | 'sessionId'>): Promise<string> {
    const token = newSecret();
    await SessionModel.destroy({ where: { accountId, id: { [Op.ne]: sessionId } } });
    await SessionModel.update({ digest: digestOf(token) }, { where: { id: sessionId, accountId } });
    return token;
  }

  /** Signs all of an account's browsers out. */
  const revokeAll = ({ id: accountId }: Pick<Account, 'id'>) =>
    SessionModel.destroy({ where: { accountId } });

  /** Deletes expired sessions. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('sessions', 'expires_at', dialect.now, isStopping);

  return { create, open, authenticate, list, revoke, revokeByToken, renew, revokeAll, purge };
}

import { literal, Op } from 'sequelize';
import { newId } from '../../crypto/ids.ts';
import { digestOf, newSecret } from '../../crypto/tokens.ts';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { hourMs, minuteMs } from '../../time.ts';
import type { OpenPlaces, Place } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { type Account, type ClientInfo, clientColumns, isEnabled, shortName } from '../people/index.ts';
import { accountColumns, toAccount } from './account.ts';
import { type MayLackFactor, requireFactor } from './factors/required.ts';
import type { KnownBrowsers } from './knownBrowsers.ts';
import type { SecurityLog } from './security/log.ts';
import {
  decodeFactors,
  encodeFactors,
  type SignInFactor,
  type SignInMethod,
} from './security/signInMethod.ts';
import { type AccountRow, sessionsTable, toAccountRow } from './tables.ts';

const idleMs = 2 * hourMs;
const lifetimeMaxMs = 12 * hourMs;
/** How old `seen_at` may get, so that not every page writes. */
const lastSeenStaleMs = minuteMs;

/**
 * The signed-in account, what its pages need to know of it, and the session: when its owner last proved who they are, by the
 * database's clock, and with which factors. 0 and none if that is unknown.
 */
export type SignedIn = Account &
  Pick<AccountRow, 'isAdmin' | 'locale' | 'formDefaults'> & {
    sessionId: Buffer;
    authenticatedAt: number;
    factors: SignInFactor[];
  };

/** A signed-in browser as shown to its owner. `id` is hexadecimal, times are epoch milliseconds. */
export type SessionSummary = {
  id: string;
  /** Null for a session that began before ways were noted. */
  way: SignInMethod['way'] | null;
  /** The name of the provider, of the passkey, or of the chat. */
  wayName: string | null;
  ip: string;
  /** Where the address is now, if that is known. */
  place: Place | null;
  userAgent: string;
  createdAt: number;
  seenAt: number;
};

type SignedInRow = Omit<SignedIn, 'authenticatedAt' | 'factors'> &
  MayLackFactor & {
    authenticatedAt: number | null;
    factors: string | null;
    seenAt: number;
    createdAt: number;
    now: number;
  };

type Dependencies = {
  database: Database;
  outbox: Pick<Outbox, 'sendToAccount'>;
  knownBrowsers: KnownBrowsers;
  openPlaces: OpenPlaces;
  securityLog: Pick<SecurityLog, 'record'>;
  lacksFactor: string;
};

export type Sessions = ReturnType<typeof createSessions>;

/**
 * The sessions of browsers. They last two hours after the last request, and twelve hours at most. The database stores
 * digests of their tokens.
 */
export function createSessions(dependencies: Dependencies) {
  const { database, outbox, knownBrowsers, openPlaces, securityLog, lacksFactor } = dependencies;
  const { select, dialect, deleteInBatches, transaction } = database;
  const SessionModel = database.model(sessionsTable);

  /** Creates a session and returns its token of 256 random bits, which cannot be read later. */
  const create = async (
    account: Pick<Account, 'id'>,
    client: ClientInfo,
    method: SignInMethod,
  ): Promise<string> => {
    const now = await database.clock();
    return (await transaction((tx) => open(account, client, method, { now, tx }))).token;
  };

  /** As `create`, in a transaction; returns the session's id, too. */
  async function open(
    account: Pick<Account, 'id'>,
    client: ClientInfo,
    { way, name, factors, authenticatedAt }: SignInMethod,
    { now, tx }: { now: number; tx: Tx },
  ): Promise<{ id: Buffer; token: string }> {
    const [id, token] = [newId(), newSecret()];
    const { ip, userAgent } = clientColumns(client);
    await tx.model(sessionsTable).create({
      id,
      accountId: account.id,
      digest: digestOf(token),
      ip,
      userAgent,
      way,
      wayName: name === undefined ? null : shortName(name),
      factors: encodeFactors(factors),
      authenticatedAt: Math.min(authenticatedAt ?? now, now),
      createdAt: now,
      seenAt: now,
      expiresAt: now + idleMs,
    });
    const isNew = await knownBrowsers.isNew(account, client, tx);
    const detail = way === 'passkey' ? way : (name ?? way);
    const actId = await securityLog.record({ kind: 'signed_in', account, detail, client }, tx);
    if (isNew) await outbox.sendToAccount({ event: 'new_browser', actId, accountId: account.id }, tx);
    return { id, token };
  }

  /**
   * Returns who holds a token. Null if the token is unknown or expired, or the account is disabled. Throws `forbidden` for an account
   * that must set up its second factor first, except for what is needed for that.
   */
  async function authenticate(token: string, isSettingUp = false): Promise<SignedIn | null> {
    const [found] = await select<SignedInRow>(
      `SELECT ${accountColumns}, a.is_admin AS isAdmin, a.locale, a.form_defaults AS formDefaults, s.id AS sessionId,
              s.authenticated_at AS authenticatedAt, s.factors, s.seen_at AS seenAt, s.created_at AS createdAt, ${dialect.now} AS now${lacksFactor}
       FROM sessions s JOIN accounts a ON a.id = s.account_id
       WHERE s.digest = $digest AND s.expires_at > ${dialect.now} AND ${isEnabled}`,
      { digest: digestOf(token) },
    );
    if (found === undefined) return null;
    if (!isSettingUp) requireFactor(found);
    const { seenAt, createdAt, now, isAdmin, locale, formDefaults, sessionId } = found;
    if (now - seenAt > lastSeenStaleMs) await touch(sessionId, now, createdAt);
    const proof = { authenticatedAt: found.authenticatedAt ?? 0, factors: decodeFactors(found.factors) };
    return toAccountRow({ ...toAccount(found), isAdmin, locale, formDefaults, sessionId, ...proof });
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
    return found.map(({ id, way, wayName, ip, userAgent, createdAt, seenAt }) => ({
      id: id.toString('hex'),
      way,
      wayName,
      ip,
      place: placeOf(ip),
      userAgent,
      createdAt,
      seenAt,
    }));
  }

  /** Signs one of an account's browsers out, immediately on every process. */
  const revoke = (account: Account, id: string, client?: ClientInfo): Promise<void> =>
    transaction(async (tx) => {
      const sql = 'DELETE FROM sessions WHERE id = $id AND account_id = $accountId';
      if ((await tx.execute(sql, { id: Buffer.from(id, 'hex'), accountId: account.id })) === 0)
        throw new DomainError('not_found', 'sessionNotFound');
      await securityLog.record({ kind: 'session_ended', account, client }, tx);
    });

  /** Signs out the browser that holds a token, if any. */
  const revokeByToken = (token: string) => SessionModel.destroy({ where: { digest: digestOf(token) } });

  /** Signs out the browser that asks for it. */
  const signOut = (account: SignedIn, client: ClientInfo): Promise<void> =>
    transaction(async (tx) => {
      await tx.model(sessionsTable).destroy({ id: account.sessionId });
      await securityLog.record({ kind: 'signed_out', account, client }, tx);
    });

  /**
   * Signs all of an account's browsers out but one, which gets a new token. Its session stays that of whoever began it, so that
   * it still ends with the session at an identity provider.
   */
  async function renew(
    { id: accountId, sessionId }: Pick<SignedIn, 'id' | 'sessionId'>,
    tx: Tx,
  ): Promise<string> {
    const token = newSecret();
    await tx.execute('DELETE FROM sessions WHERE account_id = $accountId AND id <> $sessionId', {
      accountId,
      sessionId,
    });
    await tx.model(sessionsTable).update({ digest: digestOf(token) }, { id: sessionId, accountId });
    return token;
  }

  /** As `renew`, because the owner asks for it. */
  const endOthers = (account: SignedIn, client: ClientInfo): Promise<string> =>
    transaction(async (tx) => {
      await securityLog.record({ kind: 'sessions_ended', account, client }, tx);
      return renew(account, tx);
    });

  /** Deletes expired sessions. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('sessions', 'expires_at', dialect.now, isStopping);

  return { create, open, authenticate, list, revoke, revokeByToken, signOut, renew, endOthers, purge };
}

import { idOfName, newId } from '../../../crypto/ids.ts';
import type { Database, Tx } from '../../../database/database.ts';
import { dayMs, hourMs } from '../../../time.ts';
import { type OpenPlaces, pageSize } from '../../base/index.ts';
import { clientKey } from '../../limits/index.ts';
import type { Outbox } from '../../outbox/index.ts';
import { type Account, clientColumns, shortName } from '../../people/index.ts';
import type { AccountActs, ActKind, Actor } from '../acts.ts';
import {
  mailedKinds,
  type NewBrowser,
  type NewSecurityEvent,
  type SecurityEvent,
  type SecurityKind,
} from './events.ts';

/** How long events are kept. */
export const securityLogMs = 180 * dayMs;

type Dependencies = {
  database: Database;
  outbox: Pick<Outbox, 'sendSecurity'>;
  acts: AccountActs;
  openPlaces: OpenPlaces;
};

/** `account` is its address now. */
export type MailedSecurityEvent = Pick<SecurityEvent, 'detail' | 'ip' | 'userAgent' | 'createdAt'> & {
  kind: SecurityKind;
  account: string;
};

export type SecurityLog = ReturnType<typeof createSecurityLog>;

/**
 * What happened to the sign-in of each account. Each use case writes its own events, in its transaction; what admins and operators
 * do to accounts of others is read from their acts, where it is written.
 */
export function createSecurityLog({ database, outbox, acts, openPlaces }: Dependencies) {
  const { select, execute, deleteInBatches, dialect } = database;

  /**
   * Writes what an account does itself, in the transaction that does it, has it told by mail if that matters, and returns the id of
   * the entry.
   */
  async function record(event: NewSecurityEvent, tx: Tx): Promise<Buffer> {
    const binds = bindsOf(event);
    await tx.execute(
      `INSERT INTO security_events (id, account_id, kind, detail, ip, user_agent, times, created_at, last_at)
       VALUES ($id, $accountId, $kind, $detail, $ip, $userAgent, 1, ${dialect.now}, ${dialect.now})`,
      binds,
    );
    if (mailedKinds.includes(event.kind)) await outbox.sendSecurity(binds, tx);
    return binds.id;
  }

  /** Writes what an account does itself, or an admin or operator to it, who is recorded then as `acts.record` says. */
  async function recordBy(
    actor: Actor,
    event: NewSecurityEvent<SecurityKind & ActKind> & { account: Pick<Account, 'id' | 'email'> },
    tx: Tx,
  ): Promise<void> {
    if (actor !== 'operator' && actor.id.equals(event.account.id)) await record(event, tx);
    else await acts.record(event, actor, tx);
  }

  /**
   * Counts a wrong try, after the answer: whoever guesses must not see by its time whether there is an account. Does not fail; a
   * process that ends may lose one.
   */
  function count(event: NewSecurityEvent): void {
    merge(event).catch(() => {});
  }

  /** In one statement, so that tries at the same time are one entry. It writes nothing once the account is erased. */
  async function merge(event: NewSecurityEvent): Promise<void> {
    const binds = bindsOf(event);
    const hour = Math.floor(Date.now() / hourMs);
    const id = idOfName(
      `${event.kind} ${binds.detail} ${binds.accountId.toString('hex')} ${clientKey({ ip: binds.ip })} ${hour}`,
    );
    await execute(
      `INSERT INTO security_events (id, account_id, kind, detail, ip, user_agent, times, created_at, last_at)
       SELECT $id, id, $kind, $detail, $ip, $userAgent, 1, ${dialect.now}, ${dialect.now} FROM accounts WHERE id = $accountId
       ${dialect.onConflict('id', ['last_at'], 'times = security_events.times + 1')}`,
      { ...binds, id },
    );
  }

  /** An event that a notice tells of, with the address of its account. Undefined once either is erased. */
  async function maybeFind(id: Buffer): Promise<MailedSecurityEvent | undefined> {
    const [found] = await select<MailedSecurityEvent>(
      `SELECT e.kind, e.detail, e.ip, e.user_agent AS userAgent, e.created_at AS createdAt, a.email AS account
       FROM security_events e JOIN accounts a ON a.id = e.account_id WHERE e.id = $id`,
      { id },
    );
    return found;
  }

  /** A page of an account's events, the newest first, with what was done to it by others. */
  async function list({ id: accountId }: Pick<Account, 'id'>, page = 1): Promise<SecurityEvent[]> {
    const rows = await select<Omit<SecurityEvent, 'id' | 'place'> & { id: Buffer }>(
      `SELECT id, kind, detail, NULL AS actor, ip, user_agent AS userAgent, times, created_at AS createdAt, last_at AS lastAt
       FROM security_events WHERE account_id = $accountId AND last_at > ${dialect.now} - ${securityLogMs}
       UNION ALL
       SELECT id, kind, detail, COALESCE(actor, 'operator'), '', '', 1, created_at, created_at
       FROM account_acts WHERE account_id = $accountId AND created_at > ${dialect.now} - ${securityLogMs}
       ORDER BY lastAt DESC, id DESC LIMIT ${pageSize} OFFSET ${(page - 1) * pageSize}`,
      { accountId },
    );
    const placeOf = await openPlaces();
    return rows.map((row) => ({
      ...row,
      id: row.id.toString('hex'),
      place: row.ip === '' ? null : placeOf(row.ip),
      times: Number(row.times),
    }));
  }

  /** The sign-in that an account was told of; undefined once the account is erased. */
  async function maybeSignIn(id: Buffer): Promise<NewBrowser | undefined> {
    const found = await maybeFind(id);
    return found && { ...found, way: found.detail ?? '', place: (await openPlaces())(found.ip) };
  }

  /** Deletes events of long ago. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('security_events', 'last_at', `${dialect.now} - ${securityLogMs}`, isStopping);

  return { record, recordBy, count, maybeFind, list, maybeSignIn, purge };
}

const bindsOf = ({ kind, account, detail, client }: NewSecurityEvent) => ({
  id: newId(),
  accountId: account.id,
  kind,
  detail: detail === undefined ? null : shortName(detail),
  ...(client === undefined ? { ip: '', userAgent: '' } : pickClient(clientColumns(client))),
});

const pickClient = ({ ip, userAgent }: { ip: string; userAgent: string }) => ({ ip, userAgent });

import { maybeId, newId } from '../../crypto/ids.ts';
import type { Database, Statements, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import { type Observer, pageSize } from '../base/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { type Account, isEnabled } from '../people/index.ts';
import { normalizeEmail } from './accountSchema.ts';
import type { Holder, StepUp } from './factors/stepUp.ts';

/** An admin's or operator's changes to another person's account. */
export const actKinds = [
  'reset_link',
  'invitation',
  'password_set',
  'disabled',
  'enabled',
  'promoted',
  'demoted',
  'subscribed',
  'unsubscribed',
  'token_created',
  'token_replaced',
  'token_revoked',
  'factors_removed',
  'rule_created',
  'rule_removed',
  'provider_removed',
  'deleted',
] as const;
export type ActKind = (typeof actKinds)[number];

/** Who does it: an admin on the web, in a session, or an operator at the command line. */
export type Actor = (Holder & Pick<Account, 'email'>) | 'operator';

/**
 * `account` is its address, or its id once it is erased; `actor` an admin's address, or null for an operator; `detail` the
 * name of a token. Times are epoch milliseconds.
 */
export type AccountAct = {
  kind: ActKind;
  account: string;
  actor: string | null;
  detail: string | null;
  createdAt: number;
};

/** Longer than a year, so that a look at it once a year misses nothing. */
const retentionMs = 400 * dayMs;

type NewAct = { kind: ActKind; account: Pick<Account, 'id' | 'email'>; detail?: string | undefined };

export type AccountActs = ReturnType<typeof createAccountActs>;

/** Records what admins and operators change in other people's accounts, and notifies those accounts. */
export function createAccountActs(
  database: Database,
  { outbox, observer, stepUp }: { outbox: Outbox; observer: Observer; stepUp: StepUp },
) {
  const { select, execute, deleteInBatches, dialect } = database;
  const idText = 'LOWER(HEX(account_id))';
  const columns = 'kind, account, actor, detail, created_at AS createdAt';

  /** Throws `forbidden` for every account that is no admin now. Whoever has the command line manages all accounts. */
  async function requireManager(actor: Actor, statements: Statements = database): Promise<void> {
    if (actor === 'operator') return;
    const sql = `SELECT 1 FROM accounts a WHERE a.id = $id AND a.is_admin AND ${isEnabled}`;
    if ((await statements.select(sql, { id: actor.id })).length === 0)
      throw new DomainError('forbidden', 'mayNotManage');
  }

  /** As `requireManager`, for changes: the admin has signed in just now. */
  async function requireFreshManager(actor: Actor, statements: Statements = database): Promise<void> {
    await requireManager(actor, statements);
    if (actor !== 'operator') await stepUp.requireFresh(actor, statements);
  }

  /**
   * Writes an act in its transaction, with a notice to every address of the account, whatever it prefers. What an account
   * does to itself is none. Call it before the account is gone. Throws like `requireFreshManager`.
   */
  async function record({ kind, account, detail }: NewAct, actor: Actor, tx: Tx): Promise<void> {
    const admin = actor === 'operator' ? null : actor;
    if (admin?.id.equals(account.id)) return;
    await requireFreshManager(actor, tx);
    const id = newId();
    await tx.execute(
      `INSERT INTO account_acts (id, account_id, account, kind, detail, actor_id, actor, created_at)
       VALUES ($id, $accountId, $account, $kind, $detail, $actorId, $actor, ${dialect.now})`,
      {
        id,
        accountId: account.id,
        account: account.email,
        kind,
        detail: detail ?? null,
        actorId: admin?.id ?? null,
        actor: admin?.email ?? null,
      },
    );
    const isErased = kind === 'deleted';
    await outbox.sendToAccount({ event: 'account_act', actId: id, accountId: account.id, isErased }, tx);
    const entry = {
      act: kind,
      accountId: account.id.toString('hex'),
      by: admin?.id.toString('hex') ?? 'operator',
    };
    tx.afterCommit(() => observer.acted(entry));
  }

  async function maybeFind(id: Buffer): Promise<AccountAct | undefined> {
    const [found] = await select<AccountAct>(`SELECT ${columns} FROM account_acts WHERE id = $id`, { id });
    return found;
  }

  /** The newest acts on the account with an address, or on the erased one with an id, or on all. */
  async function list(account?: string): Promise<AccountAct[]> {
    const id = account === undefined ? undefined : maybeId(account);
    const condition =
      account === undefined
        ? 'TRUE'
        : `account_id = ${id ? '$id' : '(SELECT id FROM accounts WHERE email = $email)'}`;
    return select<AccountAct>(
      `SELECT ${columns} FROM account_acts WHERE ${condition} ORDER BY created_at DESC, id LIMIT ${pageSize}`,
      account === undefined ? {} : id ? { id } : { email: normalizeEmail(account) },
    );
  }

  /** Forgets the addresses of accounts that are erased, as soon as they are told of it, and acts of long ago. */
  async function purge(isStopping?: () => boolean): Promise<void> {
    const erased = await select<{ id: Buffer }>(
      `SELECT id FROM account_acts c WHERE account <> ${idText}
         AND NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = c.account_id)
         AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.act_id = c.id AND n.due_at IS NOT NULL)`,
      {},
    );
    for (const row of erased)
      await execute(`UPDATE account_acts SET account = ${idText} WHERE id = $id`, row);
    await deleteInBatches('account_acts', 'created_at', `${dialect.now} - ${retentionMs}`, isStopping);
  }

  return { requireManager, requireFreshManager, record, maybeFind, list, purge };
}

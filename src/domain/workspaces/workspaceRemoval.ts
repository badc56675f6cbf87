import type { Database, Tx } from '../../database/database.ts';
import { graceMsOf } from '../../platforms.ts';
import { createAccountErasure } from '../accounts/index.ts';
import { accountNameOf, eraseDataOf, everybodyIn, type Workspace } from '../people/index.ts';

const accountsOfBatch = 100;

/** Further tables with addresses of people and channels, and the column with their chat. */
const tables = [
  ['chat_identities', 'platform'],
  ['push_channels', 'platform'],
  ['recipients', 'messenger'],
  ['notices', 'messenger'],
] as const;

/** Tables with rows of workspaces, and the column with the workspace. */
const workspaceTables = [
  ['workspace_settings', 'installation'],
  ['workspace_pushes', 'workspace'],
  ['removed_workspaces', 'workspace'],
] as const;

export type WorkspaceRemoval = ReturnType<typeof createWorkspaceRemoval>;

/** Erases what belongs to workspaces that have removed the app. An organisation that had installed it counts as one. */
export function createWorkspaceRemoval(database: Database) {
  const { select, transaction, dialect } = database;
  const eraseAccount = createAccountErasure(database);
  const due = `SELECT platform, workspace FROM removed_workspaces w WHERE w.erase_at <= ${dialect.now}
    AND NOT EXISTS (SELECT 1 FROM installations i WHERE i.platform = w.platform AND i.workspace = w.workspace)`;
  const isStillDue = `${due} AND w.platform = $platform AND w.workspace = $workspace`;

  /** Begins the time after which a workspace is erased. May be repeated. */
  async function begin({ platform, workspace }: Workspace, tx?: Tx): Promise<void> {
    await (tx ?? database).execute(
      dialect.insertIgnore(
        'platform, workspace',
        `INTO removed_workspaces (platform, workspace, erase_at)
         VALUES ($platform, $workspace, ${dialect.now} + ${graceMsOf(platform)})`,
      ),
      { platform, workspace },
    );
  }

  /** Keeps everything: the workspace has the app again. */
  async function cancel({ platform, workspace }: Workspace, tx: Tx): Promise<void> {
    const where = 'platform = $platform AND workspace = $workspace';
    await tx.execute(`DELETE FROM removed_workspaces WHERE ${where}`, { platform, workspace });
  }

  /** Recurring job. Erases the workspaces whose time is over. */
  async function eraseDue(isStopping = () => false): Promise<void> {
    for (const each of await select<Workspace>(`${due} ORDER BY w.erase_at`, {})) {
      if (!(await eraseAccounts(each, isStopping))) return;
      await transaction((tx) => eraseRest(each, tx));
    }
  }

  /**
   * Erases the accounts that were made for people of a workspace and that nobody else uses, one after the other. Returns
   * whether it came to the end.
   */
  async function eraseAccounts(of: Workspace, isStopping: () => boolean): Promise<boolean> {
    const { matches, binds } = everybodyIn(of.platform, of.workspace);
    const nameAt = (address = '') => accountNameOf({ platform: of.platform, address });
    const names = { firstName: nameAt(binds.first), endName: nameAt(binds.end) };
    for (;;) {
      const accounts = await select<{ id: Buffer }>(
        `SELECT a.id FROM accounts a WHERE a.email >= $firstName AND a.email < $endName AND NOT EXISTS (
           SELECT 1 FROM chat_identities i
           WHERE i.account_id = a.id AND NOT (i.platform = $platform AND ${matches('i.address')}))
           AND EXISTS (${isStillDue})
         ORDER BY a.email LIMIT ${accountsOfBatch}`,
        { ...binds, ...names, workspace: of.workspace },
      );
      for (const account of accounts) {
        if (isStopping()) return false;
        await eraseAccount(account);
      }
      if (accounts.length < accountsOfBatch) return true;
    }
  }

  /** Erases the rules, the people without an account, and the ties of people to accounts that others use, too. */
  async function eraseRest({ platform, workspace }: Workspace, tx: Tx): Promise<void> {
    const found = await tx.select(`${isStillDue} ${dialect.forUpdate}`, { platform, workspace });
    if (found.length === 0) return;
    const everybody = everybodyIn(platform, workspace);
    await eraseDataOf(everybody, tx);
    const ofEverybody = `= $platform AND ${everybody.matches('address')}`;
    for (const [table, column] of tables)
      await tx.execute(`DELETE FROM ${table} WHERE ${column} ${ofEverybody}`, everybody.binds);
    for (const [table, column] of workspaceTables)
      await tx.execute(`DELETE FROM ${table} WHERE platform = $platform AND ${column} = $workspace`, {
        platform,
        workspace,
      });
  }

  return { begin, cancel, eraseDue };
}

import { Op, type OrderItem } from 'sequelize';
import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { AccountActs, Actor } from '../accounts/index.ts';
import { type Platform, shortName } from '../people/index.ts';
import { commandRegistrationsTable, installationsTable } from './tables.ts';
import type { WorkspaceRemoval } from './workspaceRemoval.ts';

/** Where an app is installed, a workspace or an organisation, and who installed it. */
export type InstallationSource = {
  workspace: string;
  userId: string;
  /** The name of the workspace. */
  label?: string | undefined;
};

/** A workspace with the app. Times are epoch milliseconds. */
export type InstallationSummary = {
  platform: Platform;
  workspace: string;
  label: string | null;
  /** The platform's id of the user who last installed the app. */
  userId: string;
  since: number;
  installedAt: number;
};

type InstallationRow = { id: Buffer; sealed: Buffer };

const latestFirst: OrderItem[] = [
  ['installedAt', 'DESC'],
  ['id', 'DESC'],
];

type Dependencies = {
  database: Database;
  keyring: Keyring;
  removal: Pick<WorkspaceRemoval, 'begin' | 'cancel'>;
  acts: Pick<AccountActs, 'requireManager' | 'requireFreshManager'>;
};

/**
 * Stores encrypted what a platform sends when its app is installed, including tokens. The adapter defines its format.
 * The latest installation of a workspace counts, whoever installed it.
 */
export function createInstallations({ database, keyring, removal, acts }: Dependencies) {
  const { transaction, dialect } = database;
  const Installation = database.model(installationsTable);

  const open = <Data>({ id, sealed }: InstallationRow): Data =>
    JSON.parse(openLabel(keyring, sealed, { id, field: 'installation' })) as Data;

  /** Replaces an earlier installation by the same user. */
  async function store(
    platform: Platform,
    { workspace, userId, label }: InstallationSource,
    data: object,
  ): Promise<void> {
    const id = newId();
    const sealed = seal(keyring, JSON.stringify(data), { id, field: 'installation' });
    const { onConflict, excluded, now } = dialect;
    await transaction(async (tx) => {
      await tx.execute(
        `INSERT INTO installations (id, platform, workspace, user_id, label, sealed, installed_at, first_at)
         VALUES ($id, $platform, $workspace, $userId, $label, $sealed, ${now}, ${now})
         ${onConflict(
           'platform, workspace, user_id',
           ['id', 'sealed', 'installed_at'],
           `label = COALESCE(${excluded('label')}, installations.label)`,
         )}`,
        { id, platform, workspace, userId, label: label === undefined ? null : shortName(label), sealed },
      );
      await removal.cancel({ platform, workspace }, tx);
    });
  }

  /** The latest installation in a workspace, or that of one user. */
  async function maybeFind<Data>(
    platform: Platform,
    { workspace, userId }: { workspace: string; userId?: string | undefined },
  ): Promise<Data | undefined> {
    const where = { platform, workspace, ...(userId === undefined ? {} : { userId }) };
    const row = await Installation.findOne({ where, order: latestFirst });
    return row === null ? undefined : open<Data>(row);
  }

  /**
   * Deletes the installations of a workspace, by some users or by everybody. After the last one, what belongs to the
   * workspace is erased in time. May be repeated.
   */
  async function remove(platform: Platform, workspace: string, userIds?: string[]): Promise<void> {
    await transaction(async (tx) => {
      const all = await tx.model(installationsTable).findAll({ where: { platform, workspace } });
      const removed = all.filter(({ userId }) => userIds?.includes(userId) ?? true);
      if (removed.length === 0) return;
      const users = removed.map(({ userId }) => userId); // their rows may get new ids meanwhile
      await tx.model(installationsTable).destroy({ platform, workspace, userId: users });
      if (removed.length === all.length) await removal.begin({ platform, workspace }, tx);
    });
  }

  /** The name of a workspace from its latest installation that has one, or null. */
  async function labelOf(platform: Platform, workspace: string): Promise<string | null> {
    const where = { platform, workspace, label: { [Op.not]: null } };
    return (await Installation.findOne({ where, order: latestFirst }))?.label ?? null;
  }

  /** What `remove` does, for a manager of accounts. Throws `forbidden` for everybody else. */
  async function uninstall(platform: Platform, workspace: string, actor: Actor): Promise<void> {
    await acts.requireFreshManager(actor);
    await remove(platform, workspace);
  }

  /** The workspaces with the app, each with its latest installation. Throws like `uninstall`. */
  async function list(platform: Platform, actor: Actor): Promise<InstallationSummary[]> {
    await acts.requireManager(actor);
    const found = await Installation.findAll({ where: { platform }, order: ['workspace', ...latestFirst] });
    return found
      .filter(({ workspace }, at) => workspace !== found[at - 1]?.workspace)
      .map(({ workspace, label, userId, firstAt, installedAt }) => ({
        platform,
        workspace,
        label,
        userId,
        since: firstAt,
        installedAt,
      }));
  }

  return { store, maybeFind, remove, uninstall, labelOf, list };
}

/** The commands last registered with each platform, as a SHA-256 in hexadecimal. */
export function createCommandRegistrations({ model }: Database) {
  const Registration = model(commandRegistrationsTable);

  return {
    maybeHash: async (platform: Platform): Promise<string | undefined> =>
      (await Registration.findOne({ where: { platform } }))?.definitionHash,
    async save(platform: Platform, definitionHash: string): Promise<void> {
      await Registration.upsert({ platform, definitionHash });
    },
  };
}

import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, inList } from '../../database/database.ts';
import { type Platform, shortName } from './chatUser.ts';

/** Where an app is installed, a workspace or an organisation, and by whom. */
export type InstallationSource = {
  workspace: string;
  person: string;
  /** The name of the workspace. */
  label?: string | undefined;
};

/** A workspace with the app; times are epoch milliseconds. */
export type InstallationSummary = {
  platform: Platform;
  workspace: string;
  label: string | null;
  /** Who installed it last, by their id there. */
  person: string;
  since: number;
  installedAt: number;
};

type InstallationRow = { id: Buffer; sealed: Buffer };

/**
 * What a platform gave when its app was installed, with the tokens, sealed. Its format is the adapter's. The latest
 * installation of a workspace counts, whoever made it.
 */
export function createInstallations(database: Database, keyring: Keyring) {
  const { select, execute, withRetries, dialect } = database;

  const open = <Data>({ id, sealed }: InstallationRow): Data =>
    JSON.parse(openLabel(keyring, sealed, { id, field: 'installation' })) as Data;

  /** Replaces an earlier installation by the same person. */
  async function store(
    platform: Platform,
    { workspace, person, label }: InstallationSource,
    data: object,
  ): Promise<void> {
    const id = newId();
    const sealed = seal(keyring, JSON.stringify(data), { id, field: 'installation' });
    const { onConflict, excluded, now } = dialect;
    await withRetries(() =>
      execute(
        `INSERT INTO installations (id, platform, workspace, person, label, sealed, installed_at, first_at)
         VALUES ($id, $platform, $workspace, $person, $label, $sealed, ${now}, ${now})
         ${onConflict('platform, workspace, person')}
           id = ${excluded('id')}, sealed = ${excluded('sealed')}, installed_at = ${excluded('installed_at')},
           label = COALESCE(${excluded('label')}, installations.label)`,
        {
          id,
          platform,
          workspace,
          person,
          label: label === undefined ? null : shortName(label),
          sealed,
        },
      ),
    );
  }

  /** The latest installation in a workspace, or that of one person. */
  async function maybeFind<Data>(
    platform: Platform,
    { workspace, person }: { workspace: string; person?: string | undefined },
  ): Promise<Data | undefined> {
    const ofPerson = person === undefined ? '' : 'AND person = $person';
    const [row] = await select<InstallationRow>(
      `SELECT id, sealed FROM installations WHERE platform = $platform AND workspace = $workspace ${ofPerson}
       ORDER BY installed_at DESC, id DESC LIMIT 1`,
      { platform, workspace, ...(person === undefined ? {} : { person }) },
    );
    return row && open<Data>(row);
  }

  /** Deletes the installations of a workspace, by some people or by everybody. May be repeated. */
  async function remove(platform: Platform, workspace: string, people?: string[]): Promise<void> {
    const found = await select<{ id: Buffer; person: string }>(
      'SELECT id, person FROM installations WHERE platform = $platform AND workspace = $workspace',
      { platform, workspace },
    );
    const ids = found.filter(({ person }) => people?.includes(person) ?? true).map(({ id }) => id);
    if (ids.length === 0) return;
    const { names, binds } = inList(ids);
    await withRetries(() => execute(`DELETE FROM installations WHERE id IN (${names})`, binds));
  }

  /** The name of a workspace by its latest installation that has one, or null. */
  async function labelOf(platform: Platform, workspace: string): Promise<string | null> {
    const [found] = await select<{ label: string }>(
      `SELECT label FROM installations WHERE platform = $platform AND workspace = $workspace AND label IS NOT NULL
       ORDER BY installed_at DESC, id DESC LIMIT 1`,
      { platform, workspace },
    );
    return found?.label ?? null;
  }

  /** The workspaces with the app, each by its latest installation. */
  async function list(platform: Platform): Promise<InstallationSummary[]> {
    const found = await select<InstallationSummary>(
      `SELECT platform, workspace, label, person, first_at AS since, installed_at AS installedAt
       FROM installations WHERE platform = $platform ORDER BY workspace, installed_at DESC, id DESC`,
      { platform },
    );
    return found.filter(({ workspace }, at) => workspace !== found[at - 1]?.workspace);
  }

  return { store, maybeFind, remove, labelOf, list };
}

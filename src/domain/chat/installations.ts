import { openLabel, seal } from '../../crypto/cipher.ts';
import { newId } from '../../crypto/ids.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import { type Database, listOf } from '../../database/database.ts';
import { type Platform, shortName } from './chatUser.ts';

/** Where an app is installed: a workspace or an organisation, and who did that. */
export type Place = {
  workspace: string;
  person: string;
  /** How people call the workspace. */
  label?: string | undefined;
};

/** A workspace with an app, as it is listed; times are epoch milliseconds. */
export type InstallationEntry = {
  platform: Platform;
  workspace: string;
  label: string | null;
  /** Who made the latest installation, as the platform addresses them there. */
  person: string;
  since: number;
  installedAt: number;
};

type Row = { id: Buffer; sealed: Buffer };

/**
 * What a platform gave when its app was installed, tokens and all, sealed. What is in it is the adapter's own affair; the
 * latest installation of a workspace counts, whoever did it.
 */
export function createInstallations(database: Database, keyring: Keyring) {
  const { rows, change, retrying, dialect } = database;

  const open = <Data>({ id, sealed }: Row): Data =>
    JSON.parse(openLabel(keyring, sealed, { id, field: 'installation' })) as Data;

  /** Keeps an installation in place of what the same person installed there before. */
  async function store(platform: Platform, { workspace, person, label }: Place, data: object): Promise<void> {
    const id = newId();
    const sealed = seal(keyring, JSON.stringify(data), { id, field: 'installation' });
    const { onConflict, wanted, now } = dialect;
    await retrying(() =>
      change(
        `INSERT INTO installations (id, platform, workspace, person, label, sealed, installed_at, first_at)
         VALUES ($id, $platform, $workspace, $person, $label, $sealed, ${now}, ${now})
         ${onConflict('platform, workspace, person')}
           id = ${wanted('id')}, sealed = ${wanted('sealed')}, installed_at = ${wanted('installed_at')},
           label = COALESCE(${wanted('label')}, installations.label)`,
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
    const [row] = await rows<Row>(
      `SELECT id, sealed FROM installations WHERE platform = $platform AND workspace = $workspace ${ofPerson}
       ORDER BY installed_at DESC, id DESC LIMIT 1`,
      { platform, workspace, ...(person === undefined ? {} : { person }) },
    );
    return row && open<Data>(row);
  }

  /** Forgets what was installed in a workspace, by some or by everybody. May be repeated. */
  async function remove(platform: Platform, workspace: string, people?: string[]): Promise<void> {
    const found = await rows<{ id: Buffer; person: string }>(
      'SELECT id, person FROM installations WHERE platform = $platform AND workspace = $workspace',
      { platform, workspace },
    );
    const doomed = found.filter(({ person }) => people?.includes(person) ?? true).map(({ id }) => id);
    if (doomed.length === 0) return;
    const { names, binds } = listOf(doomed);
    await retrying(() => change(`DELETE FROM installations WHERE id IN (${names})`, binds));
  }

  /** How people call a workspace, as the latest installation there has it; null where none says so. */
  async function labelOf(platform: Platform, workspace: string): Promise<string | null> {
    const [found] = await rows<{ label: string }>(
      `SELECT label FROM installations WHERE platform = $platform AND workspace = $workspace AND label IS NOT NULL
       ORDER BY installed_at DESC, id DESC LIMIT 1`,
      { platform, workspace },
    );
    return found?.label ?? null;
  }

  /** The workspaces that have an installation, each as the latest has it. */
  async function list(platform: Platform): Promise<InstallationEntry[]> {
    const found = await rows<InstallationEntry>(
      `SELECT platform, workspace, label, person, COALESCE(first_at, installed_at) AS since, installed_at AS installedAt
       FROM installations WHERE platform = $platform ORDER BY workspace, installed_at DESC, id DESC`,
      { platform },
    );
    return found.filter(({ workspace }, at) => workspace !== found[at - 1]?.workspace);
  }

  return { store, maybeFind, remove, labelOf, list };
}

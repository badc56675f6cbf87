import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { createConnection } from 'mysql2/promise';
import { connectDatabase } from '../../../src/database/database.ts';

/** A push that could be opened when the store was made, and how. */
export type LivePush = {
  name: string;
  urlToken: string;
  headers: Record<string, string>;
  payload: string;
  /** The key of an encrypted push. */
  key?: string;
  files: Record<string, string>;
  views: number;
};

/** What is known of a store. */
export type KnownStore = {
  /** By the clock of its database. */
  madeAt: number;
  keys: { MASTER_KEYS: string; PEPPER: string };
  /** Ann's API token. All pushes are hers, but for one. */
  token: string;
  /** Her address in Slack. */
  chatUser: string;
  webhookId: string;
  installation: object;
  live: LivePush[];
  /** The url token of a push that nobody has opened. */
  revocable: string;
  ended: string[];
  /** A creation that was sent with an `Idempotency-Key`. */
  repeatable: { key: string; body: object; urlToken: string };
  /** How many notices wait. */
  notices: number;
};

/** The settings of a service on a store. */
export type StoreSettings = KnownStore['keys'] & { DATABASE_URL: string; FILES_DIR: string };

export const storeKinds = ['sqlite', 'mariadb'] as const;
export type StoreKind = (typeof storeKinds)[number];

const stores = join(import.meta.dirname, 'stores');

/** The folder with a database of a release, its files, and what is known of them. */
export const storeOf = (release: string, kind: StoreKind): string => join(stores, release, kind);

/** The releases that have stores here. */
export const storedReleases = async (): Promise<string[]> => (await readdir(stores)).sort();

/** Copies the store of a release to an empty database and a folder, as if it had just been made. */
export async function openStore(release: string, url: string, filesFolder: string) {
  const kind = url.startsWith('sqlite:') ? 'sqlite' : 'mariadb';
  const folder = storeOf(release, kind);
  const known = JSON.parse(await readFile(join(folder, 'known.json'), 'utf8')) as KnownStore;
  const content = await promisify(gunzip)(await readFile(join(folder, 'database.gz')));
  if (kind === 'sqlite') await writeFile(fileURLToPath(url.replace('sqlite:', 'file:')), content);
  else await runDump(url, String(content));
  await cp(join(folder, 'files'), filesFolder, { recursive: true });
  await moveToNow(url, known.madeAt);
  const settings: StoreSettings = { ...known.keys, DATABASE_URL: url, FILES_DIR: filesFolder };
  return { known, settings };
}

async function runDump(url: string, statements: string): Promise<void> {
  const connection = await createConnection({ uri: url, multipleStatements: true });
  await connection.query(statements);
  await connection.end();
}

/** Moves all times in a database, since whatever waits or lives would be over some day. */
async function moveToNow(url: string, madeAt: number): Promise<void> {
  const database = connectDatabase(url, { poolSize: 1 });
  try {
    const passed = (await database.clock()) - madeAt;
    const times = new Map<string, string[]>();
    const changes = JSON.parse(
      await readFile(join(import.meta.dirname, '../../../migrations/schema.json'), 'utf8'),
    ) as Record<string, string[]>;
    for (const line of Object.values(changes).flat()) {
      const [, table = '', column = ''] =
        /^(\w+)\.(\w+_(?:at|on|until|since|at_max)) bigint/.exec(line) ?? [];
      if (column !== '') times.set(table, [...(times.get(table) ?? []), column]);
    }
    for (const [table, columns] of times) {
      if (!(await hasColumns(table, columns))) continue;
      const moved = columns.map((column) => `${column} = ${column} + $passed`);
      await database.execute(`UPDATE ${table} SET ${moved.join(', ')}`, { passed });
    }
  } finally {
    await database.close();
  }

  async function hasColumns(table: string, columns: string[]): Promise<boolean> {
    return database.select(`SELECT ${columns.join(', ')} FROM ${table} WHERE 1 = 0`, {}).then(
      () => true,
      () => false,
    );
  }
}

import { type Keyring, newestKeyId } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Table } from '../../database/table.ts';
import { findActiveKeyId } from './keyChecks.ts';
import { createKeyRemoval } from './removal.ts';
import { createResealing } from './reseal.ts';
import { sealedTablesOf } from './sealedColumns.ts';
import { createKeyUsage, type KeyUsage } from './usage.ts';

/**
 * A master key. `active` encrypts, `new` is to become active, and `old` only decrypts. Records need one that is `missing`,
 * but this process does not have it.
 */
export type KeySummary = {
  keyId: number;
  state: 'active' | 'new' | 'old' | 'missing';
  usage: KeyUsage[];
  /** The names of running processes that do not have it. */
  lackedBy: string[];
};

type Dependencies = {
  database: Database;
  keyring: Keyring;
  /** All tables of the domain. */
  tables: readonly Table<Record<string, unknown>>[];
};

/** The life of master keys: what they encrypt, and the move of records from one to another. */
export function createKeys({ database, keyring, tables }: Dependencies) {
  const { select, dialect } = database;
  const sealedTables = sealedTablesOf(tables);
  const usage = createKeyUsage(database, sealedTables);

  /** The keys of this process, and those that records need, newest first. */
  async function list(): Promise<KeySummary[]> {
    const [used, activeId, processes, waiting] = [
      await usage(),
      await findActiveKeyId(database),
      await select<{ name: string; keyIds: string }>(
        `SELECT name, key_ids AS keyIds FROM processes WHERE expires_at > ${dialect.now} ORDER BY name`,
        {},
      ),
      await select<{ keyId: number }>(
        'SELECT key_id AS keyId FROM key_checks WHERE key_id > 0 AND activated_at IS NULL',
        {},
      ),
    ];
    const isWaiting = (id: number) =>
      id === newestKeyId(keyring) && waiting.some(({ keyId }) => Number(keyId) === id);
    const stateOf = (id: number): KeySummary['state'] => {
      if (!keyring.all.has(id)) return 'missing';
      if (id === activeId) return 'active';
      return isWaiting(id) ? 'new' : 'old';
    };
    const ids = new Set([...keyring.all.keys(), ...used.map(({ keyId }) => keyId)]);
    return [...ids].map((keyId) => ({
      keyId,
      state: stateOf(keyId),
      usage: used.filter((each) => each.keyId === keyId),
      lackedBy: processes.filter(({ keyIds }) => !keyIds.includes(`,${keyId},`)).map(({ name }) => name),
    }));
  }

  /** The highest id that a key of this database has ever had. */
  async function highestId(): Promise<number> {
    const [row] = await select<{ id: number | null }>('SELECT MAX(key_id) AS id FROM key_checks', {});
    return Number(row?.id ?? 0);
  }

  return {
    list,
    highestId,
    reseal: createResealing({ database, keyring, sealedTables }),
    requireRemovable: createKeyRemoval({ database, keyring, usage }),
  };
}

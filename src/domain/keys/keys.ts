import { type Keyring, newestKeyId } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Table } from '../../database/table.ts';
import { DomainError } from '../../errors.ts';
import { secondMs } from '../../time.ts';
import { findActiveKeyId } from './keyChecks.ts';
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
export function createKeys(dependencies: Dependencies) {
  const { database, keyring, tables } = dependencies;
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
    requireRemovable: createKeyRemoval(dependencies, usage),
  };
}

/**
 * How long a write may take that was encrypted just before its process learned of a new active key: waits for
 * connections and locks, several times.
 */
const lateWriteMs = 60 * secondMs;

/** Decides whether a master key may be removed. */
function createKeyRemoval({ database, keyring }: Dependencies, usage: () => Promise<KeyUsage[]>) {
  const { select, execute, dialect } = database;

  /**
   * Throws `conflict` while a record needs the key or a process may still encrypt with it, and `not_found` if there is no
   * such key. A key that never was active will not become active after this.
   */
  async function requireRemovable(keyId: number): Promise<void> {
    if (!keyring.all.has(keyId)) throw new DomainError('not_found', 'keyNotFound', { values: { keyId } });
    await execute('UPDATE key_checks SET activated_at = 0 WHERE key_id = $keyId AND activated_at IS NULL', {
      keyId,
    });
    if ((await findActiveKeyId(database)) === keyId)
      throw new DomainError('conflict', 'keyIsActive', { values: { keyId } });
    await requireUnusedByProcesses(keyId);
    await mark(keyId, dialect.now); // before it looks: see keyWatch.ts
    try {
      requireUnusedByRecords(keyId, await usage());
    } catch (error) {
      await mark(keyId, 'NULL');
      throw error;
    }
  }

  const mark = (keyId: number, removedAt: string) =>
    execute(`UPDATE key_checks SET removed_at = ${removedAt} WHERE key_id = $keyId`, { keyId });

  async function requireUnusedByProcesses(keyId: number): Promise<void> {
    const [row] = await select<{ waitMs: number | null }>(
      `SELECT MAX(activated_at) + ${lateWriteMs} - ${dialect.now} AS waitMs FROM key_checks
       WHERE EXISTS (SELECT 1 FROM key_checks WHERE key_id = $keyId AND activated_at > 0)`,
      { keyId },
    );
    const processes = await select<{ name: string }>(
      `SELECT name FROM processes WHERE expires_at > ${dialect.now} AND active_key_id = $keyId ORDER BY name`,
      { keyId },
    );
    const seconds = Math.ceil(Math.max(Number(row?.waitMs ?? 0), 0) / secondMs);
    if (processes.length > 0 || seconds > 0) {
      const names = processes.map(({ name }) => name).join(', ');
      throw new DomainError('conflict', 'keyJustReplaced', { values: { keyId, seconds, names } });
    }
  }

  function requireUnusedByRecords(keyId: number, all: KeyUsage[]): void {
    const used = all.filter((each) => each.keyId === keyId);
    const sum = (count: (each: KeyUsage) => number) => used.reduce((total, each) => total + count(each), 0);
    const expiring = sum((each) => each.expiring);
    const resealable = sum((each) => each.records) - expiring;
    if (resealable > 0)
      throw new DomainError('conflict', 'keyEncryptsRecords', { values: { keyId, records: resealable } });
    if (expiring > 0) {
      const until = Math.max(...used.map((each) => each.until ?? 0));
      throw new DomainError('conflict', 'keyEncryptsExpiring', {
        values: { keyId, records: expiring, until },
      });
    }
  }

  return requireRemovable;
}

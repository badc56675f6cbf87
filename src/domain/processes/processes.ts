import { randomUUID } from 'node:crypto';
import { type Keyring, newestKeyId } from '../../crypto/keyring.ts';
import { type Database, statementMsMax, type Tx } from '../../database/database.ts';
import { minuteMs, startStopwatch } from '../../time.ts';
import {
  activeKeyMissing,
  findActiveKeyId,
  KeyMismatch,
  requireKey,
  requireMatchingKeys,
} from '../keys/index.ts';

/** The processes that serve this store, by their registrations. For commands that must not run beside them. */
export function createProcesses({ hasTable, select, dialect }: Database) {
  /** How many processes serve, on all machines. None if the database has no tables yet. */
  async function count(): Promise<number> {
    if (!(await hasTable('processes'))) return 0;
    const sql = `SELECT COUNT(*) AS count FROM processes WHERE expires_at > ${dialect.now}`;
    const [row] = await select<{ count: number }>(sql, {});
    return Number(row?.count);
  }

  return { count };
}

type Dependencies = {
  database: Database;
  keyring: Keyring;
  /** Reads the keys of the settings or of the key file again. */
  readKeyring: () => Promise<Keyring>;
  /** Names this process to operators. */
  name: string;
  /** Starts to measure time. It must not stand still while the machine is suspended. */
  stopwatch?: typeof startStopwatch;
};

/** After this time without a word from it, a process counts as gone. */
const goneAfterMs = minuteMs;
/** Two renewals may fail before a process counts as gone. */
const renewEveryMs = goneAfterMs / 3;

/**
 * Registers which master keys a serving process has. A new key, the first of MASTER_KEYS, only decrypts until every
 * registered process has it; then it becomes active, and all of them encrypt with it. A process that has just registered
 * waits for a minute before it activates a key, because after an outage of the database the others are not back yet.
 *
 * A process that could not renew its registration in time counts as gone, and the others may have replaced and removed its
 * key. So it encrypts nothing until it has registered with the active key again.
 */
export function createProcessRegistration({
  database,
  keyring,
  readKeyring,
  name,
  stopwatch = startStopwatch,
}: Dependencies) {
  const { transaction, execute, dialect } = database;
  const id = randomUUID();
  /** One from the future registered before the database's clock was set back: that of an embedded database is this machine's. */
  const isGone = `(expires_at <= ${dialect.now} OR expires_at > ${dialect.now} + ${goneAfterMs + statementMsMax})`;
  let sinceRenewalMs = () => Number.POSITIVE_INFINITY;

  /**
   * Reads the keys again, and renews the registration. Call it before serving. Throws KeyMismatch for keys that do not
   * fit the database; the process then continues with those that it had.
   */
  async function renew(): Promise<void> {
    try {
      const { all, active } = await readMatchingKeys();
      Object.assign(keyring, { all, active });
    } finally {
      await register();
    }
  }

  /**
   * Reads the keys again, and renews the registration if they have changed, or else every twenty seconds. Call it every
   * few seconds. Throws as `renew` does.
   */
  async function refresh(): Promise<void> {
    if (sinceRenewalMs() >= renewEveryMs || !hasSameIds(await readMatchingKeys(), keyring)) await renew();
  }

  async function readMatchingKeys(): Promise<Keyring> {
    const read = await readKeyring();
    await requireMatchingKeys(database, read);
    return read;
  }

  async function register(): Promise<void> {
    const sinceStartMs = stopwatch(); // starts before the database's clock gives the registration its end
    const activeId = await transaction(async (tx) => {
      // One process after the other: a key must not become active while a process without it registers. An update,
      // because a Galera cluster does not know of locks that are held on other nodes.
      await tx.execute(`UPDATE key_checks SET registered_at = ${dialect.now} WHERE key_id = 0`, {});
      await tx.execute(`DELETE FROM processes WHERE ${isGone}`, {});
      await upsert(tx);
      await activateNewest(tx);
      return findActiveKeyId(tx);
    });
    if (activeId === undefined || !keyring.all.has(activeId))
      throw new KeyMismatch(activeKeyMissing(activeId));
    keyring.active = { id: activeId, key: requireKey(keyring, activeId) };
    sinceRenewalMs = sinceStartMs;
    keyring.isStale = () => sinceRenewalMs() >= goneAfterMs;
  }

  async function upsert(tx: Tx): Promise<void> {
    const { onConflict, now } = dialect;
    await tx.execute(
      `INSERT INTO processes (id, name, key_ids, active_key_id, registered_at, expires_at)
       VALUES ($id, $name, $keyIds, $activeId, ${now}, ${now} + ${goneAfterMs})
       ${onConflict('id', ['key_ids', 'active_key_id', 'expires_at'])}`,
      { id, name, keyIds: `,${[...keyring.all.keys()].join(',')},`, activeId: keyring.active.id },
    );
  }

  async function activateNewest(tx: Tx): Promise<void> {
    const newest = newestKeyId(keyring);
    await tx.execute(
      `UPDATE key_checks SET activated_at = ${dialect.now} WHERE key_id = $newest AND activated_at IS NULL
         AND EXISTS (SELECT 1 FROM processes WHERE id = $id AND registered_at <= ${dialect.now} - ${goneAfterMs})
         AND NOT EXISTS (SELECT 1 FROM processes WHERE key_ids NOT LIKE $pattern)`,
      { newest, id, pattern: `%,${newest},%` },
    );
  }

  /** Removes the registration of a process that stops. */
  async function remove(): Promise<void> {
    await execute('DELETE FROM processes WHERE id = $id', { id });
  }

  return { renew, refresh, remove };
}

function hasSameIds(a: Keyring, b: Keyring): boolean {
  return a.active.id === b.active.id && [...a.all.keys()].join() === [...b.all.keys()].join();
}

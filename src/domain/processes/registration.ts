import { randomUUID } from 'node:crypto';
import { type Keyring, newestKeyId } from '../../crypto/keyring.ts';
import type { Database, Tx } from '../../database/database.ts';
import { minuteMs } from '../../time.ts';
import {
  activeKeyMissing,
  findActiveKeyId,
  KeyMismatch,
  requireKey,
  requireMatchingKeys,
} from '../keys/keyChecks.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  /** Reads the keys of the settings or of the key file again. */
  readKeyring: () => Promise<Keyring>;
  /** Names this process to operators. */
  name: string;
};

/** After this time without a word from it, a process counts as gone. */
const goneAfterMs = minuteMs;

/**
 * Registers which master keys a serving process has. A new key, the first of MASTER_KEYS, only decrypts until every
 * registered process has it; then it becomes active, and all of them encrypt with it. A process that has just registered
 * waits for a minute before it activates a key, because after an outage of the database the others are not back yet.
 */
export function createProcessRegistration({ database, keyring, readKeyring, name }: Dependencies) {
  const { transaction, execute, dialect } = database;
  const id = randomUUID();

  /**
   * Reads the keys again, and renews the registration. Call it every few seconds, and before serving. Throws KeyMismatch
   * for keys that do not fit the database; the process then continues with those that it had.
   */
  async function renew(): Promise<void> {
    try {
      const { all, active } = await readMatchingKeys();
      Object.assign(keyring, { all, active });
    } finally {
      await register();
    }
  }

  async function readMatchingKeys(): Promise<Keyring> {
    const read = await readKeyring();
    await requireMatchingKeys(database, read);
    return read;
  }

  async function register(): Promise<void> {
    const activeId = await transaction(async (tx) => {
      // One process after the other: a key must not become active while a process without it registers. An update,
      // because a Galera cluster does not know of locks that are held on other nodes.
      await tx.execute(`UPDATE key_checks SET registered_at = ${dialect.now} WHERE key_id = 0`, {});
      await tx.execute(`DELETE FROM processes WHERE expires_at <= ${dialect.now}`, {});
      await upsert(tx);
      await activateNewest(tx);
      return findActiveKeyId(tx);
    });
    if (activeId === undefined || !keyring.all.has(activeId))
      throw new KeyMismatch(activeKeyMissing(activeId));
    keyring.active = { id: activeId, key: requireKey(keyring, activeId) };
  }

  async function upsert(tx: Tx): Promise<void> {
    const { onConflict, excluded, now } = dialect;
    await tx.execute(
      `INSERT INTO processes (id, name, key_ids, active_key_id, registered_at, expires_at)
       VALUES ($id, $name, $keyIds, $activeId, ${now}, ${now} + ${goneAfterMs})
       ${onConflict('id')} key_ids = ${excluded('key_ids')}, active_key_id = ${excluded('active_key_id')},
         expires_at = ${excluded('expires_at')}`,
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

  return { renew, remove };
}

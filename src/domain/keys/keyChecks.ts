import { UniqueConstraintError } from 'sequelize';
import { type Keyring, keyCheckValue, newestKeyId } from '../../crypto/keyring.ts';
import type { Database, Statements } from '../../database/database.ts';
import { SetupError } from '../../errors.ts';

const pepperId = 0;

/** Thrown when the configured keys are not those that the database was written with. Serving would lose or corrupt pushes. */
export class KeyMismatch extends SetupError {}

/**
 * Compares the configured keys with the check values in the database, adds those of new keys, and makes the database's
 * active key the one that encrypts. Throws KeyMismatch. Safe on any number of processes at once.
 */
export async function requireMatchingKeys(database: Database, keyring: Keyring): Promise<void> {
  const known = await compareKeys(database, keyring);
  const isFirst = known.size === 0;
  const added = [...configuredKeys(keyring)].filter(([id]) => !known.has(id));
  if (added.length === 0) return useActiveKey(database, keyring);
  const { transaction, dialect } = database;
  const insert = (id: number) =>
    `INSERT INTO key_checks (key_id, check_value, activated_at)
     VALUES ($id, $checkValue, ${isFirst && id === newestKeyId(keyring) ? dialect.now : 'NULL'})`;
  await transaction(async (tx) => {
    for (const [id, key] of added) await tx.execute(insert(id), { id, checkValue: keyCheckValue(key) });
  }).catch((error) => {
    if (!(error instanceof UniqueConstraintError)) throw error;
  });
  // Another process may have added its keys first: all of them, or none.
  await requireMatchingKeys(database, keyring);
}

/** Throws KeyMismatch. Writes nothing, and returns the check values that the database has. */
export async function compareKeys(
  { select }: Pick<Statements, 'select'>,
  keyring: Keyring,
): Promise<Map<number, Buffer>> {
  const stored = await select<{ keyId: number; checkValue: Buffer }>(
    'SELECT key_id AS keyId, check_value AS checkValue FROM key_checks',
    {},
  );
  const known = new Map(stored.map(({ keyId, checkValue }) => [Number(keyId), checkValue]));
  for (const [id, key] of configuredKeys(keyring)) {
    const checkValue = known.get(id);
    if (checkValue !== undefined && !checkValue.equals(keyCheckValue(key)))
      throw new KeyMismatch(mismatch(id));
  }
  if (known.size > 1 && ![...keyring.all.keys()].some((id) => known.has(id))) {
    throw new KeyMismatch('none of the MASTER_KEYS is one that this database was written with');
  }
  return known;
}

/** The id of the key that new records are encrypted with; undefined before the first start. */
export async function findActiveKeyId({ select }: Pick<Statements, 'select'>): Promise<number | undefined> {
  const [row] = await select<{ keyId: number }>(
    `SELECT key_id AS keyId FROM key_checks WHERE activated_at > 0
     ORDER BY activated_at DESC, key_id DESC LIMIT 1`,
    {},
  );
  return row && Number(row.keyId);
}

/**
 * Encrypts with the database's active key from now on. If this process does not have it, another key takes its place
 * only where nobody else serves: then it is lost. Throws KeyMismatch.
 */
async function useActiveKey(database: Database, keyring: Keyring): Promise<void> {
  const { execute, dialect } = database;
  const isKnown = (id: number | undefined): id is number => id !== undefined && keyring.all.has(id);
  const newest = newestKeyId(keyring);
  let active = await findActiveKeyId(database);
  if (!isKnown(active)) {
    await execute(
      `UPDATE key_checks SET activated_at = ${dialect.now} WHERE key_id = $newest AND activated_at IS NULL
           AND NOT EXISTS (SELECT 1 FROM processes WHERE expires_at > ${dialect.now})`,
      { newest },
    );
    active = await findActiveKeyId(database);
  }
  if (!isKnown(active)) throw new KeyMismatch(activeKeyMissing(active));
  keyring.active = { id: active, key: requireKey(keyring, active) };
}

/** Why a process without the active key must not serve. */
export function activeKeyMissing(id: number | undefined): string {
  return `master key ${id} encrypts new records, but is not among MASTER_KEYS; add it, or, if it is lost, put a new key in front and stop all other processes first`;
}

/** A key that is known to be there. */
export function requireKey({ all }: Keyring, id: number): Buffer {
  const key = all.get(id);
  if (key === undefined) throw new Error(`master key ${id} is not among MASTER_KEYS`);
  return key;
}

function configuredKeys({ all, pepper }: Keyring): Map<number, Buffer> {
  return new Map([[pepperId, pepper], ...all]);
}

function mismatch(id: number): string {
  const name = id === pepperId ? 'PEPPER' : `master key ${id}`;
  return `${name} is not the one that this database was written with`;
}

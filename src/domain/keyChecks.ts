import { UniqueConstraintError } from 'sequelize';
import { type Keyring, keyCheckValue } from '../crypto/keyring.ts';
import type { Database } from '../database/database.ts';

const pepperId = 0;

/**
 * Thrown when the configured keys are not those that the database was written with. Serving would lose or corrupt
 * pushes.
 */
export class KeyMismatch extends Error {}

/** Compares the configured keys with the check values in the database. Throws KeyMismatch. Returns the keys without one. */
export async function compareKeys({ select }: Database, keyring: Keyring): Promise<[number, Buffer][]> {
  const stored = await select<{ keyId: number; checkValue: Buffer }>(
    'SELECT key_id AS keyId, check_value AS checkValue FROM key_checks',
    {},
  );
  const known = new Map(stored.map(({ keyId, checkValue }) => [Number(keyId), checkValue]));
  const configured = new Map([[pepperId, keyring.pepper], ...keyring.all]);
  for (const [id, key] of configured) {
    const checkValue = known.get(id);
    if (checkValue !== undefined && !checkValue.equals(keyCheckValue(key)))
      throw new KeyMismatch(mismatch(id));
  }
  if (known.size > 1 && ![...keyring.all.keys()].some((id) => known.has(id))) {
    throw new KeyMismatch('none of the MASTER_KEYS is one that this database was written with');
  }
  return [...configured].filter(([id]) => !known.has(id));
}

/**
 * Compares the configured keys with the check values in the database, and adds those of new keys. Throws KeyMismatch.
 * Safe on any number of processes at once.
 */
export async function requireMatchingKeys(database: Database, keyring: Keyring): Promise<void> {
  const added = await compareKeys(database, keyring);
  if (added.length === 0) return;
  const insert = 'INSERT INTO key_checks (key_id, check_value) VALUES ($id, $checkValue)';
  await database
    .transaction(async (tx) => {
      for (const [id, key] of added) await tx.execute(insert, { id, checkValue: keyCheckValue(key) });
    })
    .catch((error) => {
      if (!(error instanceof UniqueConstraintError)) throw error;
    });
  // Another process may have added its keys first: all of them, or none.
  await requireMatchingKeys(database, keyring);
}

function mismatch(id: number): string {
  const name = id === pepperId ? 'PEPPER' : `master key ${id}`;
  return `${name} is not the one that this database was written with`;
}

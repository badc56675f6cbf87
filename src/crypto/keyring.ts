import { createHmac, randomBytes } from 'node:crypto';

/** A master key and its id. Every record encrypted under it contains the id. */
type MasterKey = { id: number; key: Buffer };

/**
 * The keys of a service. The active master key encrypts, all of them decrypt; both may change while a process runs. The
 * pepper keys digests that outlive rotations.
 */
export type Keyring = {
  active: MasterKey;
  all: ReadonlyMap<number, Buffer>;
  readonly pepper: Buffer;
  /** Whether the active key may have been replaced, and removed, without this process having noticed. */
  isStale?: () => boolean;
};

const keyBytes = 32;
const highestKeyId = 0xffffffff;

/** A new 256-bit key in base64, as in settings and key files. */
export function newKey(): string {
  return randomBytes(keyBytes).toString('base64');
}

/**
 * Parses `MASTER_KEYS` (`2:BASE64,1:BASE64`) and `PEPPER` (BASE64) into a keyring. The first key is active until the
 * database names another. Throws an Error that names each mistake, but no key.
 */
export function parseKeyring(masterKeys: string, pepper: string): Keyring {
  const keys = masterKeyEntries(masterKeys).map(parseMasterKey);
  const [active] = keys;
  if (active === undefined) throw new Error('MASTER_KEYS holds no key');
  const all = new Map(keys.map(({ id, key }) => [id, key]));
  if (all.size < keys.length) throw new Error('MASTER_KEYS uses a key id twice');
  const pepperKey = parseKey('PEPPER', pepper);
  const distinct = new Set([...all.values(), pepperKey].map((key) => key.toString('hex')));
  if (distinct.size < all.size + 1)
    throw new Error('MASTER_KEYS and PEPPER must all differ from one another');
  return { active, all, pepper: pepperKey };
}

/** The entries of `MASTER_KEYS`, each `ID:BASE64`. */
export const masterKeyEntries = (masterKeys: string): string[] =>
  masterKeys.split(/[,\s]+/).filter((entry) => entry !== '');

/** The id of the first of MASTER_KEYS, which is to become the active one. */
export function newestKeyId({ all, active }: Keyring): number {
  const [newest = active.id] = all.keys();
  return newest;
}

/** Identifies the key that a database was written with, without revealing it. */
export function keyCheckValue(key: Buffer): Buffer {
  return createHmac('sha256', key).update('hushpush key check').digest();
}

function parseMasterKey(entry: string): MasterKey {
  const [, id, encoded] = /^(\d{1,10}):(.*)$/.exec(entry) ?? [];
  const number = Number(id);
  if (encoded === undefined || number < 1 || number > highestKeyId) {
    throw new Error('each of MASTER_KEYS must read ID:BASE64, with an ID from 1 upwards');
  }
  return { id: number, key: parseKey(`MASTER_KEYS, key ${number}`, encoded) };
}

function parseKey(name: string, encoded: string): Buffer {
  const key = Buffer.from(encoded, 'base64');
  if (key.toString('base64').replace(/=+$/, '') !== encoded.replace(/=+$/, '')) {
    throw new Error(`${name}: not base64`);
  }
  if (key.length !== keyBytes) throw new Error(`${name}: must hold ${keyBytes} bytes, holds ${key.length}`);
  if (key.every((byte) => byte === key[0]))
    throw new Error(`${name}: is one byte repeated, not a random key`);
  return key;
}

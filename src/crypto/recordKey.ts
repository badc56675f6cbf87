import { createHmac } from 'node:crypto';

/** Where a record belongs. It cannot be opened in another context. `secret` is the url token in its key, if any. */
export type RecordContext = { id: Buffer; field: string; secret?: string | undefined };
/** What a key depends on besides the master key and the salt. */
export type KeyContext = Pick<RecordContext, 'field' | 'secret'>;

/**
 * The key of a record: HKDF-SHA256(master key ‖ secret, salt, info = field). If the secret is a url token, the database and
 * the master keys alone cannot open the record. HKDF (RFC 5869) for one block of output is two HMACs: node's hkdfSync takes
 * twice as long (decision 0018).
 */
export function recordKey(master: Buffer, salt: Buffer, { field, secret = '' }: KeyContext): Buffer {
  const extracted = createHmac('sha256', salt).update(master).update(secret).digest();
  return createHmac('sha256', extracted).update(field).update('\x01').digest();
}

/** Derives keys like `recordKey`, and remembers the last one: for records that share a salt, such as those of a list. */
export function createRecordKeys(): typeof recordKey {
  let last: (KeyContext & { master: Buffer; salt: Buffer; key: Buffer }) | undefined;
  return (master, salt, { field, secret }) => {
    const isSame =
      last?.master === master && last.salt.equals(salt) && last.field === field && last.secret === secret;
    if (last === undefined || !isSame)
      last = { master, salt, field, secret, key: recordKey(master, salt, { field, secret }) };
    return last.key;
  };
}

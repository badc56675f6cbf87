import { type CipherGCM, createCipheriv, createDecipheriv } from 'node:crypto';
import { DomainError, unavailable } from '../errors.ts';
import { utf8Text } from '../text.ts';
import type { Keyring } from './keyring.ts';
import { randomBytes } from './random.ts';
import { type KeyContext, type RecordContext, recordKey } from './recordKey.ts';

/*
 * An encrypted record: version 1 B, algorithm 1 B, key id 4 B, salt 16 B, IV 12 B, ciphertext, tag 16 B.
 * `recordKey.ts` derives its key.
 */
const version = 1;
const aes256Gcm = 1;
const keyIdAt = 2;
const saltAt = 6;
const ivAt = 22;
const bodyAt = 34;
const tagBytes = 16;
/** How long a process takes at most to read a new key from its key file. */
const retrySeconds = 10;
/** How long a process takes at most to renew its registration, once it runs and reaches the database again. */
const staleRetrySeconds = 5;
const staleText =
  'this process has not renewed its registration in time, so its master key may have been removed';

/** What encrypts one record: a cipher with its key and IV, and the header of the record, which says how to decrypt it. */
export type Sealer = { masterKeyId: number; header: Buffer; cipher: CipherGCM };

/** What encrypts one record in this place under the active master key, whatever it is going to hold. */
export function newSealer(
  { active }: Keyring,
  context: KeyContext,
  salt = randomBytes(ivAt - saltAt),
): Sealer {
  const header = Buffer.alloc(bodyAt);
  header.writeUInt8(version, 0);
  header.writeUInt8(aes256Gcm, 1);
  header.writeUInt32BE(active.id, keyIdAt);
  salt.copy(header, saltAt);
  randomBytes(bodyAt - ivAt).copy(header, ivAt);
  const key = recordKey(active.key, salt, context);
  const cipher = createCipheriv('aes-256-gcm', key, header.subarray(ivAt), { authTagLength: tagBytes });
  return { masterKeyId: active.id, header, cipher };
}

/** The context of a record whose field its function names. */
type FieldContext = Omit<RecordContext, 'field'>;

/** Fields that are read without claiming a view. */
type LabelField =
  | 'push'
  | 'recipient'
  | 'recipient_token'
  | 'file'
  | 'webhook_url'
  | 'webhook_secret'
  | 'previous_webhook_secret'
  | 'link'
  | 'reason'
  | 'created_push'
  | 'installation'
  | 'id_token'
  | 'totp_secret'
  | 'request_link'
  | 'request_answer'
  | 'request_answer_key';
type LabelContext = RecordContext & { field: LabelField };

/**
 * Encrypts text or bytes under the active master key. Records with the same salt, field and secret share a key: at most
 * 2³² of them may (NIST SP 800-38D, 8.3). Throws `unavailable` while it is unknown whether the key is still the active
 * one.
 */
export function seal(
  keyring: Keyring,
  plaintext: string | Buffer,
  context: RecordContext,
  { header, cipher } = newSealer(keyring, context),
): Buffer {
  if (keyring.isStale?.()) throw unavailable('notReady', new Error(staleText), staleRetrySeconds);
  cipher.setAAD(additionalData(header, context));
  const body = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  cipher.final();
  return Buffer.concat([header, body, cipher.getAuthTag()]);
}

/** Encrypts like `seal`, under the key that all records with this salt, field and secret share. */
export const sealWithSalt = (
  keyring: Keyring,
  plaintext: string | Buffer,
  context: RecordContext,
  salt: Buffer,
): Buffer => seal(keyring, plaintext, context, newSealer(keyring, context, salt));

/**
 * Decrypts a label: anything but a payload. Throws `unavailable` if its master key is missing, and if the record is damaged
 * or belongs to another context.
 */
export function openLabel(
  keyring: Keyring,
  record: Buffer,
  context: LabelContext,
  deriveKey?: typeof recordKey,
): string {
  return open(keyring, record, context, deriveKey).toString('utf8');
}

/** Like `openLabel`, for lists: undefined for a record that cannot be decrypted, which must not hide the others. */
export function maybeOpenLabel(...label: Parameters<typeof openLabel>): string | undefined {
  try {
    return openLabel(...label);
  } catch {
    return undefined;
  }
}

/**
 * Encrypts a record again under the active master key, if it is not, with the same salt. No plaintext leaves this
 * function. Throws like `openLabel`.
 */
export function reseal(keyring: Keyring, record: Buffer, context: RecordContext): Buffer {
  return keyIdOf(record) === keyring.active.id
    ? record
    : sealWithSalt(keyring, open(keyring, record, context), context, record.subarray(saltAt, ivAt));
}

/** Decrypts a payload, as UTF-8. Only the claim of a view may import this. Throws like `openLabel`. */
export function openPayload(keyring: Keyring, record: Buffer, context: FieldContext): Buffer {
  return open(keyring, record, { ...context, field: 'payload' });
}

/** Decrypts what a sender says of themselves. Only the claim of a view may import this. Throws like `openLabel`. */
export function openSender(keyring: Keyring, record: Buffer, context: FieldContext): string {
  return open(keyring, record, { ...context, field: 'sender' }).toString('utf8');
}

/** Decrypts the key of a push's files. Only the claim of a view may import this. Throws like `openLabel`. */
export function openFilesKey(keyring: Keyring, record: Buffer, context: FieldContext): Buffer {
  return open(keyring, record, { ...context, field: 'files_key' });
}

/** Decrypts a browser's copy of the view that it opened. Only its repetition may import this. Throws like `openLabel`. */
export function openViewCopy(keyring: Keyring, record: Buffer, context: FieldContext): string {
  return utf8Text(open(keyring, record, { ...context, field: 'view' }));
}

/** Decrypts what a download grant gives access to. Only downloads may import this. Throws like `openLabel`. */
export function openGrant(keyring: Keyring, record: Buffer, context: FieldContext): Buffer {
  return open(keyring, record, { ...context, field: 'grant' });
}

function open(keyring: Keyring, record: Buffer, context: RecordContext, deriveKey = recordKey): Buffer {
  if (record.length < bodyAt + tagBytes || record[0] !== version || record[1] !== aes256Gcm) {
    throw damaged(`an encrypted ${context.field} has an unknown format`);
  }
  const keyId = keyIdOf(record);
  const master = keyring.all.get(keyId);
  if (master === undefined)
    throw unavailable('keyMissing', new Error(`master key ${keyId} is not among MASTER_KEYS`), retrySeconds);
  const header = record.subarray(0, bodyAt);
  const key = deriveKey(master, header.subarray(saltAt, ivAt), context);
  const decipher = createDecipheriv('aes-256-gcm', key, header.subarray(ivAt), { authTagLength: tagBytes });
  decipher.setAAD(additionalData(header, context));
  decipher.setAuthTag(record.subarray(-tagBytes));
  const plaintext = decipher.update(record.subarray(bodyAt, -tagBytes));
  try {
    decipher.final();
  } catch {
    throw damaged(`an encrypted ${context.field} is damaged, or belongs elsewhere`);
  }
  return plaintext;
}

/** The refusal for what was stored and cannot be decrypted. Trying again does not help, so it does not say when. */
export function damaged(why: string): DomainError {
  return new DomainError('unavailable', 'recordDamaged', { cause: new Error(why) });
}

/** The id of the master key that a record needs. */
function keyIdOf(record: Buffer): number {
  return record.readUInt32BE(keyIdAt);
}

function additionalData(header: Buffer, { id, field }: RecordContext): Buffer {
  return Buffer.concat([header, id, Buffer.from(field)]);
}

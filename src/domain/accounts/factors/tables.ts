import { column, nullable, primaryKey, type RowOf, references, table } from '../../../database/table.ts';

/** The secret that an account shares with its authenticator app. */
export const authenticatorsTable = table('authenticators', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  secret: column.sealed({ field: 'totp_secret' }),
  /** The step of the last code that was used: none works twice (RFC 6238, section 5.2). */
  lastStep: column.integer,
  createdAt: column.integer,
  lastUsedAt: nullable(column.integer),
});

/** Each is deleted when it is used. */
export const recoveryCodesTable = table('recovery_codes', {
  digest: primaryKey(column.bytes),
  accountId: references('accounts'),
  createdAt: column.integer,
});

/**
 * Public keys of devices. Whoever has the private key is the account's owner (WebAuthn). They end with their account, also when it is
 * merged: those who share the other account from a chat cannot sign in to it.
 */
export const passkeysTable = table('passkeys', {
  id: primaryKey(column.bytes),
  accountId: references('accounts'),
  credentialId: column.bytes,
  /** As COSE writes keys (RFC 9052). */
  publicKey: column.bytes,
  /** What the device knows the account by. */
  userHandle: column.bytes,
  /** The host that it was created for. It works nowhere else. */
  rpId: column.text,
  name: column.text,
  /** How a browser reaches the device, with commas between. */
  transports: column.text,
  /** How often the device says that the key was used. Many always say 0. */
  signCount: column.integer,
  /** Whether there are copies of it on other devices of its owner. */
  backedUp: column.flag,
  createdAt: column.integer,
  lastUsedAt: nullable(column.integer),
});

export type PasskeyRow = RowOf<typeof passkeysTable>;

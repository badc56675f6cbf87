import { column, nullable, primaryKey, references, table } from '../../../database/table.ts';

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

import { column, nullable, primaryKey, table } from '../../database/table.ts';

export const keyChecksTable = table('key_checks', {
  /** 0 for the pepper. */
  keyId: primaryKey(column.integer),
  checkValue: column.bytes,
  /** Null until a key becomes active, and 0 for one that was removed before. The latest is the active one. */
  activatedAt: nullable(column.integer),
  /** When a process last registered; on the row of the pepper. */
  registeredAt: nullable(column.integer),
  /** When it was found that nothing needs the key. */
  removedAt: nullable(column.integer),
});

export const leasesTable = table('leases', {
  name: primaryKey(column.text),
  holder: column.text,
  expiresAt: column.integer,
});

export const oneTimeLinksTable = table('one_time_links', {
  digest: primaryKey(column.bytes),
  id: column.bytes,
  purpose: column.text,
  context: column.sealed({ field: 'link', secret: 'holder', endsAt: 'expires_at' }),
  expiresAt: column.integer,
});

import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';

type KeyCheckRow = {
  /** 0 for the pepper. */
  keyId: number;
  checkValue: Buffer;
  /** Null until a key becomes active, and 0 for one that was removed before. The latest is the active one. */
  activatedAt: number | null;
  /** When a process last registered; on the row of the pepper. */
  registeredAt: number | null;
  /** When it was found that nothing needs the key. */
  removedAt: number | null;
};

export const keyChecksTable: Table<KeyCheckRow> = {
  name: 'key_checks',
  columns: {
    keyId: primaryKey(integerColumn),
    checkValue: bytesColumn,
    activatedAt: nullable(integerColumn),
    registeredAt: nullable(integerColumn),
    removedAt: nullable(integerColumn),
  },
};

export const leasesTable: Table<{ name: string; holder: string; expiresAt: number }> = {
  name: 'leases',
  columns: { name: primaryKey(textColumn), holder: textColumn, expiresAt: integerColumn },
};

export const oneTimeLinksTable: Table<{
  digest: Buffer;
  id: Buffer;
  purpose: string;
  context: Buffer;
  expiresAt: number;
}> = {
  name: 'one_time_links',
  columns: {
    digest: primaryKey(bytesColumn),
    id: bytesColumn,
    purpose: textColumn,
    context: sealedColumn({ field: 'link', secret: 'holder', endsAt: 'expires_at' }),
    expiresAt: integerColumn,
  },
};

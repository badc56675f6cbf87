import { bytesColumn, integerColumn, nullable, primaryKey, type Table } from '../../database/table.ts';

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

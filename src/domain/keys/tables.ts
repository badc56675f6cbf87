import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  type Table,
  textColumn,
} from '../../database/table.ts';

type KeyCheckRow = {
  /** 0 for the pepper. */
  keyId: number;
  checkValue: Buffer;
  /** Null until a key becomes active, and 0 for one that was removed before. The latest is the active one. */
  activatedAt: number | null;
};

export const keyChecksTable: Table<KeyCheckRow> = {
  name: 'key_checks',
  columns: {
    keyId: primaryKey(integerColumn),
    checkValue: bytesColumn,
    activatedAt: nullable(integerColumn),
  },
};

type ProcessRow = {
  id: string;
  /** Its machine and pid, for operators. */
  name: string;
  /** The ids of the master keys that it has, as `,2,1,`. */
  keyIds: string;
  /** The key that it encrypts with. */
  activeKeyId: number;
  registeredAt: number;
  expiresAt: number;
};

export const processesTable: Table<ProcessRow> = {
  name: 'processes',
  columns: {
    id: primaryKey(textColumn),
    name: textColumn,
    keyIds: textColumn,
    activeKeyId: integerColumn,
    registeredAt: integerColumn,
    expiresAt: integerColumn,
  },
};

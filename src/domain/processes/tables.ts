import { integerColumn, primaryKey, type Table, textColumn } from '../../database/table.ts';

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

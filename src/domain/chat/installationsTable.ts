import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';
import type { Platform } from './chatUser.ts';

export const installationsTable: Table<{
  id: Buffer;
  platform: Platform;
  workspace: string;
  userId: string;
  label: string | null;
  sealed: Buffer;
  firstAt: number;
  installedAt: number;
}> = {
  name: 'installations',
  columns: {
    id: primaryKey(bytesColumn),
    platform: textColumn,
    workspace: textColumn,
    userId: textColumn,
    label: nullable(textColumn),
    sealed: sealedColumn({ field: 'installation' }),
    firstAt: integerColumn,
    installedAt: integerColumn,
  },
};

import {
  bytesColumn,
  integerColumn,
  nullable,
  primaryKey,
  references,
  sealedColumn,
  type Table,
  textColumn,
} from '../../database/table.ts';

type FileRow = {
  id: Buffer;
  /** Null until the push is created, and after it is deleted. In both cases the file will be shredded. */
  pushId: Buffer | null;
  object: string;
  label: Buffer | null;
  size: number | null;
  shredAt: number;
};

export const filesTable: Table<FileRow> = {
  name: 'files',
  columns: {
    id: primaryKey(bytesColumn),
    pushId: references('pushes', { onDelete: 'SET NULL' }),
    object: textColumn,
    label: nullable(sealedColumn({ field: 'file', secret: 'url token', endsAt: 'shred_at' })),
    size: nullable(integerColumn),
    shredAt: integerColumn,
  },
};

type GrantRow = { id: Buffer; pushId: Buffer; sealed: Buffer; expiresAt: number };

export const grantsTable: Table<GrantRow> = {
  name: 'download_grants',
  columns: {
    id: primaryKey(bytesColumn),
    pushId: references('pushes'),
    sealed: sealedColumn({ field: 'grant', secret: 'holder', endsAt: 'expires_at' }),
    expiresAt: integerColumn,
  },
};

type DownloadRow = { grantId: Buffer; number: number };

export const downloadsTable: Table<DownloadRow> = {
  name: 'downloads',
  columns: { grantId: primaryKey(references('download_grants')), number: primaryKey(integerColumn) },
};

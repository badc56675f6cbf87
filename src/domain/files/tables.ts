import { column, maybeReferences, nullable, primaryKey, references, table } from '../../database/table.ts';

export const filesTable = table('files', {
  id: primaryKey(column.bytes),
  /** Null until the push is created, and after it is deleted. In both cases the file will be shredded. */
  pushId: maybeReferences('pushes'),
  object: column.text,
  label: nullable(column.sealed({ field: 'file', secret: 'url token', endsAt: 'shred_at' })),
  size: nullable(column.integer),
  shredAt: column.integer,
});

export const grantsTable = table('download_grants', {
  id: primaryKey(column.bytes),
  pushId: references('pushes'),
  sealed: column.sealed({ field: 'grant', secret: 'holder', endsAt: 'expires_at' }),
  expiresAt: column.integer,
});

export const downloadsTable = table('downloads', {
  grantId: primaryKey(references('download_grants')),
  number: primaryKey(column.integer),
});

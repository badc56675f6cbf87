import { column, primaryKey, table } from '../../database/table.ts';

export const processesTable = table('processes', {
  id: primaryKey(column.text),
  /** Its machine and pid, for operators. */
  name: column.text,
  /** The ids of the master keys that it has, as `,2,1,`. */
  keyIds: column.text,
  /** The key that it encrypts with. */
  activeKeyId: column.integer,
  registeredAt: column.integer,
  expiresAt: column.integer,
});

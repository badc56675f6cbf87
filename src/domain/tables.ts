import { bytesColumn, integerColumn, primaryKey, type Table, textColumn } from '../database/table.ts';
import { accountsTable, apiTokensTable, sessionsTable } from './accounts/tables.ts';
import { auditTable } from './audit/table.ts';
import {
  commandRegistrationsTable,
  identitiesTable,
  installationsTable,
  linkRequestsTable,
  messagesTable,
  oneTimeLinksTable,
  processedEventsTable,
  userSettingsTable,
  workspaceSettingsTable,
} from './chat/tables.ts';
import { downloadsTable, filesTable, grantsTable } from './files/tables.ts';
import { keyChecksTable } from './keys/table.ts';
import { noticesTable, recipientsTable } from './notices/tables.ts';
import { processesTable } from './processes/table.ts';
import { pushesTable, spentNoncesTable } from './pushes/tables.ts';
import { requestsTable } from './requests/table.ts';
import { webhooksTable } from './webhooks/table.ts';

const rateLimitsTable: Table<{ id: Buffer; tally: number; expiresAt: number }> = {
  name: 'rate_limits',
  columns: { id: primaryKey(bytesColumn), tally: integerColumn, expiresAt: integerColumn },
};

const leasesTable: Table<{ name: string; holder: string; expiresAt: number }> = {
  name: 'leases',
  columns: { name: primaryKey(textColumn), holder: textColumn, expiresAt: integerColumn },
};

const restoredBackupsTable: Table<{ takenAt: number }> = {
  name: 'restored_backups',
  columns: { takenAt: primaryKey(integerColumn) },
};

/**
 * All tables of the domain, parents before children. Each is described by the module that owns it. A test compares
 * them with the database.
 */
export const tables = [
  accountsTable,
  apiTokensTable,
  sessionsTable,
  pushesTable,
  spentNoncesTable,
  auditTable,
  filesTable,
  grantsTable,
  downloadsTable,
  identitiesTable,
  linkRequestsTable,
  userSettingsTable,
  workspaceSettingsTable,
  commandRegistrationsTable,
  messagesTable,
  oneTimeLinksTable,
  processedEventsTable,
  installationsTable,
  requestsTable,
  recipientsTable,
  noticesTable,
  webhooksTable,
  rateLimitsTable,
  leasesTable,
  keyChecksTable,
  processesTable,
  restoredBackupsTable,
] as const;

import { accountsTable, apiTokensTable, sessionsTable } from './accounts/tables.ts';
import { auditTable } from './audit/table.ts';
import { installationsTable } from './chat/installationsTable.ts';
import {
  commandRegistrationsTable,
  identitiesTable,
  linkRequestsTable,
  messagesTable,
  oneTimeLinksTable,
  processedEventsTable,
  removedWorkspacesTable,
  userSettingsTable,
  workspacePushesTable,
  workspaceSettingsTable,
} from './chat/tables.ts';
import { downloadsTable, filesTable, grantsTable } from './files/tables.ts';
import { keyChecksTable } from './keys/table.ts';
import { leasesTable } from './leases.ts';
import { rateLimitsTable } from './limits/table.ts';
import { noticesTable, recipientsTable } from './notices/tables.ts';
import { processesTable } from './processes/table.ts';
import { idempotencyKeysTable } from './pushes/idempotency.ts';
import { spentNoncesTable } from './pushes/spentNonces.ts';
import { pushChannelsTable, pushesTable, pushRecipientsTable } from './pushes/tables.ts';
import { requestsTable } from './requests/table.ts';
import { restoredBackupsTable } from './restoration.ts';
import { webhooksTable } from './webhooks/table.ts';

/**
 * All tables of the domain, parents before children. Each is described by the module that owns it. A test compares
 * them with the database.
 */
export const tables = [
  accountsTable,
  apiTokensTable,
  sessionsTable,
  pushesTable,
  pushRecipientsTable,
  pushChannelsTable,
  spentNoncesTable,
  idempotencyKeysTable,
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
  workspacePushesTable,
  removedWorkspacesTable,
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

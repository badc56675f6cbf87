import { column, primaryKey, table } from '../database/table.ts';
import {
  accountActsTable,
  accountsTable,
  apiTokensTable,
  authenticatorsTable,
  deviceCodesTable,
  passkeysTable,
  providerIdentitiesTable,
  providerSessionsTable,
  recoveryCodesTable,
  securityEventsTable,
  sessionsTable,
  spentTokensTable,
  trustRulesTable,
} from './accounts/index.ts';
import { auditTable } from './audit/index.ts';
import { keyChecksTable, leasesTable, oneTimeLinksTable } from './base/index.ts';
import { identitiesTable, linkRequestsTable, messagesTable, processedEventsTable } from './chat/index.ts';
import { downloadsTable, filesTable, grantsTable } from './files/index.ts';
import { rateLimitsTable } from './limits/index.ts';
import { mailAddressesTable } from './mail/index.ts';
import { noticesTable, recipientsTable } from './outbox/index.ts';
import { processesTable } from './processes/index.ts';
import {
  idempotencyKeysTable,
  pushChannelsTable,
  pushesTable,
  pushRecipientsTable,
  recipientCodesTable,
  spentNoncesTable,
} from './pushes/index.ts';
import { requestAnswersTable, requestLinksTable, requestsTable } from './requests/index.ts';
import { webhooksTable } from './webhooks/index.ts';
import {
  commandRegistrationsTable,
  installationsTable,
  removedWorkspacesTable,
  userSettingsTable,
  workspacePushesTable,
  workspaceSettingsTable,
} from './workspaces/index.ts';

/** The mark of a restored backup (restoration.ts). */
const restoredBackupsTable = table('restored_backups', { takenAt: primaryKey(column.integer) });

/** The last backup (restoration.ts). */
const backupsTable = table('backups', { takenAt: primaryKey(column.integer) });

/**
 * All tables of the domain, parents before children. Each is described by the module that owns it. A test compares
 * them with the database.
 */
export const tables = [
  accountsTable,
  apiTokensTable,
  trustRulesTable,
  deviceCodesTable,
  sessionsTable,
  providerIdentitiesTable,
  providerSessionsTable,
  spentTokensTable,
  authenticatorsTable,
  passkeysTable,
  recoveryCodesTable,
  accountActsTable,
  securityEventsTable,
  pushesTable,
  pushRecipientsTable,
  recipientCodesTable,
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
  requestLinksTable,
  requestAnswersTable,
  recipientsTable,
  noticesTable,
  mailAddressesTable,
  webhooksTable,
  rateLimitsTable,
  leasesTable,
  keyChecksTable,
  processesTable,
  restoredBackupsTable,
  backupsTable,
] as const;

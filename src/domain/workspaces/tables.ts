import { column, nullable, primaryKey, references, table } from '../../database/table.ts';
import type { Platform } from '../people/index.ts';

const platform = column.textOf<Platform>();

export const installationsTable = table('installations', {
  id: primaryKey(column.bytes),
  platform,
  workspace: column.text,
  userId: column.text,
  label: nullable(column.text),
  sealed: column.sealed({ field: 'installation' }),
  firstAt: column.integer,
  installedAt: column.integer,
});

export const userSettingsTable = table('chat_user_settings', {
  platform: primaryKey(platform),
  address: primaryKey(column.text),
  /** JSON. */
  settings: column.text,
});

const workspace = { platform: primaryKey(platform), workspace: primaryKey(column.text) };

export const workspaceSettingsTable = table('workspace_settings', {
  ...workspace,
  installation: column.text,
  /** JSON. */
  settings: column.text,
});

export const workspacePushesTable = table('workspace_pushes', {
  pushId: primaryKey(references('pushes')),
  platform,
  workspace: column.text,
  /** Whose push it is. */
  address: column.text,
});

export const removedWorkspacesTable = table('removed_workspaces', {
  ...workspace,
  eraseAt: column.integer,
});

export const commandRegistrationsTable = table('command_registrations', {
  platform: primaryKey(platform),
  definitionHash: column.text,
});

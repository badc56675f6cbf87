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
import type { ChatUser, Platform, Workspace } from '../people/index.ts';

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

/** Settings are JSON. */
export const userSettingsTable: Table<ChatUser & { settings: string }> = {
  name: 'chat_user_settings',
  columns: { platform: primaryKey(textColumn), address: primaryKey(textColumn), settings: textColumn },
};

const workspace = { platform: primaryKey(textColumn), workspace: primaryKey(textColumn) };

export const workspaceSettingsTable: Table<Workspace & { installation: string; settings: string }> = {
  name: 'workspace_settings',
  columns: { ...workspace, installation: textColumn, settings: textColumn },
};

/** `address` is whose push it is. */
export const workspacePushesTable: Table<Workspace & { pushId: Buffer; address: string }> = {
  name: 'workspace_pushes',
  columns: {
    pushId: primaryKey(references('pushes')),
    platform: textColumn,
    workspace: textColumn,
    address: textColumn,
  },
};

export const removedWorkspacesTable: Table<Workspace & { eraseAt: number }> = {
  name: 'removed_workspaces',
  columns: { ...workspace, eraseAt: integerColumn },
};

export const commandRegistrationsTable: Table<{ platform: Platform; definitionHash: string }> = {
  name: 'command_registrations',
  columns: { platform: primaryKey(textColumn), definitionHash: textColumn },
};

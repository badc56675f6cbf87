export {
  createCommandRegistrations,
  createInstallations,
  type InstallationSummary,
} from './installations.ts';
export {
  type ChatSettings,
  createChatSettings,
  type PersonalSettings,
  type WorkspaceSettings,
} from './settings.ts';
export {
  commandRegistrationsTable,
  installationsTable,
  removedWorkspacesTable,
  userSettingsTable,
  workspacePushesTable,
  workspaceSettingsTable,
} from './tables.ts';
export {
  type AccessRules,
  createWorkspaceAccess,
  type FindStanding,
  type WorkspaceAccess,
} from './workspaceAccess.ts';
export { createWorkspaceRemoval } from './workspaceRemoval.ts';

export { chatClientOf } from './admission.ts';
export { createChat } from './chat.ts';
export type { ChatMessage } from './chatMessages.ts';
export type { ComposeContext } from './compose.ts';
export type { ChatPushOptions } from './createPush.ts';
export type { FormDefaults } from './formDefaults.ts';
export type { IdentitySummary } from './identities/identities.ts';
export type { LinkPreview } from './identities/link.ts';
export {
  type BrowserLinkRequest,
  createLinkRequestFinder,
  type LinkRequest,
  type LinkRequestFinder,
} from './linkRequest.ts';
export type { PushForm } from './pushForm.ts';
export type { SecretRequestSchema } from './requestSecret.ts';
export {
  identitiesTable,
  linkRequestsTable,
  messagesTable,
  processedEventsTable,
} from './tables.ts';
export type { WorkspaceEvent } from './workspaceActivity.ts';

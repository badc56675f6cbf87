/* The public interface of the domain. Adapters import only this file. */

export type { Signing } from '../crypto/signing.ts';
export { digestOf } from '../crypto/tokens.ts';
export { toRefusal } from '../database/errors.ts';
export { DomainError, type ErrorCode, type Problem, unavailable } from '../errors.ts';
export type { Account, AccountSummary } from './accounts/account.ts';
export { requireScope, type TokenScope, tokenScopes } from './accounts/apiTokenSchema.ts';
export type { ApiTokenSummary } from './accounts/apiTokens.ts';
export type { PasswordLinkPurpose } from './accounts/passwordLinks.ts';
export type { SessionSummary, SignedIn } from './accounts/sessions.ts';
export { auditKinds, waysToOpen } from './audit/auditRow.ts';
export type { Backlog } from './backlog.ts';
export type { AccountCaller, Caller } from './caller.ts';
export type { ChatMessage } from './chat/chatMessages.ts';
export {
  accountNameOf,
  addressUser,
  addressWorkspace,
  type ChatCaller,
  type ChatUser,
  maybeChatUserOf,
  type Platform,
  type Standing,
} from './chat/chatUser.ts';
export type { ComposeContext } from './chat/compose.ts';
export type { ChatPushOptions } from './chat/createPush.ts';
export type { FormDefaults } from './chat/formDefaults.ts';
export type { IdentitySummary } from './chat/identities/identities.ts';
export type { LinkPreview } from './chat/identities/link.ts';
export type { InstallationSummary } from './chat/installations.ts';
export type { BrowserLinkRequest, LinkRequest } from './chat/linkRequest.ts';
export type { PushForm } from './chat/pushForm.ts';
export type { SecretRequestSchema } from './chat/requestSecret.ts';
export type { PersonalSettings, WorkspaceSettings } from './chat/settings.ts';
export { isTimeZone } from './chat/timeZone.ts';
export type { FindStanding } from './chat/workspaceAccess.ts';
export type { WorkspaceEvent } from './chat/workspaceActivity.ts';
export type { ClientInfo } from './client.ts';
export { createDomain, type Domain } from './domain.ts';
export type { Download } from './files/downloads.ts';
export type { PushFile } from './files/fileList.ts';
export { inParts } from './files/parts.ts';
export type { FileStore } from './files/store.ts';
export type { AddFile } from './files/uploads.ts';
export type { KeySummary } from './keys/keys.ts';
export type { KeyUsage } from './keys/usage.ts';
export type { LimitUse } from './limits/limits.ts';
export { tooMany } from './limits/refusals.ts';
export { clientKey } from './limits/subjects.ts';
export {
  isOwnerEvent,
  type OwnerEvent,
  ownerEvents,
  type PublicType,
  type PushEvent,
  publicTypes,
} from './notices/events.ts';
export type {
  Delivery,
  LinkNotice,
  Messenger,
  Messengers,
  Notice,
  PushNotice,
  RequestNotice,
  TestNotice,
} from './notices/messenger.ts';
export { burstMs } from './notices/ownerNotices.ts';
export {
  decodePreferences,
  type NoticePreferences,
  type NoticeSwitch,
  noticeSwitches,
  viewedOptions,
} from './notices/preferences.ts';
export type { Observer } from './observer.ts';
export { pageSize } from './page.ts';
export type { Place, PlaceOf } from './places.ts';
export type { AuditEntry } from './pushes/auditLog.ts';
export { hasAtMost } from './pushes/fields.ts';
export {
  type ListFilter,
  listMax,
  maybeSearchTerms,
  type PushSearchOptions,
  type PushSort,
  type PushState,
  pushSorts,
  searchStep,
} from './pushes/listPage.ts';
export { payloadMax } from './pushes/payload.ts';
export {
  daysRemaining,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type Push,
  pushKinds,
} from './pushes/push.ts';
export type { PushRecipient } from './pushes/pushRecipient.ts';
export { type PushSchema, pushTextMax } from './pushes/pushSchema.ts';
export { recipientsMax } from './pushes/recipientFields.ts';
export type { Nudged } from './pushes/recipientReminders.ts';
export type { ReminderTime } from './pushes/reminderTimes.ts';
export type { Revealed } from './pushes/reveal.ts';
export { maybeSearchPlace } from './pushes/searchPlace.ts';
export type { RevealNonce } from './pushes/spentNonces.ts';
export type { AnonymousStatus } from './pushes/status.ts';
export { providersMax, requestDueMinutes, requestReasonMax } from './requests/create.ts';
export type { ListedRequest } from './requests/ofAccount.ts';
export type { SecretRequest } from './requests/request.ts';
export type { Bounds, DomainSettings, FileSettings, PushSettings, Rate } from './settings.ts';
export type { WebhookDelivery } from './webhooks/deliveries.ts';
export type { EndpointResult, WebhookEndpoint } from './webhooks/endpoints.ts';
export { isPrivateHost, isPublicAddress } from './webhooks/hosts.ts';
export type { Webhook } from './webhooks/present.ts';
export type { RotatedSecret } from './webhooks/rotateSecret.ts';
export type { WebhookSchema } from './webhooks/webhookSchema.ts';

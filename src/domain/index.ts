/* The public interface of the domain. Adapters import only this file. */

export type { Signing } from '../crypto/signing.ts';
export { digestOf, redactUrlTokens, urlTokenSha256 } from '../crypto/tokens.ts';
export { toRefusal } from '../database/errors.ts';
export { DomainError, type ErrorCode, type Problem, unavailable } from '../errors.ts';
export {
  type AccountAct,
  type AccountSummary,
  type ApiTokenSummary,
  actKinds,
  type PasswordLinkPurpose,
  type SessionSummary,
  type SignedIn,
} from './accounts/index.ts';
export { auditKinds, waysToOpen } from './audit/index.ts';
export {
  type Backlog,
  type Bounds,
  type DomainSettings,
  type FileSettings,
  hasAtMost,
  isTimeZone,
  type Observer,
  type Place,
  type PlaceOf,
  type PushSettings,
  pageSize,
  type Rate,
} from './base/index.ts';
export type {
  BrowserLinkRequest,
  ChatMessage,
  ChatPushOptions,
  ComposeContext,
  FormDefaults,
  IdentitySummary,
  LinkPreview,
  LinkRequest,
  PushForm,
  SecretRequestSchema,
  WorkspaceEvent,
} from './chat/index.ts';
export type {
  AccountNotice,
  Delivery,
  LinkNotice,
  Messenger,
  Messengers,
  Notice,
  PushNotice,
  RequestNotice,
  TestNotice,
} from './delivery/index.ts';
export { createDomain, type Domain } from './domain.ts';
export { type Download, type FileStore, type IncomingFile, inParts, type PushFile } from './files/index.ts';
export { compareKeys, type KeySummary, type KeyUsage, requireMatchingKeys } from './keys/index.ts';
export { clientKey, type LimitUse, tooMany } from './limits/index.ts';
export {
  accountType,
  burstMs,
  decodePreferences,
  isOwnerEvent,
  type NoticePreferences,
  type NoticeSwitch,
  noticeSwitches,
  type OwnerEvent,
  ownerEvents,
  type PublicType,
  type PushEvent,
  publicTypes,
  viewedOptions,
} from './outbox/index.ts';
export {
  type Account,
  type AccountCaller,
  accountNameOf,
  addressUser,
  addressWorkspace,
  bindingWorkspace,
  type Caller,
  type ChatCaller,
  type ChatUser,
  type ClientInfo,
  maybeChatUserOf,
  outside,
  type Platform,
  requireScope,
  type Standing,
  seesLinks,
  type TokenScope,
  tokenScopes,
} from './people/index.ts';
export { createProcessRegistration } from './processes/index.ts';
export {
  type AnonymousStatus,
  type AuditEntry,
  daysRemaining,
  eachFlag,
  expireAfterDays,
  isExpired,
  type ListedPush,
  type ListFilter,
  listMax,
  longestPayloadBytes,
  maybeSearchPosition,
  maybeSearchTerms,
  type Nudged,
  type Push,
  type PushFlag,
  type PushRecipient,
  type PushSchema,
  type PushSearchOptions,
  type PushSort,
  type PushState,
  payloadBytesMax,
  payloadMax,
  pushFlagNames,
  pushFlags,
  pushKinds,
  pushSorts,
  pushTextMax,
  type ReminderTime,
  type Revealed,
  type RevealNonce,
  recipientsMax,
  searchStep,
} from './pushes/index.ts';
export {
  type ListedRequest,
  providersMax,
  requestDueMinutes,
  requestReasonMax,
  type SecretRequest,
} from './requests/index.ts';
export {
  type EndpointResult,
  isPrivateHost,
  isPublicAddress,
  type RotatedSecret,
  type Webhook,
  type WebhookDelivery,
  type WebhookEndpoint,
  type WebhookSchema,
} from './webhooks/index.ts';
export type {
  FindStanding,
  InstallationSummary,
  PersonalSettings,
  WorkspaceSettings,
} from './workspaces/index.ts';

/* The public interface of the domain. Adapters import only this file. */

export { randomBytes } from '../crypto/random.ts';
export type { Signing } from '../crypto/signing.ts';
export { digestOf, isSameToken, newSecret, urlTokenSha256 } from '../crypto/tokens.ts';
export { toRefusal } from '../database/errors.ts';
export { DomainError, type ErrorCode, type Problem, unavailable } from '../errors.ts';
export type * from './accounts/index.ts';
export { actKinds, lacksClaims, SecondFactorRequired, securityKinds, writeClaims } from './accounts/index.ts';
export { auditKinds, waysToOpen } from './audit/index.ts';
export type * from './base/index.ts';
export { hasAtMost, isPrivateHost, isPublicAddress, isTimeZone, pageSize } from './base/index.ts';
export type * from './chat/index.ts';
export { chatClientOf } from './chat/index.ts';
export type * from './delivery/index.ts';
export { createDomain, type Domain } from './domain.ts';
export type * from './files/index.ts';
export { inParts } from './files/index.ts';
export type * from './keys/index.ts';
export { compareKeys, requireMatchingKeys } from './keys/index.ts';
export type * from './limits/index.ts';
export { clientKey, tooMany } from './limits/index.ts';
export type * from './mail/index.ts';
export { mailMessenger } from './mail/index.ts';
export type * from './outbox/index.ts';
export {
  accountTypes,
  burstMs,
  decodePreferences,
  isAccountEvent,
  isOwnerEvent,
  mailKinds,
  noticeSwitches,
  ownerEvents,
  publicTypes,
  viewedOptions,
} from './outbox/index.ts';
export type * from './people/index.ts';
export {
  accountNameOf,
  addressUser,
  addressWorkspace,
  bindingWorkspace,
  maybeChatUserOf,
  outside,
  requireScope,
  tokenScopes,
} from './people/index.ts';
export { createProcessRegistration } from './processes/index.ts';
export type * from './pushes/index.ts';
export {
  daysRemaining,
  eachFlag,
  expireAfterDays,
  isExpired,
  listMax,
  longestPayloadBytes,
  maybeSearchPosition,
  maybeSearchTerms,
  payloadBytesMax,
  payloadMax,
  pushFlagNames,
  pushFlags,
  pushKinds,
  pushSorts,
  pushTextMax,
  recipientsMax,
  searchStep,
} from './pushes/index.ts';
export type * from './requests/index.ts';
export {
  acceptedAnswers,
  passkeyThatOpens,
  providersMax,
  requestDueMinutes,
  requestLinkAnswers,
  requestLinkMinutes,
  requestLinkTextMax,
  requestReasonMax,
} from './requests/index.ts';
export type * from './webhooks/index.ts';
export type * from './workspaces/index.ts';

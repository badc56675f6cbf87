export type { AuditEntry } from './auditLog.ts';
export type { PushToConfirm } from './claim/decide.ts';
export type { RevealNonce } from './claim/nonces.ts';
export { createRequestDigest } from './create/begin.ts';
export { isMailAllowed, readAddress, recipientsMax } from './create/recipientFields.ts';
export { type PushSchema, pushTextMax } from './create/schema.ts';
export { erasure, reminderLeadMs } from './erasure.ts';
export { eachFlag, type PushFlag, pushFlagNames, pushFlags } from './flags.ts';
export { openPushLabel } from './label.ts';
export {
  type ListFilter,
  listMax,
  maybeSearchPosition,
  maybeSearchTerms,
  type PushSearchOptions,
  type PushSort,
  type PushState,
  pushSorts,
  searchStep,
} from './listPage.ts';
export { guessPassphrase, passphraseSchema, wrongPassphrase } from './passphrase.ts';
export { longestPayloadBytes, type PushKind, payloadBytesMax, payloadMax, pushKinds } from './payload.ts';
export type { PushRecipient } from './push.ts';
export { daysRemaining, expireAfterDays, isExpired, type ListedPush, type Push } from './push.ts';
export { createPushes, type Pushes } from './pushes.ts';
export type { MailedRecipient } from './recipientMails.ts';
export type { Nudged } from './recipientReminders.ts';
export type { ReminderTime } from './reminderTimes.ts';
export type { NewPushRecipient } from './reserveViews.ts';
export type { Revealed } from './reveal.ts';
export type { AnonymousStatus } from './status.ts';
export { createSweeps } from './sweeps.ts';
export {
  idempotencyKeysTable,
  pushChannelsTable,
  pushesTable,
  pushRecipientsTable,
  recipientCodesTable,
  spentNoncesTable,
} from './tables.ts';

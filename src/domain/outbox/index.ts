export {
  type AccountEvent,
  accountTypes,
  decodeTypes,
  encodeTypes,
  isAccountEvent,
  isLinkEvent,
  isMailEvent,
  isOwnerEvent,
  isRecipientEvent,
  isRequestEvent,
  type LinkEvent,
  type MailEvent,
  type MailKind,
  mailKinds,
  type NoticeEvent,
  noticeKinds,
  type OwnerEvent,
  ownerEvents,
  type PublicType,
  type PushEvent,
  publicTypes,
  type RequestEvent,
  type TestEvent,
} from './events.ts';
export { createOutbox, createRecipients, type Outbox } from './outbox.ts';
export { burstMs } from './ownerNotices.ts';
export {
  allNotices,
  bitsFor,
  decodePreferences,
  defaultNotices,
  encodePreferences,
  type NoticePreferences,
  type NoticeSwitch,
  noticeSwitches,
  viewedOptions,
} from './preferences.ts';
export { noticesTable, recipientsTable } from './tables.ts';

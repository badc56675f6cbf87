export {
  type AccountNotice,
  type Delivery,
  type LinkMailNotice,
  type LinkNotice,
  type MailNotice,
  type Messenger,
  type Messengers,
  maybeNoticeId,
  type Notice,
  noticeId,
  type PushNotice,
  type RequestLinkNotice,
  type RequestNotice,
  type SecurityNotice,
  type TestNotice,
} from './messenger.ts';
export { createNotices } from './notices.ts';

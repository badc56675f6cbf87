export {
  type AccountNotice,
  type Delivery,
  type LinkNotice,
  type Messenger,
  type Messengers,
  maybeNoticeId,
  type Notice,
  noticeId,
  type PushNotice,
  type RequestNotice,
  type TestNotice,
} from './messenger.ts';
export { createNotices } from './notices.ts';

import type { PushKind } from '../pushes/push.ts';
import type { SecretRequest } from '../requests/request.ts';
import type { PushEvent, RequestEvent } from './preferences.ts';

/** How a notice is called outside: the same for every attempt. */
export const noticeId = (id: Buffer): string => `notice_${id.toString('hex')}`;

/** Something to tell somebody. It never holds a payload, a passphrase or a note. Times are epoch milliseconds. */
export type Notice = PushNotice | RequestNotice;

type NoticeBase = {
  /** The same for every attempt, so that whoever is told can recognise what was told twice. */
  id: string;
  /** How many such events it stands for: those that come while it waits are taken up into it. */
  times: number;
  /** When the newest of them happened. */
  happenedAt: number;
  /** From 1. */
  attempt: number;
};

export type PushNotice = NoticeBase & {
  event: PushEvent;
  push: {
    id: string;
    /** Opens the push. For messengers that reach people, and no others. */
    urlToken: string;
    /** SHA-256 of the url token in hexadecimal: tells the owner which push it is, and opens nothing. */
    urlTokenSha256: string;
    name: string | null;
    kind: PushKind;
    viewsMax: number;
    /** When the event happened. */
    viewsUsed: number;
    createdAt: number;
    expiresAt: number;
  };
};

export type RequestNotice = NoticeBase & { event: RequestEvent; request: SecretRequest };

/** What came of an attempt. `reason` is short, and free of anything secret. */
export type Delivery =
  | { outcome: 'sent' }
  | { outcome: 'later'; reason: string; afterMs?: number | undefined }
  | { outcome: 'never'; reason: string };

/** Brings notices to addresses of one kind. May be asked twice for the same notice; an error counts as `later`. */
export type Messenger = { deliver(address: string, notice: Notice): Promise<Delivery> };

/** Messengers by the name that addresses are registered under. */
export type Messengers = Record<string, Messenger>;

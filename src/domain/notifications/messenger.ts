import type { PushKind } from '../pushes/push.ts';
import type { NoticeEvent } from './choice.ts';

/** How a notice is called outside: the same for every attempt. */
export const noticeId = (id: Buffer): string => `notice_${id.toString('hex')}`;

/** Something to tell somebody of a push. It never holds a payload, a passphrase, a note or a link. Times are epoch milliseconds. */
export type Notice = {
  /** The same for every attempt, so that whoever is told can recognise what was told twice. */
  id: string;
  event: NoticeEvent;
  /** How many such events it stands for: those that come while it waits are taken up into it. */
  times: number;
  /** When the newest of them happened. */
  happenedAt: number;
  /** From 1. */
  attempt: number;
  push: {
    /** As in Push. */
    id: string;
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

/** What came of an attempt. `reason` is short, and free of anything secret. */
export type Delivery =
  | { outcome: 'sent' }
  | { outcome: 'later'; reason: string; afterMs?: number | undefined }
  | { outcome: 'never'; reason: string };

/**
 * Brings notices to addresses of one kind. May be asked twice for the same notice; an error counts as `later`. The url token
 * is for links in messages that only the owner, or whom the push is meant for, can read.
 */
export type Messenger = {
  deliver(address: string, notice: Notice, urlToken: string): Promise<Delivery>;
};

/** Messengers by the name that addresses are registered under. */
export type Messengers = Record<string, Messenger>;

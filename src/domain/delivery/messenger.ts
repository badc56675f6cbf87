import { maybeId } from '../../crypto/ids.ts';
import type { AccountAct, LinkMail, MailedSecurityEvent, NewBrowser } from '../accounts/index.ts';
import type { Rate } from '../base/index.ts';
import type { LinkRequest } from '../chat/index.ts';
import type { LinkEvent, MailEvent, PushEvent, RequestEvent, TestEvent } from '../outbox/index.ts';
import type { ChatUser } from '../people/index.ts';
import type { MailedRecipient, PushKind, PushRecipient } from '../pushes/index.ts';
import type { MailedRequestLink, SecretRequest } from '../requests/index.ts';

const prefix = 'notice_';

/** The public id of a notice. The same for every attempt. */
export const noticeId = (id: Buffer): string => prefix + id.toString('hex');

/** Parses the public id of a notice; null if it is malformed. */
export function maybeNoticeId(text: string): Buffer | null {
  return text.startsWith(prefix) ? maybeId(text.slice(prefix.length)) : null;
}

/** A notice as a messenger receives it. Never contains a payload, a passphrase or a note. Times are epoch milliseconds. */
export type Notice = PushNotice | RequestNotice | LinkNotice | AccountNotice | MailNotice | TestNotice;

export type NoticeBase = {
  /** The same for every attempt, so that receivers can detect duplicates. */
  id: string;
  /** How many such events the notice stands for. Events that happen while it waits are added to it. */
  times: number;
  /** When the first of them happened. */
  startedAt: number;
  /** When the newest of them happened. */
  happenedAt: number;
  /** From 1. */
  attempt: number;
};

export type PushNotice = NoticeBase & {
  event: PushEvent;
  push: {
    id: string;
    /** Opens the push. Only for messengers that reach people. */
    urlToken: string;
    /** SHA-256 of the url token in hexadecimal. Identifies the push to its owner, but does not open it. */
    urlTokenSha256: string;
    name: string | null;
    kind: PushKind;
    viewsMax: number;
    /** When the event happened. */
    viewsUsed: number;
    createdAt: number;
    expiresAt: number;
  };
  /** For a recipient by mail: their own link, and the code, if the notice brings one. */
  mailed?: MailedRecipient & { code?: string | undefined };
  /** Through whose links the views of this notice came; empty if one of them came through the push's own. */
  openers: PushRecipient[];
};

export type RequestNotice = NoticeBase & {
  event: RequestEvent;
  request: SecretRequest;
  /** When it has expired: who did not answer, of all those who were asked together. */
  unanswered: ChatUser[];
};

export type LinkNotice = NoticeBase & { event: LinkEvent; link: LinkRequest };

/** What was done to the account of the addressee, or that a browser that it did not know has signed in to it. */
export type AccountNotice = NoticeBase &
  ({ event: 'account_act'; act: AccountAct } | { event: 'new_browser'; signIn: NewBrowser });

/** What comes by mail alone. */
export type MailNotice = LinkMailNotice | RequestLinkNotice | SecurityNotice;

export type LinkMailNotice = NoticeBase & {
  event: Exclude<MailEvent, 'request_link' | 'security'>;
  mail: LinkMail;
};

/** The link of somebody who asks for a secret. */
export type RequestLinkNotice = NoticeBase & { event: 'request_link'; requestLink: MailedRequestLink };

export type SecurityNotice = NoticeBase & { event: 'security'; change: MailedSecurityEvent };

export type TestNotice = NoticeBase & { event: TestEvent };

/**
 * The result of an attempt. `reason` is short and contains no secrets. `isDown` says that what reaches the address does not
 * work for others either, so that all of the messenger's addresses get a pause.
 */
export type Delivery =
  | { outcome: 'sent' }
  | { outcome: 'later'; reason: string; afterMs?: number | undefined; isDown?: boolean }
  | { outcome: 'never'; reason: string };

/** Delivers notices to addresses of one kind. May be called twice for the same notice. An error counts as `later`. */
export type Messenger = {
  deliver(address: string, notice: Notice): Promise<Delivery>;
  /** Loads what the first delivery would wait for, in a process that delivers. */
  prepare?(): Promise<void>;
  /** How many notices about different things an address takes at once; one by default. */
  parallel?: number;
  /** From how many addresses on that are being served none is added, in each process. What is waiting leaves room for others. */
  addressesMax?: number;
  /** How many notices all addresses get in which time, from all processes together. */
  rate?: Rate;
  /** After this time a notice is given up; three days by default. */
  giveUpAfterMs?: number;
};

/** Messengers by the name that addresses are registered under. */
export type Messengers = Record<string, Messenger>;

import type { Keyring } from '../../crypto/keyring.ts';
import { urlTokenSha256 } from '../../crypto/tokens.ts';
import type { AccountActs, ReadAccountMail, SecurityLog } from '../accounts/index.ts';
import type { LinkRequestFinder } from '../chat/index.ts';
import { mailMessenger } from '../mail/index.ts';
import {
  type AccountEvent,
  isAccountEvent,
  isLinkEvent,
  isMailEvent,
  isRecipientEvent,
  isRequestEvent,
  type LinkEvent,
  type MailEvent,
  type PushEvent,
  type RequestEvent,
} from '../outbox/index.ts';
import { openPushLabel, type Pushes } from '../pushes/index.ts';
import type { RequestLinks, Requests } from '../requests/index.ts';
import { type AccountNotice, type Notice, type NoticeBase, noticeId, type PushNotice } from './messenger.ts';
import type { LeasedNotice } from './queue.ts';

/** What notices can be about. */
export type NoticeSubjects = {
  keyring: Keyring;
  requests: Pick<Requests, 'maybeFind' | 'unansweredOf'>;
  acts: Pick<AccountActs, 'maybeFind'>;
  securityLog: Pick<SecurityLog, 'maybeFind' | 'maybeSignIn'>;
  linkRequests: Pick<LinkRequestFinder, 'maybeFind'>;
  pushes: Pick<Pushes, 'openersOf' | 'maybeMailed' | 'maybeCode'>;
  readAccountMail: ReadAccountMail;
  requestLinks: Pick<RequestLinks, 'maybeMailed'>;
};

export type NoticeReader = ReturnType<typeof createNoticeReader>;

/** Turns leased rows into notices for messengers. Undefined when what they are about no longer exists. */
export function createNoticeReader(subjects: NoticeSubjects) {
  const { keyring, requests, acts, securityLog, linkRequests, pushes, readAccountMail, requestLinks } =
    subjects;

  async function readNotice(row: LeasedNotice): Promise<Notice | undefined> {
    const { event, times, happenedAt, createdAt: startedAt } = row;
    const base = { id: noticeId(row.id), times, startedAt, happenedAt, attempt: row.attempts };
    if (event === 'test') return { ...base, event };
    if (isRequestEvent(event)) {
      const found = await maybeRequest(row.requestId, event);
      return found && { ...base, event, ...found };
    }
    if (isMailEvent(event)) return readMailNotice(row, event, base);
    if (isAccountEvent(event))
      return row.actId === null ? undefined : readAccountNotice(event, row.actId, base);
    if (isLinkEvent(event)) return readLinkNotice(event, row.linkRequestId, base);
    return readPushNotice(event, row, base);
  }

  async function readPushNotice(
    event: PushEvent,
    row: LeasedNotice,
    base: NoticeBase,
  ): Promise<PushNotice | undefined> {
    const push = pushIn(row);
    if (push === undefined) return undefined;
    if (row.messenger !== mailMessenger || !isRecipientEvent(event))
      return { ...base, event, push, openers: await openersOf(row, push.id) };
    const mailed = await maybeMailed(row);
    return mailed && { ...base, event, push, mailed, openers: [] };
  }

  /** What a mail to a recipient needs. Undefined once they are withdrawn, and for a code that has ended. */
  async function maybeMailed({ event, pushId, address }: LeasedNotice): Promise<PushNotice['mailed']> {
    if (pushId === null) return undefined;
    const recipient = await pushes.maybeMailed(pushId, address);
    if (recipient === undefined || event !== 'code') return recipient;
    const code = await pushes.maybeCode(pushId, address);
    return code === undefined ? undefined : { ...recipient, code };
  }

  async function readAccountNotice(
    event: AccountEvent,
    id: Buffer,
    base: NoticeBase,
  ): Promise<AccountNotice | undefined> {
    if (event === 'account_act') {
      const act = await acts.maybeFind(id);
      return act && { ...base, event, act };
    }
    const signIn = await securityLog.maybeSignIn(id);
    return signIn && { ...base, event, signIn };
  }

  async function readLinkNotice(event: LinkEvent, id: Buffer | null, base: NoticeBase) {
    const link = id === null ? undefined : await linkRequests.maybeFind(id);
    return link && { ...base, event, link };
  }

  async function readMailNotice({ address, subjectId }: LeasedNotice, event: MailEvent, base: NoticeBase) {
    if (event === 'security') {
      const change = subjectId === null ? undefined : await securityLog.maybeFind(subjectId);
      return change && { ...base, event, change };
    }
    if (event === 'request_link') {
      const requestLink = subjectId === null ? undefined : await requestLinks.maybeMailed(subjectId);
      return requestLink && { ...base, event, requestLink };
    }
    const mail = await readAccountMail(event, address, subjectId);
    return mail && { ...base, event, mail };
  }

  /** A request and, when it has expired, who has not answered. */
  async function maybeRequest(id: Buffer | null, event: RequestEvent) {
    const request = id === null ? undefined : await requests.maybeFind(id);
    if (request === undefined) return undefined;
    return { request, unanswered: event === 'request_expired' ? await requests.unansweredOf(request) : [] };
  }

  function pushIn(row: LeasedNotice): PushNotice['push'] | undefined {
    const { event, pushId, kind, label, viewsMax, viewsUsed, expiresAt } = row;
    if (pushId === null || kind === null || label === null) return undefined;
    const { urlToken, name } = openPushLabel(keyring, { id: pushId, label });
    return {
      id: pushId.toString('hex'),
      urlToken,
      urlTokenSha256: urlTokenSha256(urlToken),
      name: isRecipientEvent(event) ? null : name, // only for the owner
      kind,
      viewsMax,
      viewsUsed,
      createdAt: row.pushCreatedAt,
      expiresAt,
    };
  }

  /** Who used the views of a notice: `times` of them, or the last one. */
  async function openersOf({ event, times, viewsUsed, hasRecipients }: LeasedNotice, pushId: string) {
    if (!hasRecipients || (event !== 'viewed' && event !== 'expired_by_views')) return [];
    return pushes.openersOf(pushId, { last: viewsUsed, count: event === 'viewed' ? times : 1 });
  }

  return readNotice;
}

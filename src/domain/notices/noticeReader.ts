import type { Keyring } from '../../crypto/keyring.ts';
import { digestOf } from '../../crypto/tokens.ts';
import type { LinkRequestFinder } from '../chat/linkRequest.ts';
import { openPushLabel } from '../pushes/label.ts';
import type { Pushes } from '../pushes/pushes.ts';
import type { Requests } from '../requests/requests.ts';
import { isLinkEvent, isRecipientEvent, isRequestEvent, type RequestEvent } from './events.ts';
import type { LeasedNotice } from './leasedNotice.ts';
import { type Notice, noticeId, type PushNotice } from './messenger.ts';

type NoticeSubjects = {
  requests: Pick<Requests, 'maybeFind' | 'unansweredOf'>;
  linkRequests: Pick<LinkRequestFinder, 'maybeFind'>;
  pushes: Pick<Pushes, 'openersOf'>;
};

export type NoticeReader = ReturnType<typeof createNoticeReader>;

/** Turns leased rows into notices for messengers. Undefined when what they are about no longer exists. */
export function createNoticeReader(keyring: Keyring, { requests, linkRequests, pushes }: NoticeSubjects) {
  async function readNotice(row: LeasedNotice): Promise<Notice | undefined> {
    const { event, times, happenedAt, createdAt: startedAt } = row;
    const base = { id: noticeId(row.id), times, startedAt, happenedAt, attempt: row.attempts };
    if (event === 'test') return { ...base, event };
    if (isRequestEvent(event)) {
      const found = await maybeRequest(row.requestId, event);
      return found && { ...base, event, ...found };
    }
    if (isLinkEvent(event)) {
      const link = row.linkRequestId === null ? undefined : await linkRequests.maybeFind(row.linkRequestId);
      return link && { ...base, event, link };
    }
    const push = pushIn(row);
    return push && { ...base, event, push, openers: await openersOf(row, push.id) };
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
      urlTokenSha256: digestOf(urlToken).toString('hex'),
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

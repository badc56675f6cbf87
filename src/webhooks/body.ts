import {
  type AccountNotice,
  accountTypes,
  isAccountEvent,
  isOwnerEvent,
  type Notice,
  type OwnerEvent,
  ownerEvents,
  type PushNotice,
  type TestNotice,
} from '../domain/index.ts';
import { isoTime } from '../time.ts';

/** A notice to the owner of a push, of what was done to an account, or a test. Webhooks get no others. */
export type WebhookNotice = (PushNotice & { event: OwnerEvent }) | AccountNotice | TestNotice;

export function isWebhookNotice(notice: Notice): notice is WebhookNotice {
  return notice.event === 'test' || isAccountEvent(notice.event) || isOwnerEvent(notice.event);
}

/** A notice as the JSON that Standard Webhooks recommends: `type`, `timestamp` of the event, `data`. */
export function buildWebhookBody(notice: WebhookNotice): string {
  if (notice.event === 'test')
    return JSON.stringify({ type: 'webhook.test', timestamp: isoTime(notice.happenedAt), data: {} });
  if (notice.event === 'account_act' || notice.event === 'new_browser') return buildAccountBody(notice);
  const { event, times, happenedAt, push, openers } = notice;
  const { type, ...reason } = ownerEvents[event];
  return JSON.stringify({
    type,
    timestamp: isoTime(happenedAt),
    data: {
      url_token_sha256: push.urlTokenSha256,
      name: push.name,
      kind: push.kind,
      views_total: push.viewsMax,
      views_used: push.viewsUsed,
      times,
      created_at: isoTime(push.createdAt),
      expires_at: isoTime(push.expiresAt),
      ...(openers.length > 0 && { opened_by: openers.map(({ id, name }) => ({ id, name })) }),
      ...reason,
    },
  });
}

function buildAccountBody(notice: AccountNotice): string {
  const { event, happenedAt } = notice;
  return JSON.stringify({ type: accountTypes[event], timestamp: isoTime(happenedAt), data: dataOf(notice) });
}

function dataOf(notice: AccountNotice) {
  if (notice.event === 'new_browser') {
    const { account, way, ip, userAgent } = notice.signIn;
    return { account, way, ip, user_agent: userAgent };
  }
  const { kind, account, actor, detail } = notice.act;
  return { account, change: kind, by: actor, ...(detail !== null && { token: detail }) };
}

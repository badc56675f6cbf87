import {
  isOwnerEvent,
  type Notice,
  type OwnerEvent,
  ownerEvents,
  type PushNotice,
  type TestNotice,
} from '../domain/index.ts';
import { isoTime } from '../time.ts';

/** A notice to the owner of a push, or a test. Webhooks get no others. */
export type WebhookNotice = (PushNotice & { event: OwnerEvent }) | TestNotice;

export function isWebhookNotice(notice: Notice): notice is WebhookNotice {
  return notice.event === 'test' || isOwnerEvent(notice.event);
}

/** A notice as the JSON that Standard Webhooks recommends: `type`, `timestamp` of the event, `data`. */
export function buildWebhookBody(notice: WebhookNotice): string {
  if (notice.event === 'test')
    return JSON.stringify({ type: 'webhook.test', timestamp: isoTime(notice.happenedAt), data: {} });
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

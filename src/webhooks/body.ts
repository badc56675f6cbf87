import type { Notice, OwnerEvent, PushNotice } from '../domain/index.ts';

/** A notice to the owner of a push. Webhooks get no others. */
export type WebhookNotice = PushNotice & { event: OwnerEvent };

export function isWebhookNotice(notice: Notice): notice is WebhookNotice {
  return notice.event in eventBodies;
}

type EventType =
  | 'push.viewed'
  | 'push.expired'
  | 'push.failed_passphrase'
  | 'push.locked'
  | 'push.about_to_expire'
  | 'push.asked_again';

type EventBody = { type: EventType; reason?: 'views' | 'time' | 'deleted' };

const eventBodies: Record<OwnerEvent, EventBody> = {
  viewed: { type: 'push.viewed' },
  expired_by_views: { type: 'push.expired', reason: 'views' },
  expired_by_time: { type: 'push.expired', reason: 'time' },
  burned: { type: 'push.expired', reason: 'deleted' },
  deleted: { type: 'push.expired', reason: 'deleted' },
  failed_passphrase: { type: 'push.failed_passphrase' },
  locked: { type: 'push.locked' },
  about_to_expire: { type: 'push.about_to_expire' },
  asked_again: { type: 'push.asked_again' },
};

/** A notice as the JSON that Standard Webhooks recommends: `type`, `timestamp` of the event, `data`. */
export function buildWebhookBody({ event, times, happenedAt, push }: WebhookNotice): string {
  const { type, ...reason } = eventBodies[event];
  return JSON.stringify({
    type,
    timestamp: iso(happenedAt),
    data: {
      url_token_sha256: push.urlTokenSha256,
      name: push.name,
      kind: push.kind,
      views_total: push.viewsMax,
      views_used: push.viewsUsed,
      times,
      created_at: iso(push.createdAt),
      expires_at: iso(push.expiresAt),
      ...reason,
    },
  });
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

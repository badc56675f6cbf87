import type { Notice, OwnerEvent, PushNotice } from '../domain/index.ts';

/** A notice to the owner of a push; webhooks are registered for no others. */
export type OwnersNotice = PushNotice & { event: OwnerEvent };

export function isOwnersNotice(notice: Notice): notice is OwnersNotice {
  return notice.event in toldAs;
}

type EventType =
  | 'push.viewed'
  | 'push.expired'
  | 'push.failed_passphrase'
  | 'push.locked'
  | 'push.about_to_expire'
  | 'push.asked_again';

type Told = { type: EventType; reason?: 'views' | 'time' | 'deleted' };

const toldAs: Record<OwnerEvent, Told> = {
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

/** A notice as JSON in the form that the Standard Webhooks specification recommends: `type`, `timestamp` of the event, `data`. */
export function bodyOf({ event, times, happenedAt, push }: OwnersNotice): string {
  const { type, ...reason } = toldAs[event];
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

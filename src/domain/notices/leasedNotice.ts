import type { PushKind } from '../pushes/push.ts';
import type { NoticeEvent } from './events.ts';

/** A notice that this process has leased, with the push it is about. */
export type LeasedNotice = {
  id: Buffer;
  lease: Buffer;
  /** A notice is about a push, a request, or a link request. */
  pushId: Buffer | null;
  requestId: Buffer | null;
  linkRequestId: Buffer | null;
  event: NoticeEvent;
  messenger: string;
  address: string;
  times: number;
  viewsUsed: number;
  happenedAt: number;
  createdAt: number;
  attempts: number;
  /** Whether the owner of its address has asked for it, so that it waits for no pause. */
  isRequested: boolean;
  now: number;
  /** Null for a request, like the rest of the push. */
  kind: PushKind | null;
  label: Buffer | null;
  viewsMax: number;
  pushCreatedAt: number;
  expiresAt: number;
  /** Whether its push has recipients. */
  hasRecipients: number;
};

/** Reads a LeasedNotice, as SQL for a WHERE to follow. `now` is the database's clock as SQL. */
export const selectLeased = (now: string) =>
  `SELECT n.id, n.lease, n.push_id AS pushId, n.request_id AS requestId, n.link_request_id AS linkRequestId,
    n.event, n.messenger, n.address, n.times, n.views_used AS viewsUsed,
    n.happened_at AS happenedAt, n.created_at AS createdAt, n.attempts,
    n.is_requested AS isRequested, ${now} AS now,
    p.kind, p.label, p.views_max AS viewsMax, p.created_at AS pushCreatedAt,
    p.expires_at AS expiresAt,
    EXISTS (SELECT 1 FROM push_recipients r WHERE r.push_id = p.id) AS hasRecipients
  FROM notices n LEFT JOIN pushes p ON p.id = n.push_id`;

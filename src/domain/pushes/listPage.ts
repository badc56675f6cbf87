import { isLive } from './live.ts';
import type { PushKind, PushRow } from './push.ts';

/** Which pushes of an account a list has. */
export type PushState = 'active' | 'expired';

/** The orders of a list: by when its pushes were created, or by when they end or have ended. */
export const pushSorts = ['newest', 'oldest', 'ends_soonest', 'ends_latest'] as const;
export type PushSort = (typeof pushSorts)[number];

/** What a list is limited to besides its state. */
export type ListFilter = {
  kind?: PushKind | undefined;
  /** A part of the name, the note or the link. */
  search?: string | undefined;
  /** A part of the name of a recipient, or of their address in a chat. */
  recipient?: string | undefined;
};

/** `lookahead` further pushes tell whether there is another page. */
export type PushListOptions = ListFilter & {
  sort?: PushSort | undefined;
  pageSize?: number;
  lookahead?: number;
};

/** The lists end here, so that counting a long one costs no more than that. */
export const listMax = 10_000;
/** A search looks at this many of the newest pushes. */
export const searchMax = 5_000;

const end = 'COALESCE(expired_on, expires_at)';

/** The orders, as SQL over columns of the index `pushes_by_account`. */
export const orderBy: Record<PushSort, string> = {
  newest: 'ORDER BY created_at DESC, id DESC',
  oldest: 'ORDER BY created_at, id',
  ends_soonest: `ORDER BY ${end}, id`,
  ends_latest: `ORDER BY ${end} DESC, id DESC`,
};

type Place = Pick<PushRow, 'id' | 'createdAt' | 'expiresAt' | 'expiredOn'>;

const compare = (one: Place, other: Place, timeOf: (place: Place) => number) =>
  timeOf(one) - timeOf(other) || Buffer.compare(one.id, other.id);
const createdAt = (place: Place) => place.createdAt;
const endsAt = ({ expiredOn, expiresAt }: Place) => expiredOn ?? expiresAt;

/** The same orders, of what has been read. */
export const comparisons: Record<PushSort, (one: Place, other: Place) => number> = {
  newest: (one, other) => compare(other, one, createdAt),
  oldest: (one, other) => compare(one, other, createdAt),
  ends_soonest: (one, other) => compare(one, other, endsAt),
  ends_latest: (one, other) => compare(other, one, endsAt),
};

/** Builds the conditions for the pushes in a list, as SQL. `now` is the database's clock as SQL; `$kind` is bound if given. */
export function createListConditions(now: string) {
  const active = isLive(now);
  const states: Record<PushState, string> = { active, expired: `NOT (${active})` };
  return (state: PushState, { kind }: Pick<ListFilter, 'kind'>) =>
    kind === undefined ? states[state] : `${states[state]} AND kind = $kind`;
}

/**
 * Finds pushes of `$accountId` by the index `pushes_by_account` alone, so that those that are passed over are not read.
 * SQL to join to `pushes`.
 */
export const foundBy = (condition: string, order: string, limit: string) =>
  `(SELECT id AS found_id FROM pushes WHERE account_id = $accountId AND ${condition}
      ${order} ${limit}) found ON id = found_id`;

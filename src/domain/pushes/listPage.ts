import { maybeId } from '../../crypto/ids.ts';
import type { PushKind } from './payload.ts';
import { isLive } from './push.ts';
import type { PushRow } from './tables.ts';

/** A position in the order of creation, up to which a search has looked. No push needs to be there any more. */
export type SearchPosition = Pick<PushRow, 'id' | 'createdAt'>;

/** A position as adapters know it. */
export const toSearchPositionText = ({ createdAt, id }: SearchPosition): string =>
  `${createdAt}-${id.toString('hex')}`;

/** Reads it; undefined if it is malformed. */
export function maybeSearchPosition(text: string): SearchPosition | undefined {
  const [, createdAt, hex = ''] = /^(\d{1,15})-(\w+)$/.exec(text) ?? [];
  const id = maybeId(hex);
  return id === null ? undefined : { createdAt: Number(createdAt), id };
}

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

/** What has to be decrypted to be found; either text may be empty. */
export type SearchTerms = Pick<ListFilter, 'kind'> & { text: string; recipient: string };

/** What a filter searches for; undefined if the database alone can tell what it finds. */
export function maybeSearchTerms({ search, recipient, kind }: ListFilter): SearchTerms | undefined {
  const terms = { text: search?.trim() ?? '', recipient: recipient?.trim() ?? '', kind };
  return terms.text === '' && terms.recipient === '' ? undefined : terms;
}

/** `before` is where an earlier search has stopped. */
export type PushSearchOptions = SearchTerms & {
  sort?: PushSort | undefined;
  before?: SearchPosition | undefined;
};

/** `lookahead` further pushes tell whether there is another page. */
export type PushListOptions = ListFilter & {
  sort?: PushSort | undefined;
  pageSize?: number;
  lookahead?: number;
};

/** The lists end here, so that counting a long one costs no more than that. */
export const listMax = 10_000;
/** A search looks at this many pushes at a time, so that it takes no longer than a list. */
export const searchStep = 2_500;
/** A search in a list looks at this many of the newest pushes, and does not go on. */
export const listSearchMax = 5_000;

type Position = Pick<PushRow, 'id' | 'createdAt' | 'expiresAt' | 'expiredOn'>;

const compareCreation = (one: Position, other: Position) =>
  one.createdAt - other.createdAt || Buffer.compare(one.id, other.id);
const endOf = ({ expiredOn, expiresAt }: Position) => expiredOn ?? expiresAt;
const compareEnd = (one: Position, other: Position) =>
  endOf(one) - endOf(other) || one.expiresAt - other.expiresAt || Buffer.compare(one.id, other.id);

/** The orders of what has been read; `listQueries.ts` has them as SQL. */
export const comparisons: Record<PushSort, (one: Position, other: Position) => number> = {
  newest: (one, other) => compareCreation(other, one),
  oldest: compareCreation,
  ends_soonest: compareEnd,
  ends_latest: (one, other) => compareEnd(other, one),
};

const order = (columns: string[], isDescending: boolean) =>
  `ORDER BY ${columns.map((column) => (isDescending ? `${column} DESC` : column)).join(', ')}`;

const byCreation = ['created_at', 'id'];
const byEnd = ['COALESCE(expired_on, expires_at)', 'expires_at', 'id'];

/** The orders of the lists, as SQL over the columns of `pushes`. */
export const orderBy: Record<PushSort, string> = {
  newest: order(byCreation, true),
  oldest: order(byCreation, false),
  ends_soonest: order(byEnd, false),
  ends_latest: order(byEnd, true),
};

/** Pushes that stand together in the index `pushes_by_end`, in the order of their end, which is this column. */
type Range = { condition: string; end: 'expired_on' | 'expires_at' };
type Filter = Pick<ListFilter, 'kind'>;
type Page = Filter & { sort: PushSort; from: number; limit: number };

/**
 * Builds what finds the pushes of lists, as SQL. `now` is the database's clock as SQL. `$accountId` is bound, and `$kind`
 * if it is given. The indexes `pushes_by_account` and `pushes_by_end` contain every column of the conditions, so rows
 * that do not match are never read.
 */
export function createListQueries(now: string) {
  const live: Range = { condition: isLive(now), end: 'expires_at' };
  const overdue: Range = { condition: `expired_on IS NULL AND expires_at <= ${now}`, end: 'expires_at' };
  const ended: Range = { condition: 'expired_on IS NOT NULL', end: 'expired_on' };
  const ranges: Record<PushState, Range[]> = { active: [live], expired: [ended, overdue] };

  /** Each range names `expired_on`, which shows the database where it can find a state that few pushes have. */
  const conditionOf = (state: PushState, filter: Filter): string =>
    `(${ranges[state].map(({ condition }) => `(${condition})`).join(' OR ')})${ofKind(filter)}`;

  /** Finds one page of a list, to join to `pushes`. */
  function pageOf(state: PushState, { sort, from, limit, ...filter }: Page): string {
    if (sort === 'newest' || sort === 'oldest')
      return foundBy(conditionOf(state, filter), orderBy[sort], `LIMIT ${limit} OFFSET ${from}`);
    const isDescending = sort === 'ends_latest';
    const firstOfRanges = ranges[state].map(({ condition, end }) => {
      const columns = [...new Set([end, 'expires_at', 'id'])];
      return `SELECT * FROM (SELECT ${inOrderOfEnd} id AS found_id, ${end} AS ends_at, expires_at FROM pushes
        WHERE account_id = $accountId AND ${condition}${ofKind(filter)}
        ${order(columns, isDescending)} LIMIT ${from + limit}) ${end}_range`;
    });
    return `(SELECT found_id FROM (${firstOfRanges.join(' UNION ALL ')}) ranges
      ${order(['ends_at', 'expires_at', 'found_id'], isDescending)} LIMIT ${limit} OFFSET ${from}) found ON id = found_id`;
  }

  return { conditionOf, pageOf };
}

/** MySQL would sort all pushes of an account, which are next to each other in an index with the same columns. */
const inOrderOfEnd = '/*+ INDEX(pushes pushes_by_end) */';

const ofKind = ({ kind }: Filter) => (kind === undefined ? '' : ' AND kind = $kind');

/** Finds pushes of `$accountId` by an index alone, to join to `pushes`. */
export const foundBy = (condition: string, order: string, limit: string): string =>
  `(SELECT id AS found_id FROM pushes WHERE account_id = $accountId AND ${condition}
      ${order} ${limit}) found ON id = found_id`;

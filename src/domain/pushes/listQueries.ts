import type { ListFilter, PushSort, PushState } from './listPage.ts';
import { isLive } from './live.ts';

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

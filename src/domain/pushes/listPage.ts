/** Which pushes of an account a list has. */
export type PushState = 'active' | 'expired';

/** `lookahead` further pushes tell whether there is another page. */
export type PageOptions = { pageSize: number; lookahead: number };

/** Pushes on one page of a list. */
export const listPageSize = 50;
/** The lists end here, so that counting a long one costs no more than that. */
export const listMax = 10_000;
/** A page without a look at the next. */
export const wholePage: PageOptions = { pageSize: listPageSize, lookahead: 0 };

/** The order of the lists, as SQL. */
export const newestFirst = 'ORDER BY created_at DESC, id DESC';

/** Conditions for the pushes in a list, as SQL. `now` is the database's clock as SQL. */
export function listConditions(now: string): Record<PushState, string> {
  const active = `expired_on IS NULL AND expires_at > ${now}`;
  return { active, expired: `NOT (${active})` };
}

/**
 * Finds pushes of `$accountId` by the index `pushes_by_account` alone, so that those that are passed over are not read.
 * SQL to join to `pushes`.
 */
export const foundBy = (condition: string, limit: string) =>
  `(SELECT id AS found_id FROM pushes WHERE account_id = $accountId AND ${condition}
      ${newestFirst} ${limit}) found ON id = found_id`;

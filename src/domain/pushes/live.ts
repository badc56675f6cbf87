/**
 * Whether a push can still be opened, as SQL over its columns; `isExpired` says the opposite of a row that was read.
 * `now` is the database's clock as SQL, `prefix` that of the columns.
 */
export const isLive = (now: string, prefix = ''): string =>
  `${prefix}expired_on IS NULL AND ${prefix}expires_at > ${now}`;

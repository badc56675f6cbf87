/** ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Null where there is no time. */
export function maybeIsoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

/** Spans of time in milliseconds. */
export const secondMs = 1_000;
export const minuteMs = 60 * secondMs;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}

/** Null where there is no time. */
export function maybeIsoTime(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

/** Measures the time since its call in ms, with any time in which the process was frozen, or its machine suspended. */
export function startStopwatch(): () => number {
  const [wallMs, steadyMs] = [Date.now(), performance.now()];
  return () => Math.max(Date.now() - wallMs, performance.now() - steadyMs);
}

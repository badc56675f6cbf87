import type { Words } from '../locales/locales.ts';

/** A moment, epoch milliseconds, in UTC; where scripts run, in the reader's own zone. */
export function When({ words, at }: { words: Words; at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{words.date(at)}</time>;
}

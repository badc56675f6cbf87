import type { Messages } from '../../locales/locales.ts';

/** A time from epoch milliseconds, in UTC; times.js changes it to the reader's time zone. */
export function Time({ messages, at }: { messages: Messages; at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{messages.date(at)}</time>;
}

import type { Messages } from '../../locales/locales.ts';

/** A moment, epoch milliseconds, in UTC; where scripts run, in the reader's own zone. */
export function Time({ messages, at }: { messages: Messages; at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{messages.date(at)}</time>;
}

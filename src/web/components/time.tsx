import type { Messages } from '../../locales/locales.ts';
import { isoTime } from '../../time.ts';

/** A time from epoch milliseconds, in UTC; times.js changes it to the reader's time zone. */
export function Time({ messages, at }: { messages: Messages; at: number }) {
  return <time dateTime={isoTime(at)}>{messages.date(at)}</time>;
}

type LabelledTimeProps = { messages: Messages; label: string; at: number };

/** A time with what happens then in front. */
export const LabelledTime = ({ label, ...time }: LabelledTimeProps) => (
  <>
    {label}: <Time {...time} />
  </>
);

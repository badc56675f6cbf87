import type { Messages } from '../../locales/locales.ts';
import { isoTime } from '../../time.ts';

/** `short` is in few characters, for what happened lately; `end` has the zone, for what others read as well. */
type TimeProps = { messages: Messages; at: number; format?: 'short' | 'end' };

/** A time from epoch milliseconds, in UTC; times.js changes it to the reader's time zone. */
export const Time = ({ messages, at, format }: TimeProps) => (
  <time dateTime={isoTime(at)} data-format={format}>
    {format === 'short' ? messages.shortDate(at) : messages.date(at)}
  </time>
);

type LabelledTimeProps = { messages: Messages; label: string; at: number };

/** A time with what happens then in front. */
export const LabelledTime = ({ label, ...time }: LabelledTimeProps) => (
  <>
    {label}: <Time {...time} />
  </>
);

/** When a factor was last used, or that it never was. */
export function LastUsed({ messages, at }: { messages: Messages; at: number | null }) {
  const { lastUsed, never } = messages.factors;
  return at === null ? (
    <>
      {lastUsed}: {never}
    </>
  ) : (
    <LabelledTime messages={messages} label={lastUsed} at={at} />
  );
}

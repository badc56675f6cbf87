import { dayMs, hourMs } from '../../time.ts';

/** When a user wants to be reminded: in an hour, in a day, or tomorrow morning where their time zone is known. */
export type ReminderTime = 'hour' | 'day' | 'morning';

/** The times to offer to a user. */
export const reminderTimesIn = (timeZone: string | undefined): ReminderTime[] => [
  'hour',
  timeZone === undefined ? 'day' : 'morning',
];

const morningMs = 9 * hourMs;

/** `now` and the result are epoch milliseconds. Without a time zone, tomorrow morning is in a day. */
export function reminderAt(time: ReminderTime, now: number, timeZone?: string): number {
  if (time === 'hour') return now + hourMs;
  return time === 'morning' && timeZone !== undefined ? tomorrowMorning(now, timeZone) : now + dayMs;
}

/** Nine o'clock on the next day of a time zone (IANA), also when its clocks change in between. */
function tomorrowMorning(now: number, timeZone: string): number {
  const today = Math.floor((now + offsetMs(now, timeZone)) / dayMs) * dayMs;
  const morning = today + dayMs + morningMs;
  return morning - offsetMs(morning - offsetMs(now, timeZone), timeZone);
}

/** How far the clocks of a time zone are ahead of UTC at a time. */
function offsetMs(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  const [year, month, day] = [part('year'), part('month') - 1, part('day')];
  const local = Date.UTC(year, month, day, part('hour'), part('minute'), part('second'));
  return local - Math.floor(at / 1_000) * 1_000;
}

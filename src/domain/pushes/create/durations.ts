import { dayMs, hourMs, minuteMs } from '../../../time.ts';
import { optionalInteger } from '../../base/index.ts';

const shortestMs = 5 * minuteMs;

/** What each number of `expire_after_duration` stands for at pwpush.com. */
const numberedMs = [
  ...[15, 30, 45].map((minutes) => minutes * minuteMs),
  ...[1, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 3, 4, 5, 6, 7, 14, 21, 30, 60, 90].map((days) => days * dayMs),
];

const fieldNames = [
  'expireAfterDays',
  'expireAfterHours',
  'expireAfterMinutes',
  'expireAfterDuration',
] as const;

type Durations = { [Name in (typeof fieldNames)[number]]?: number | undefined };

/** The fields of a push's input that say how long it lives; a push may have one of them. */
export function durationFields({
  days,
  daysByDefault,
}: {
  days: { min: number; max: number };
  daysByDefault: number;
}) {
  const numberMax = numberedMs.findLastIndex((ms) => ms <= days.max * dayMs);
  return {
    expireAfterDays: optionalInteger(days).meta({
      description: `Days until the push expires; ${daysByDefault} by default`,
    }),
    expireAfterHours: optionalInteger({ min: 1, max: days.max * 24 }).meta({
      description: 'Hours until the push expires, instead of days',
    }),
    expireAfterMinutes: optionalInteger({ min: shortestMs / minuteMs, max: days.max * 24 * 60 }).meta({
      description: 'Minutes until the push expires, instead of days',
    }),
    expireAfterDuration: optionalInteger({ min: 0, max: numberMax }).meta({
      description:
        'One of the durations of pwpush.com, instead of days: 0 to 2 for 15, 30 and 45 minutes, 3 to 5 for 1, 6 and 12 hours, 6 to 11 for 1 to 6 days, 12 to 14 for 1 to 3 weeks, 15 to 17 for 30, 60 and 90 days',
    }),
  };
}

/** The second duration that an input has, valid or not; undefined if it has at most one. */
export function secondDuration(push: object): string | undefined {
  return fieldNames.filter((name) => name in push && push[name as keyof typeof push] !== undefined)[1];
}

/** How long a push lives; undefined if no duration was given. */
export function lifetimeOf(push: Durations): number | undefined {
  const { expireAfterDays, expireAfterHours, expireAfterMinutes, expireAfterDuration } = push;
  if (expireAfterDuration !== undefined) return numberedMs[expireAfterDuration];
  if (expireAfterMinutes !== undefined) return expireAfterMinutes * minuteMs;
  if (expireAfterHours !== undefined) return expireAfterHours * hourMs;
  return expireAfterDays === undefined ? undefined : expireAfterDays * dayMs;
}

/** A time as the options `--days`, `--hours` and `--minutes` give it. */
export type DurationOptions = { days?: number; hours?: number; minutes?: number };

/** These options in minutes; 0 if none of them is given. */
export const minutesIn = ({ days = 0, hours = 0, minutes = 0 }: DurationOptions): number =>
  (days * 24 + hours) * 60 + minutes;

import type { Push, PushSettings } from '../domain/index.ts';
import { minuteMs } from '../time.ts';

/** A lifetime to choose; `value` is what the form sends. */
export type LifetimeChoice = { value: string; amount: number; unit: 'minute' | 'hour' | 'day' };

const steps: LifetimeChoice[] = [
  ...[5, 30].map((amount) => ({ value: `${amount}m`, amount, unit: 'minute' as const })),
  ...[1, 4, 12].map((amount) => ({ value: `${amount}h`, amount, unit: 'hour' as const })),
];

const days = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365];

/** The lifetimes to choose from, in order: minutes and hours where one day is allowed, and days within the bounds. */
export function lifetimeChoices({ bounds, defaults }: PushSettings): LifetimeChoice[] {
  const { min, max } = bounds.expireAfterDays;
  const within = new Set([...days.filter((day) => day >= min && day <= max), defaults.expireAfterDays, max]);
  const inDays = [...within]
    .sort((a, b) => a - b)
    .map((amount) => ({ value: `${amount}d`, amount, unit: 'day' as const }));
  return min === 1 ? [...steps, ...inDays] : inDays;
}

/** Those of them that put off the end of a push, counted from now, and that it may have. */
export function extensionChoices(
  settings: PushSettings,
  { now, expiresAt, latestEnd }: Pick<Push, 'now' | 'expiresAt' | 'latestEnd'>,
): LifetimeChoice[] {
  return lifetimeChoices(settings).filter(({ value }) => {
    const end = now + lifetimeMinutes(value) * minuteMs;
    return end > expiresAt && end <= latestEnd;
  });
}

const fields = { m: 'expireAfterMinutes', h: 'expireAfterHours', d: 'expireAfterDays' } as const;

/** A submitted lifetime as input for the domain, which refuses anything invalid. */
export function lifetimeInput(value: string): Record<string, string> {
  const { amount, unit } = parseLifetime(value);
  return { [fields[unit]]: amount };
}

/** A submitted lifetime in minutes; NaN if it is invalid. */
export function lifetimeMinutes(value: string): number {
  const { amount, unit } = parseLifetime(value);
  return Number(amount) * { m: 1, h: 60, d: 1_440 }[unit];
}

function parseLifetime(value: string): { amount: string; unit: keyof typeof fields } {
  const [, amount = value, unit = 'd'] = /^(\d+)([mhd])$/.exec(value) ?? [];
  return { amount, unit: unit === 'm' || unit === 'h' ? unit : 'd' };
}

import type { NewPushTerms } from '../../domain/index.ts';

const minutesOf = { minute: 1, hour: 60, day: 1_440 } as const;

type Lifetime = { value: string; amount: number; unit: keyof typeof minutesOf };

const steps: Lifetime[] = [
  ...[5, 30].map((amount) => ({ value: `${amount}m`, amount, unit: 'minute' as const })),
  ...[1, 4, 12].map((amount) => ({ value: `${amount}h`, amount, unit: 'hour' as const })),
];

const days = [1, 2, 3, 5, 7, 14, 30, 60, 90, 180, 365];

/** The times that a push may be given here, in order: those of hours, and days within the operator's bounds. */
export function lifetimes({ bounds, defaults }: NewPushTerms): Lifetime[] {
  const { min, max } = bounds.expireAfterDays;
  const within = new Set([...days.filter((day) => day >= min && day <= max), defaults.expireAfterDays, max]);
  const inDays = [...within]
    .sort((a, b) => a - b)
    .map((amount) => ({ value: `${amount}d`, amount, unit: 'day' as const }));
  return min === 1 ? [...steps, ...inDays] : inDays;
}

/** A time chosen from those, as the domain takes it; whatever else stands there is left for the domain to refuse. */
export function lifetimeInput(value: string): Record<string, string> {
  const [, amount = value, unit = 'd'] = /^(\d+)([mhd])$/.exec(value) ?? [];
  const field = { m: 'expireAfterMinutes', h: 'expireAfterHours', d: 'expireAfterDays' }[unit];
  return { [field ?? 'expireAfterDays']: amount };
}

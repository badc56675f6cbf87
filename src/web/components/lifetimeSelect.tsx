import type { LifetimeChoice } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';
import { Select } from './choices.tsx';

type LifetimeSelectProps = {
  page: PageContext;
  lifetimes: LifetimeChoice[];
  label: string;
  value: string;
  problem?: string | undefined;
};

/** The choice of a lifetime, as `lifetimeInput` reads them. newPush.js offers presets. */
export function LifetimeSelect({ page: { messages }, lifetimes, ...select }: LifetimeSelectProps) {
  const options = lifetimes.map(({ value, amount, unit }) => ({
    value,
    text: messages.amount(amount, unit),
  }));
  return <Select name="lifetime" options={options} {...select} />;
}

import type { PushSettings } from '../../domain/index.ts';
import { lifetimeChoices } from '../lifetimes.ts';
import type { PageContext } from '../pageContext.ts';
import { Select } from './choices.tsx';

type LifetimeSelectProps = {
  page: PageContext;
  settings: PushSettings;
  label: string;
  value: string;
  problem?: string | undefined;
};

/** The choice of a lifetime, as `lifetimeInput` reads them. newPush.js offers presets. */
export function LifetimeSelect({ page: { messages }, settings, ...select }: LifetimeSelectProps) {
  const options = lifetimeChoices(settings).map(({ value, amount, unit }) => ({
    value,
    text: messages.amount(amount, unit),
  }));
  return <Select name="lifetime" options={options} {...select} />;
}

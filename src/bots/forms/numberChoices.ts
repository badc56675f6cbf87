import type { FormField, Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { dayOptions, type FormBounds, viewOptions } from './options.ts';

/** An optional number. `none` is the label for leaving it to a default. */
type NumberContext = {
  messages: ChatMessages;
  bounds: FormBounds;
  current: number | undefined;
  none: Option;
};

/** A number of views, or `none`. */
export const viewChoice = (
  name: string,
  label: string,
  { messages, bounds, current, none }: NumberContext,
): FormField => ({
  type: 'choice',
  name,
  label,
  options: [none, ...viewOptions(messages, bounds, current)],
  selected: String(current ?? none.value),
});

/** A number of days, or `none`. */
export const dayChoice = (
  name: string,
  label: string,
  { messages, bounds, current, none }: NumberContext,
): FormField => ({
  type: 'choice',
  name,
  label,
  options: [none, ...dayOptions(messages, bounds, current)],
  selected: String(current ?? none.value),
});

import { providersMax, requestDueMinutes, requestReasonMax } from '../../domain/index.ts';
import {
  type FormField,
  type FormSpec,
  type FormValues,
  formIds,
  listIn,
  numberIn,
  type Option,
  textIn,
} from '../form.ts';
import type { ChatMessages } from '../messages.ts';

const hourMinutes = 60;
const dayMinutes = 24 * hourMinutes;

/** How long an answer may take, in minutes. */
const dueMinutes = [
  hourMinutes,
  4 * hourMinutes,
  ...[1, 2, 3, 7].map((days) => days * dayMinutes),
  requestDueMinutes.max,
];

/** What is known before the form is opened. */
export type RequestFormOptions = {
  /** The addresses of the people who are asked. */
  providers?: string[] | undefined;
  reason?: string | undefined;
  dueInMinutes?: number | undefined;
};

/** Asks people for a secret. */
export function requestForm(messages: ChatMessages, options: RequestFormOptions = {}): FormSpec {
  const { forms, modals } = messages;
  const { title, submit, reason: label, reasonHint } = forms.request;
  const { providers, reason = '' } = options;
  return {
    id: formIds.request,
    title,
    submit,
    cancel: modals.cancel,
    fields: [
      {
        type: 'people',
        name: 'providers',
        label: forms.request.providers,
        hint: forms.request.providersHint,
        isRequired: true,
        max: providersMax,
        selected: providers,
      },
      {
        type: 'text',
        name: 'reason',
        label,
        hint: reasonHint,
        maxLength: requestReasonMax,
        value: reason.slice(0, requestReasonMax) || undefined,
      },
      dueField(messages, options),
    ],
    state: {},
  };
}

function dueField(messages: ChatMessages, { dueInMinutes }: RequestFormOptions): FormField {
  const { min, max } = requestDueMinutes;
  const selected = Math.min(max, Math.max(min, dueInMinutes ?? max));
  const offered = [...new Set([...dueMinutes, selected])].sort((a, b) => a - b);
  return {
    type: 'choice',
    name: 'due',
    label: messages.forms.request.due,
    options: offered.map((minutes) => dueOption(messages, minutes)),
    selected: String(selected),
  };
}

/** A number of minutes, in the largest unit that divides it. */
function dueOption({ units }: ChatMessages, minutes: number): Option {
  const value = String(minutes);
  if (minutes % dayMinutes === 0) return { label: units.days(minutes / dayMinutes), value };
  if (minutes % hourMinutes === 0) return { label: units.hours(minutes / hourMinutes), value };
  return { label: units.minutes(minutes), value };
}

/** How long an answer may take, to choose from. */
export const dueOptions = (messages: ChatMessages): Option[] =>
  dueMinutes.map((minutes) => dueOption(messages, minutes));

export const readRequestForm = (values: FormValues) => ({
  providers: listIn(values, 'providers') ?? [],
  reason: textIn(values, 'reason'),
  dueInMinutes: numberIn(values, 'due'),
});

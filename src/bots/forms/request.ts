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

export const minutesOf = { hour: 60, day: 24 * 60 };

/** How long an answer may take, in minutes. */
const dueMinutes = [
  minutesOf.hour,
  4 * minutesOf.hour,
  ...[1, 2, 3, 7].map((days) => days * minutesOf.day),
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
  const { due } = messages.forms.request;
  return { type: 'choice', name: 'due', label: due, ...durationChoice(messages, dueMinutes, selected) };
}

/** Some numbers of minutes to choose from, with the one that is selected among them. */
export const durationChoice = (messages: ChatMessages, offered: number[], selected: number) => ({
  options: [...new Set([...offered, selected])]
    .sort((a, b) => a - b)
    .map((minutes) => durationOption(messages, minutes)),
  selected: String(selected),
});

/** A number of minutes, in the largest unit that divides it. */
function durationOption({ units }: ChatMessages, minutes: number): Option {
  const value = String(minutes);
  if (minutes % minutesOf.day === 0) return { label: units.days(minutes / minutesOf.day), value };
  if (minutes % minutesOf.hour === 0) return { label: units.hours(minutes / minutesOf.hour), value };
  return { label: units.minutes(minutes), value };
}

/** How long an answer may take, to choose from. */
export const dueOptions = (messages: ChatMessages): Option[] =>
  dueMinutes.map((minutes) => durationOption(messages, minutes));

export const readRequestForm = (values: FormValues) => ({
  providers: listIn(values, 'providers') ?? [],
  reason: textIn(values, 'reason'),
  dueInMinutes: numberIn(values, 'due'),
});

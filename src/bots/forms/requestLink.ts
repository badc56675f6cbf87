import { requestLinkAnswers, requestLinkMinutes, requestLinkTextMax } from '../../domain/index.ts';
import { type FormSpec, type FormValues, formIds, numberIn, textIn } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { durationChoice, minutesOf } from './request.ts';

/** How long a link may take answers, in minutes. */
const openMinutes = [
  minutesOf.hour,
  4 * minutesOf.hour,
  ...[1, 2, 3, 7, 14, 30, 90].map((days) => days * minutesOf.day),
];
const answerNumbers = [1, 2, 3, 5, 10, 25, 50, requestLinkAnswers.max];

/** What is known before the form is opened. */
export type RequestLinkFormOptions = { minutes?: number | undefined };

/** Creates a link by which people without an account send a secret. Modals of Discord have room for five fields. */
export function requestLinkForm(messages: ChatMessages, { minutes }: RequestLinkFormOptions = {}): FormSpec {
  const { forms, modals, units } = messages;
  const texts = forms.requestLink;
  const { min, max, byDefault } = requestLinkMinutes;
  return {
    id: formIds.requestLink,
    title: texts.title,
    submit: texts.submit,
    cancel: modals.cancel,
    fields: [
      {
        ...{ type: 'text', name: 'title', label: texts.what, hint: texts.whatHint },
        ...{ isRequired: true, maxLength: requestLinkTextMax.title },
      },
      {
        ...{ type: 'text', name: 'note', label: texts.note, hint: texts.noteHint },
        ...{ isMultiline: true, maxLength: requestLinkTextMax.note },
      },
      {
        ...{ type: 'choice', name: 'expireAfterMinutes', label: texts.expires },
        ...durationChoice(messages, openMinutes, Math.min(max, Math.max(min, minutes ?? byDefault))),
      },
      {
        ...{ type: 'choice', name: 'answers', label: texts.answers, selected: '1' },
        options: answerNumbers.map((number) => ({ label: units.answers(number), value: String(number) })),
      },
      { type: 'text', name: 'passphrase', label: texts.passphrase, hint: forms.push.passphraseHint },
    ],
    state: {},
  };
}

export const readRequestLinkForm = (values: FormValues) => ({
  title: textIn(values, 'title') ?? '',
  note: textIn(values, 'note'),
  expireAfterMinutes: numberIn(values, 'expireAfterMinutes'),
  answers: numberIn(values, 'answers'),
  passphrase: textIn(values, 'passphrase'),
});

import { requestLinkAnswers, requestLinkMinutes, requestLinkTextMax } from '../../domain/index.ts';
import {
  type FormSpec,
  type FormState,
  type FormValues,
  formIds,
  type InputField,
  numberIn,
  textIn,
} from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { emailsMax } from './pushLimitFields.ts';
import { durationChoice, minutesOf } from './request.ts';

/** How long a link may take answers, in minutes. */
const openMinutes = [
  minutesOf.hour,
  4 * minutesOf.hour,
  ...[1, 2, 3, 7, 14, 30, 90].map((days) => days * minutesOf.day),
];
const answerNumbers = [1, 2, 3, 5, 10, 25, 50, requestLinkAnswers.max];

/** What is known before the form is opened. */
export type RequestLinkFormOptions = {
  minutes?: number | undefined;
  /** Whether the link may go to e-mail addresses. */
  canMail?: boolean;
  /** How many fields the chat has room for: the number of answers has none where links go by mail, unless the time is known. */
  fieldsMax?: number | undefined;
};

/** Creates a link by which people without an account send a secret. */
export function requestLinkForm(
  messages: ChatMessages,
  { minutes, canMail = false, fieldsMax = Number.POSITIVE_INFINITY }: RequestLinkFormOptions = {},
): FormSpec {
  const { forms, modals } = messages;
  const texts = forms.requestLink;
  const fields: InputField[] = [
    {
      ...{ type: 'text', name: 'title', label: texts.what, hint: texts.whatHint },
      ...{ isRequired: true, maxLength: requestLinkTextMax.title },
    },
    ...(canMail ? [toField(messages)] : []),
    {
      ...{ type: 'text', name: 'note', label: texts.note, hint: texts.noteHint },
      ...{ isMultiline: true, maxLength: requestLinkTextMax.note },
    },
    lifetimeField(messages, minutes),
    answersField(messages, canMail),
    { type: 'text', name: 'passphrase', label: texts.passphrase, hint: forms.push.passphraseHint },
  ];
  const leftOut = minutes === undefined ? 'answers' : 'expireAfterMinutes';
  return {
    id: formIds.requestLink,
    title: texts.title,
    submit: texts.submit,
    cancel: modals.cancel,
    fields: fields.length > fieldsMax ? fields.filter(({ name }) => name !== leftOut) : fields,
    state: minutes === undefined ? {} : { expires: `${minutes}m` },
  };
}

const toField = ({ forms: { requestLink } }: ChatMessages): InputField => ({
  ...{ type: 'text', name: 'to', label: requestLink.to, hint: requestLink.toHint },
  ...{ isMultiline: true, maxLength: emailsMax },
});

function lifetimeField(messages: ChatMessages, chosen: number | undefined): InputField {
  const { min, max, byDefault } = requestLinkMinutes;
  const minutes = Math.min(max, Math.max(min, chosen ?? byDefault));
  const { expires: label } = messages.forms.requestLink;
  return {
    ...{ type: 'choice', name: 'expireAfterMinutes', label },
    ...durationChoice(messages, openMinutes, minutes),
  };
}

function answersField({ forms: { requestLink }, units }: ChatMessages, canMail: boolean): InputField {
  const options = answerNumbers.map((number) => ({ label: units.answers(number), value: String(number) }));
  const byAddress = { label: requestLink.answersByAddress, value: 'usual' };
  return {
    ...{ type: 'choice', name: 'answers', label: requestLink.answers },
    ...(canMail
      ? { options: [byAddress, ...options], selected: byAddress.value }
      : { options, selected: '1' }),
  };
}

export const readRequestLinkForm = (values: FormValues, { expires }: FormState) => ({
  title: textIn(values, 'title') ?? '',
  to: textIn(values, 'to'),
  note: textIn(values, 'note'),
  expireAfterMinutes:
    numberIn(values, 'expireAfterMinutes') ?? (Number.parseInt(expires ?? '', 10) || undefined),
  answers: numberIn(values, 'answers'),
  passphrase: textIn(values, 'passphrase'),
});

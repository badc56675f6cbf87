import { pushTextMax } from '../../domain/index.ts';
import type { FormField } from '../form.ts';
import { enabledNotices, noticeOptions } from './options.ts';
import type { PushField, PushFieldContext } from './pushFieldContext.ts';

/** In characters, which have at most four bytes each: not more than a passphrase may have. */
const passphraseMax = 255;

/** The passphrase, and the options that most pushes leave alone. */
export const pushOptionFields = {
  passphrase: ({ messages: { forms }, draft }) => ({
    type: 'text',
    name: 'passphrase',
    label: forms.push.passphrase,
    hint: draft?.values.passphrase === undefined ? forms.push.passphraseHint : forms.push.passphraseKept,
    maxLength: passphraseMax,
  }),
  name: ({ messages: { forms } }) => ({
    type: 'text',
    name: 'name',
    label: forms.push.name,
    hint: forms.push.privateHint,
    maxLength: pushTextMax.name,
  }),
  note: ({ messages: { forms } }) => ({
    type: 'text',
    name: 'note',
    label: forms.push.note,
    hint: forms.push.privateHint,
    maxLength: pushTextMax.note,
    isMultiline: true,
  }),
  rights: ({ messages: { forms }, defaults: { requireBound } }) => {
    const names = [...(requireBound ? [] : (['bound'] as const)), 'deletable' as const];
    return {
      type: 'checkboxes',
      name: 'rights',
      label: forms.push.rights,
      options: names.map((name) => ({ label: forms.push[name], value: name })),
      selected: names,
    };
  },
  notify,
} satisfies Record<string, PushField>;

function notify({ messages, defaults: { notices } }: PushFieldContext): FormField {
  const { viewed: labels, ...others } = messages.notices.ofOnePush;
  const viewed = notices.viewed === 'first' ? 'first' : 'every';
  return {
    type: 'checkboxes',
    name: 'notify',
    label: messages.forms.push.notices,
    options: [{ label: labels[viewed], value: viewed }, ...noticeOptions(others)],
    selected: [notices.viewed, ...enabledNotices(notices)],
  };
}

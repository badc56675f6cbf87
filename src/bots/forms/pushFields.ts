import type { PushField, PushFieldContext } from './pushFieldContext.ts';
import { pushLimitFields } from './pushLimitFields.ts';
import { pushOptionFields } from './pushOptionFields.ts';
import { pushPayloadFields } from './pushPayloadFields.ts';

export type PushFormOptions = Omit<PushFieldContext, 'messages' | 'defaults' | 'fields'> & {
  /** Which fields to show, in this order: a chat has room for so many. */
  fields: PushFieldName[];
  /** Further fields, shown on request. */
  more?: PushFieldName[];
};

/** Every field that the form of a push can have. Their order decides which refused ones are shown first. */
export const pushFields = {
  ...pushPayloadFields,
  ...pushLimitFields,
  ...pushOptionFields,
  /** For chats that show further fields in a second form: asks which. */
  more: ({ messages: { forms }, defaults, state }) => ({
    type: 'checkboxes',
    name: 'more',
    label: forms.push.more,
    options: moreFields
      .filter((name) => isOffered(name, { defaults, state }))
      .map((name) => ({ label: forms.push.moreOptions[name], value: name })),
    selected: [],
    max: secondFormMax,
  }),
} satisfies Record<string, PushField>;

export type PushFieldName = keyof typeof pushFields;

/** A second form has room for five fields, one of which may have to ask for files again. */
const secondFormMax = 4;

/** The fields of a push that few need. */
export const moreFields = [
  'emails',
  'expireAfterViews',
  'passphrase',
  'name',
  'note',
  'rights',
  'notify',
] as const;

/** Whether a form has a field: not everybody may send files and mails, and an answer goes to whoever asked. */
export const isOffered = (
  name: string,
  { defaults, state }: Pick<PushFieldContext, 'defaults' | 'state'>,
): boolean =>
  name === 'files'
    ? defaults.canAttachFiles
    : name !== 'emails' || (defaults.canMail && state.requestId === undefined);

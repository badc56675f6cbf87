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
  more: ({ messages: { forms } }) => ({
    type: 'checkboxes',
    name: 'more',
    label: forms.push.more,
    options: moreFields.map((name) => ({ label: forms.push.moreOptions[name], value: name })),
    selected: [],
    max: secondFormMax,
  }),
} satisfies Record<string, PushField>;

export type PushFieldName = keyof typeof pushFields;

/** A second form has room for five fields, one of which may have to ask for files again. */
const secondFormMax = 4;

/** The fields of a push that few need. */
export const moreFields = ['expireAfterViews', 'passphrase', 'name', 'note', 'rights', 'notify'] as const;

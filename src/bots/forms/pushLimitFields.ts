import { recipientsMax } from '../../domain/index.ts';
import type { FormField, Option } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { viewChoice } from './numberChoices.ts';
import { lifetimeOptions, usualViewsLabel } from './options.ts';
import type { PushField, PushFieldContext } from './pushFieldContext.ts';

/** Who a push is for, how often it opens, and how long. */
export const pushLimitFields = {
  recipients,
  groups: ({ messages, groups = [] }) => groupsField(messages, groups),
  emails: ({ messages: { forms } }) => ({
    type: 'text',
    name: 'emails',
    label: forms.push.emails,
    hint: forms.push.emailsHint,
    isMultiline: true,
    maxLength: emailsMax,
  }),
  expireAfterViews: ({ messages, defaults, state }) => {
    const { views: chosen } = state;
    const { maxViews } = defaults;
    const field = viewChoice('expireAfterViews', messages.forms.push.views, {
      messages,
      bounds: defaults,
      current: chosen === undefined ? undefined : Math.min(chosen, maxViews),
      none: { label: usualViewsLabel(messages, defaults), value: 'usual' },
    });
    const isLowered = chosen !== undefined && chosen > maxViews;
    return { ...field, ...(isLowered && { hint: lowered(messages, messages.units.views(maxViews)) }) };
  },
  expireAfterDays: ({ messages, defaults, state }) => {
    const { days, maxDays } = defaults;
    const options = lifetimeOptions(messages, defaults, days);
    const isOffered = options.some(({ value }) => value === state.expires);
    const isLowered = state.expires !== undefined && !isOffered;
    return {
      type: 'choice',
      name: 'expireAfterDays',
      label: messages.forms.push.lifetime,
      options,
      selected: isOffered && state.expires ? state.expires : `${days}d`,
      ...(isLowered && { hint: lowered(messages, messages.units.days(maxDays)) }),
    };
  },
} satisfies Record<string, PushField>;

/** In characters: more addresses than a push has recipients. */
export const emailsMax = 2_000;

const lowered = ({ forms }: ChatMessages, max: string): string => forms.push.lowered(max);

/** Groups whose members become recipients. */
export const groupsField = ({ forms }: ChatMessages, options: Option[]): FormField => ({
  type: 'checkboxes',
  isLong: true,
  name: 'groups',
  label: forms.push.groups,
  hint: forms.push.groupsHint,
  options,
  selected: [],
});

function recipients({
  messages,
  defaults,
  state,
  fields,
  recipients: selected,
}: PushFieldContext): FormField {
  const { recipients: label, recipientsHint: hint, onlyRequester } = messages.forms.push;
  if (state.requestId !== undefined) return { type: 'info', text: onlyRequester };
  const isRequired = defaults.requireRecipients && !fields.includes('groups') && !defaults.canMail;
  return { type: 'people', name: 'recipients', label, hint, isRequired, max: recipientsMax, selected };
}

import type { Platform, WorkspaceSettings } from '../../domain/index.ts';
import { platforms } from '../../platforms.ts';
import { type FormField, type FormSpec, type FormValues, formIds, listIn, numberIn } from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { dayChoice, viewChoice } from './numberChoices.ts';
import { type SettingBounds, usualViewsLabel } from './options.ts';

/** The rules of a workspace alone, for chats that show them in a form of their own. */
export function rulesForm(
  messages: ChatMessages,
  rules: WorkspaceSettings,
  bounds: SettingBounds,
  platform: Platform,
): FormSpec {
  const { title, submit } = messages.forms.rules;
  const fields = ruleFields(messages, rules, bounds, platforms[platform]);
  return {
    id: formIds.rules,
    title: title[platforms[platform].workspaceIs],
    submit,
    cancel: messages.modals.cancel,
    fields,
    state: {},
  };
}

/** The rules that are on or off. */
const switches = [
  'requireRecipients',
  'requireBound',
  'onlyMembersReceive',
  'onlyMembersPush',
  'onlyAdminsPush',
] as const;

/** The fields of a workspace's rules. */
export function ruleFields(
  messages: ChatMessages,
  rules: WorkspaceSettings,
  bounds: SettingBounds,
  { hasSlashText }: { hasSlashText: boolean },
): FormField[] {
  const { rules: labels, byDefault, noLimit } = messages.forms;
  const { views, days } = messages.units;
  const usual = (amount: string) => ({
    messages,
    bounds,
    none: { label: byDefault(amount), value: 'usual' },
  });
  const limit = (amount: string) => ({ messages, bounds, none: { label: noLimit(amount), value: 'none' } });
  const names = [...switches, ...(hasSlashText ? (['allowSlashText'] as const) : [])];
  return [
    viewChoice('usualViews', labels.views, {
      messages,
      bounds,
      none: { label: usualViewsLabel(messages, bounds), value: 'usual' },
      current: rules.expireAfterViews,
    }),
    dayChoice('usualDays', labels.lifetime, {
      ...usual(days(bounds.days)),
      current: rules.expireAfterDays,
    }),
    viewChoice('maxViews', labels.maxViews, { ...limit(views(bounds.maxViews)), current: rules.maxViews }),
    dayChoice('maxDays', labels.maxLifetime, { ...limit(days(bounds.maxDays)), current: rules.maxDays }),
    {
      type: 'checkboxes',
      name: 'rules',
      label: labels.rules,
      options: names.map((name) => ({ label: labels[name], value: name })),
      selected: names.filter((name) => rules[name]),
    },
  ];
}

/** The rules that were set. Where text after a command does not exist, it stays allowed. */
export function readRules(
  values: FormValues,
  { hasSlashText }: { hasSlashText: boolean },
): WorkspaceSettings {
  const enabled = listIn(values, 'rules') ?? [];
  return {
    expireAfterViews: numberIn(values, 'usualViews'),
    expireAfterDays: numberIn(values, 'usualDays'),
    maxViews: numberIn(values, 'maxViews'),
    maxDays: numberIn(values, 'maxDays'),
    requireRecipients: enabled.includes('requireRecipients'),
    requireBound: enabled.includes('requireBound'),
    onlyMembersReceive: enabled.includes('onlyMembersReceive'),
    onlyMembersPush: enabled.includes('onlyMembersPush'),
    onlyAdminsPush: enabled.includes('onlyAdminsPush'),
    allowSlashText: !hasSlashText || enabled.includes('allowSlashText'),
  };
}

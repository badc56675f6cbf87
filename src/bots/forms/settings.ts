import type { NoticePreferences, PersonalSettings, WorkspaceSettings } from '../../domain/index.ts';
import { exportActivityButton } from '../cards/buttons.ts';
import {
  type FormField,
  type FormSpec,
  type FormValues,
  formIds,
  listIn,
  numberIn,
  textIn,
} from '../form.ts';
import type { ChatMessages } from '../messages.ts';
import { dayChoice, viewChoice } from './numberChoices.ts';
import {
  enabledNotices,
  noticeOptions,
  type SettingBounds,
  toNoticePreferences,
  usualViewsLabel,
} from './options.ts';
import { ruleFields } from './rules.ts';

/** A user's own settings and, for admins, those of the workspace. */
export type ChatUserSettings = {
  personal: PersonalSettings;
  notices: NoticePreferences;
  workspace: WorkspaceSettings;
};

/** `hasRules`: with the rules of their workspace below. `asksTimeZone`: for chats that do not tell it. */
export type SettingsFormOptions = { hasRules?: boolean; asksTimeZone?: boolean };

/** Time zones to choose from, one for each hour or so: a menu in Discord holds 25 options. */
const timeZones = [
  ...['Pacific/Honolulu', 'America/Anchorage', 'America/Los_Angeles', 'America/Denver', 'America/Chicago'],
  ...['America/New_York', 'America/Halifax', 'America/Sao_Paulo', 'Atlantic/Azores', 'Europe/London'],
  ...['Europe/Berlin', 'Europe/Athens', 'Europe/Istanbul', 'Asia/Dubai', 'Asia/Karachi', 'Asia/Kolkata'],
  ...['Asia/Dhaka', 'Asia/Bangkok', 'Asia/Shanghai', 'Asia/Tokyo', 'Australia/Brisbane', 'Australia/Sydney'],
  'Pacific/Auckland',
];

/** A user's own settings and, with `hasRules`, those of their workspace below. */
export function settingsForm(
  messages: ChatMessages,
  settings: ChatUserSettings,
  bounds: SettingBounds,
  { hasRules = false, asksTimeZone = false }: SettingsFormOptions = {},
): FormSpec {
  const { title, submit } = messages.forms.settings;
  const rules: FormField[] = [
    { type: 'heading', text: messages.forms.rules.heading },
    ...ruleFields(messages, settings.workspace, bounds, { hasSlashText: true }),
    { type: 'button', button: exportActivityButton(messages) },
  ];
  return {
    id: formIds.settings,
    title,
    submit,
    cancel: messages.modals.cancel,
    fields: [
      ...personalFields(messages, settings, bounds),
      ...(asksTimeZone ? [timeZoneField(messages, settings.personal)] : []),
      ...(hasRules ? rules : []),
    ],
    state: { hasRules },
  };
}

function personalFields(
  messages: ChatMessages,
  settings: ChatUserSettings,
  bounds: SettingBounds,
): FormField[] {
  const { forms, notices } = messages;
  const { personal, notices: preferences } = settings;
  const { days } = messages.units;
  const { expireAfterViews, expireAfterDays = bounds.days } = settings.workspace;
  const usual =
    expireAfterViews === undefined ? bounds : { views: expireAfterViews, viewsForOne: expireAfterViews };
  const byDefault = (amount: string) => ({ label: forms.byDefault(amount), value: 'usual' });
  const { viewed, ...labels } = notices.ofAllPushes;
  return [
    viewChoice('views', forms.settings.views, {
      messages,
      bounds,
      current: personal.expireAfterViews,
      none: { label: usualViewsLabel(messages, usual), value: 'usual' },
    }),
    dayChoice('days', forms.settings.lifetime, {
      messages,
      bounds,
      current: personal.expireAfterDays,
      none: byDefault(days(expireAfterDays)),
    }),
    {
      type: 'choice',
      name: 'viewed',
      label: forms.settings.viewed,
      options: (['every', 'first', 'none'] as const).map((value) => ({ label: viewed[value], value })),
      selected: preferences.viewed,
    },
    {
      type: 'checkboxes',
      name: 'notices',
      label: forms.settings.notices,
      options: noticeOptions(labels),
      selected: enabledNotices(preferences),
    },
  ];
}

const timeZoneField = ({ forms }: ChatMessages, { timeZone = 'none' }: PersonalSettings): FormField => ({
  type: 'choice',
  name: 'timeZone',
  label: forms.settings.timeZone,
  options: [
    { label: forms.settings.noTimeZone, value: 'none' },
    ...timeZones.map((name) => ({ label: name.replaceAll('_', ' '), value: name })),
  ],
  selected: timeZone,
});

/** A user's own settings. Numbers left at their defaults are absent. */
export const readSettingsForm = (values: FormValues): Omit<ChatUserSettings, 'workspace'> => ({
  personal: {
    expireAfterViews: numberIn(values, 'views'),
    expireAfterDays: numberIn(values, 'days'),
    timeZone: timeZones.find((name) => name === textIn(values, 'timeZone')),
  },
  notices: toNoticePreferences(textIn(values, 'viewed'), listIn(values, 'notices') ?? []),
});

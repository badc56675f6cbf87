import type {
  APIModalSubmission,
  APIModalInteractionResponseCallbackData as Modal,
} from 'discord-api-types/v10';
import type { FormDefaults, WorkspaceSettings } from '../../domain/index.ts';
import * as choices from '../choices.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import { buildCustomId } from './customIds.ts';
import { checkboxes, readFields, stringSelect } from './elements.ts';
import { formActions } from './form.ts';

type Bounds = Pick<FormDefaults, 'maxViews' | 'maxDays'>;

const { defaultChoice, unlimitedChoice } = choices;

/** Somebody's own settings as a modal. */
export const renderSettings = ({ personal, notices }: ChatUserSettings, bounds: Bounds): Modal => ({
  custom_id: buildCustomId(formActions.settings),
  title: 'Settings',
  components: [
    views('views', 'My pushes open', bounds, personal.expireAfterViews, defaultChoice),
    days('days', 'My pushes expire after', bounds, personal.expireAfterDays, defaultChoice),
    stringSelect('viewed', 'Tell me of views', choices.viewedOptions, notices.viewed),
    checkboxes('notices', 'Tell me when', choices.noticeChoices, choices.enabledNotices(notices)),
  ],
});

/** The rules of a server as a modal. */
export const renderRules = ({ workspace: rules }: ChatUserSettings, bounds: Bounds): Modal => ({
  custom_id: buildCustomId(formActions.rules),
  title: 'Rules for everybody in this server',
  components: [
    views('usualViews', 'Pushes open', bounds, rules.expireAfterViews, defaultChoice),
    days('usualDays', 'Pushes expire after', bounds, rules.expireAfterDays, defaultChoice),
    views('maxViews', 'At most', bounds, rules.maxViews, unlimitedChoice),
    days('maxDays', 'For at most', bounds, rules.maxDays, unlimitedChoice),
    checkboxes(
      'rules',
      'Rules',
      [choices.rules.requireRecipients],
      rules.requireRecipients ? ['requireRecipients'] : [],
    ),
  ],
});

type Current = number | undefined;

function views(id: string, name: string, { maxViews }: Bounds, current: Current, none: choices.Choice) {
  const all = choices.optionalNumberChoices(choices.viewChoices, maxViews, current, 'view', none);
  return stringSelect(id, name, all, String(current ?? none.value));
}

function days(id: string, name: string, { maxDays }: Bounds, current: Current, none: choices.Choice) {
  const all = choices.optionalNumberChoices(choices.dayChoices, maxDays, current, 'day', none);
  return stringSelect(id, name, all, String(current ?? none.value));
}

/** What somebody set for themselves. Numbers that were left as usual are absent. */
export function readSettings(submission: APIModalSubmission): Pick<ChatUserSettings, 'personal' | 'notices'> {
  const { number, choice, values } = readFields(submission);
  return {
    personal: { expireAfterViews: number('views'), expireAfterDays: number('days') },
    notices: choices.toNoticePreferences(choice('viewed'), new Set(values('notices'))),
  };
}

/** The rules that were set for a server. No secret is ever typed after a command here. */
export function readRules(submission: APIModalSubmission): WorkspaceSettings {
  const { number, values } = readFields(submission);
  return {
    expireAfterViews: number('usualViews'),
    expireAfterDays: number('usualDays'),
    maxViews: number('maxViews'),
    maxDays: number('maxDays'),
    requireRecipients: values('rules').includes('requireRecipients'),
    allowSlashText: true,
  };
}

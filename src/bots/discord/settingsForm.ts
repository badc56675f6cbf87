import type { APIModalSubmission, APIModalInteractionResponseCallbackData as Modal } from 'discord.js';
import type { FormDefaults, NoticeChoice, PersonSettings, WorkspaceSettings } from '../../domain/index.ts';
import * as choices from '../choices.ts';
import type { Settings } from '../commands.ts';
import { writeId } from './customIds.ts';
import { readFields, select, ticks } from './elements.ts';
import { forms } from './form.ts';

type Bounds = Pick<FormDefaults, 'maxViews' | 'maxDays'>;

const { usual, unlimited } = choices;

/** Somebody's own settings as a modal. */
export const drawSettings = ({ person, notices }: Settings, bounds: Bounds): Modal => ({
  custom_id: writeId(forms.settings),
  title: 'Settings',
  components: [
    views('views', 'My pushes open', bounds, person.expireAfterViews, usual),
    days('days', 'My pushes expire after', bounds, person.expireAfterDays, usual),
    select('viewed', 'Tell me of views', choices.viewedChoices, notices.viewed),
    ticks('notices', 'Tell me when', choices.noticeChoices, choices.tickedOf(notices)),
  ],
});

/** The rules of a server as a modal. */
export const drawRules = ({ workspace: rules }: Settings, bounds: Bounds): Modal => ({
  custom_id: writeId(forms.rules),
  title: 'Rules for everybody in this server',
  components: [
    views('usualViews', 'Pushes open', bounds, rules.expireAfterViews, usual),
    days('usualDays', 'Pushes expire after', bounds, rules.expireAfterDays, usual),
    views('maxViews', 'At most', bounds, rules.maxViews, unlimited),
    days('maxDays', 'For at most', bounds, rules.maxDays, unlimited),
    ticks(
      'rules',
      'Rules',
      [choices.rules.requireRecipients],
      rules.requireRecipients ? ['requireRecipients'] : [],
    ),
  ],
});

type Present = number | undefined;

function views(id: string, name: string, { maxViews }: Bounds, present: Present, none: choices.Choice) {
  const all = choices.numbersOrNone(choices.viewChoices, maxViews, present, 'view', none);
  return select(id, name, all, String(present ?? none.value));
}

function days(id: string, name: string, { maxDays }: Bounds, present: Present, none: choices.Choice) {
  const all = choices.numbersOrNone(choices.dayChoices, maxDays, present, 'day', none);
  return select(id, name, all, String(present ?? none.value));
}

/** What somebody set for themselves. Numbers that were left as usual are absent. */
export function readSettings(submission: APIModalSubmission): {
  person: PersonSettings;
  notices: NoticeChoice;
} {
  const { number, choice, values } = readFields(submission);
  return {
    person: { expireAfterViews: number('views'), expireAfterDays: number('days') },
    notices: choices.noticesOf(choice('viewed'), new Set(values('notices'))),
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

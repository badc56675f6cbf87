import type { types } from '@slack/bolt';
import type { FormDefaults, WorkspaceSettings } from '../../domain/index.ts';
import * as choices from '../choices.ts';
import type { ChatUserSettings } from '../forms/settings.ts';
import {
  type Block,
  checkboxes,
  options,
  plainText,
  readFields,
  type StateValues,
  staticSelect,
} from './elements.ts';

export const settingsFormId = 'settings.form';

type Bounds = Pick<FormDefaults, 'maxViews' | 'maxDays'>;

const { defaultChoice, unlimitedChoice } = choices;

/** Somebody's settings as a modal and, for an admin, those of the workspace below. */
export function renderSettingsModal(
  { personal, notices, workspace }: ChatUserSettings,
  bounds: Bounds,
  { isAdmin }: { isAdmin: boolean },
): types.ModalView {
  return {
    type: 'modal',
    callback_id: settingsFormId,
    private_metadata: isAdmin ? 'admin' : '',
    title: plainText('Settings'),
    submit: plainText('Save'),
    close: plainText('Cancel'),
    blocks: [
      views('views', 'My pushes open', bounds, personal.expireAfterViews, defaultChoice),
      days('days', 'My pushes expire after', bounds, personal.expireAfterDays, defaultChoice),
      staticSelect('viewed', 'Tell me of views', options(choices.viewedOptions), notices.viewed),
      checkboxes('notices', 'Tell me when', options(choices.noticeChoices), choices.enabledNotices(notices)),
      ...(isAdmin ? workspaceBlocks(workspace, bounds) : []),
    ],
  };
}

const ruleNames = ['requireRecipients', 'allowSlashText'] as const;

function workspaceBlocks(rules: WorkspaceSettings, bounds: Bounds): Block[] {
  const ticked = ruleNames.filter((name) => rules[name]);
  return [
    { type: 'divider' },
    { type: 'header', text: plainText('For everybody in this workspace') },
    views('usualViews', 'Pushes open', bounds, rules.expireAfterViews, defaultChoice),
    days('usualDays', 'Pushes expire after', bounds, rules.expireAfterDays, defaultChoice),
    views('maxViews', 'At most', bounds, rules.maxViews, unlimitedChoice),
    days('maxDays', 'For at most', bounds, rules.maxDays, unlimitedChoice),
    checkboxes('rules', 'Rules', options(ruleNames.map((name) => choices.rules[name])), ticked),
  ];
}

function views(
  id: string,
  name: string,
  { maxViews }: Bounds,
  current: number | undefined,
  none: typeof defaultChoice,
) {
  const all = choices.optionalNumberChoices(choices.viewChoices, maxViews, current, 'view', none);
  return staticSelect(id, name, options(all), String(current ?? none.value));
}

function days(
  id: string,
  name: string,
  { maxDays }: Bounds,
  current: number | undefined,
  none: typeof defaultChoice,
) {
  const all = choices.optionalNumberChoices(choices.dayChoices, maxDays, current, 'day', none);
  return staticSelect(id, name, options(all), String(current ?? none.value));
}

/** What was set. Numbers that were left as usual are absent. */
export function readSettings(
  values: StateValues,
  { isAdmin }: { isAdmin: boolean },
): Omit<ChatUserSettings, 'workspace'> & { workspace?: WorkspaceSettings } {
  const { number, choice, selected } = readFields(values);
  const rules = selected('rules');
  return {
    personal: { expireAfterViews: number('views'), expireAfterDays: number('days') },
    notices: choices.toNoticePreferences(choice('viewed'), selected('notices')),
    ...(isAdmin && {
      workspace: {
        expireAfterViews: number('usualViews'),
        expireAfterDays: number('usualDays'),
        maxViews: number('maxViews'),
        maxDays: number('maxDays'),
        requireRecipients: rules.has('requireRecipients'),
        allowSlashText: rules.has('allowSlashText'),
      },
    }),
  };
}

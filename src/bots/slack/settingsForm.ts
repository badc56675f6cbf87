import type { types } from '@slack/bolt';
import type { FormDefaults, WorkspaceSettings } from '../../domain/index.ts';
import * as choices from '../choices.ts';
import type { Settings } from '../commands.ts';
import { type Block, checkboxes, label, options, readFields, select, type Values } from './elements.ts';

export const settingsId = 'settings.form';

type Bounds = Pick<FormDefaults, 'maxViews' | 'maxDays'>;

const { usual, unlimited } = choices;

/** Somebody's settings as a modal and, for an admin, those of the workspace below. */
export function drawSettings(
  { person, notices, workspace }: Settings,
  bounds: Bounds,
  { isAdmin }: { isAdmin: boolean },
): types.ModalView {
  return {
    type: 'modal',
    callback_id: settingsId,
    private_metadata: isAdmin ? 'admin' : '',
    title: label('Settings'),
    submit: label('Save'),
    close: label('Cancel'),
    blocks: [
      views('views', 'My pushes open', bounds, person.expireAfterViews, usual),
      days('days', 'My pushes expire after', bounds, person.expireAfterDays, usual),
      select('viewed', 'Tell me of views', options(choices.viewedChoices), notices.viewed),
      checkboxes('notices', 'Tell me when', options(choices.noticeChoices), choices.tickedOf(notices)),
      ...(isAdmin ? workspaceBlocks(workspace, bounds) : []),
    ],
  };
}

const ruleNames = ['requireRecipients', 'allowSlashText'] as const;

function workspaceBlocks(rules: WorkspaceSettings, bounds: Bounds): Block[] {
  const ticked = ruleNames.filter((name) => rules[name]);
  return [
    { type: 'divider' },
    { type: 'header', text: label('For everybody in this workspace') },
    views('usualViews', 'Pushes open', bounds, rules.expireAfterViews, usual),
    days('usualDays', 'Pushes expire after', bounds, rules.expireAfterDays, usual),
    views('maxViews', 'At most', bounds, rules.maxViews, unlimited),
    days('maxDays', 'For at most', bounds, rules.maxDays, unlimited),
    checkboxes('rules', 'Rules', options(ruleNames.map((name) => choices.rules[name])), ticked),
  ];
}

function views(
  id: string,
  name: string,
  { maxViews }: Bounds,
  present: number | undefined,
  none: typeof usual,
) {
  const all = choices.numbersOrNone(choices.viewChoices, maxViews, present, 'view', none);
  return select(id, name, options(all), String(present ?? none.value));
}

function days(
  id: string,
  name: string,
  { maxDays }: Bounds,
  present: number | undefined,
  none: typeof usual,
) {
  const all = choices.numbersOrNone(choices.dayChoices, maxDays, present, 'day', none);
  return select(id, name, options(all), String(present ?? none.value));
}

/** What was set. Numbers that were left as usual are absent. */
export function readSettings(
  values: Values,
  { isAdmin }: { isAdmin: boolean },
): Omit<Settings, 'workspace'> & { workspace?: WorkspaceSettings } {
  const { number, choice, ticked } = readFields(values);
  const rules = ticked('rules');
  return {
    person: { expireAfterViews: number('views'), expireAfterDays: number('days') },
    notices: choices.noticesOf(choice('viewed'), ticked('notices')),
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

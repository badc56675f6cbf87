import type { types } from '@slack/bolt';
import type { FormDefaults, WorkspaceSettings } from '../../domain/index.ts';
import type { Settings } from '../commands.ts';
import {
  type Block,
  checkboxes,
  dayChoices,
  label,
  numbers,
  option,
  readFields,
  select,
  type Values,
  viewChoices,
} from './elements.ts';

export const settingsId = 'settings.form';

const usual = option('As usual here', 'usual');
const unlimited = option('No limit of ours', 'none');

/** Somebody's settings as a modal and, for an admin, those of the workspace below. */
export function drawSettings(
  { person, notices, workspace }: Settings,
  { maxViews, maxDays }: Pick<FormDefaults, 'maxViews' | 'maxDays'>,
  { isAdmin }: { isAdmin: boolean },
): types.ModalView {
  const { viewed, ...others } = notices;
  const ticked = Object.entries(others).flatMap(([name, isOn]) => (isOn ? [name] : []));
  return {
    type: 'modal',
    callback_id: settingsId,
    private_metadata: isAdmin ? 'admin' : '',
    title: label('Settings'),
    submit: label('Save'),
    close: label('Cancel'),
    blocks: [
      numberOrNone('views', 'My pushes open', viewChoices, maxViews, person.expireAfterViews, 'view', usual),
      numberOrNone(
        'days',
        'My pushes expire after',
        dayChoices,
        maxDays,
        person.expireAfterDays,
        'day',
        usual,
      ),
      select('viewed', 'Tell me of views', viewedOptions, viewed),
      checkboxes('notices', 'Tell me when', noticeOptions, ticked),
      ...(isAdmin ? workspaceBlocks(workspace, { maxViews, maxDays }) : []),
    ],
  };
}

const viewedOptions = [
  option('Every view', 'every'),
  option('The first view', 'first'),
  option('Never', 'none'),
];

const noticeOptions = [
  option('A push expires', 'expired'),
  option('Somebody enters a wrong passphrase', 'failedPassphrase'),
  option('A push is about to expire unread', 'reminder'),
];

const ruleOptions = [
  option('Every push needs recipients', 'requireRecipients'),
  option('Secrets may be typed after the command', 'allowSlashText'),
];

function workspaceBlocks(
  rules: WorkspaceSettings,
  { maxViews, maxDays }: { maxViews: number; maxDays: number },
): Block[] {
  const ticked = (['requireRecipients', 'allowSlashText'] as const).filter((name) => rules[name]);
  return [
    { type: 'divider' },
    { type: 'header', text: label('For everybody in this workspace') },
    numberOrNone('usualViews', 'Pushes open', viewChoices, maxViews, rules.expireAfterViews, 'view', usual),
    numberOrNone(
      'usualDays',
      'Pushes expire after',
      dayChoices,
      maxDays,
      rules.expireAfterDays,
      'day',
      usual,
    ),
    numberOrNone('maxViews', 'At most', viewChoices, maxViews, rules.maxViews, 'view', unlimited),
    numberOrNone('maxDays', 'For at most', dayChoices, maxDays, rules.maxDays, 'day', unlimited),
    checkboxes('rules', 'Rules', ruleOptions, ticked),
  ];
}

function numberOrNone(
  id: string,
  name: string,
  choices: number[],
  max: number,
  present: number | undefined,
  word: string,
  none: typeof usual,
): Block {
  const options = [none, ...numbers(choices, max, present ?? Math.min(max, choices[0] ?? 1), word)];
  return select(id, name, options, present === undefined ? String(none.value) : String(present));
}

/** What was set. Numbers that were left as usual are absent. */
export function readSettings(
  values: Values,
  { isAdmin }: { isAdmin: boolean },
): Omit<Settings, 'workspace'> & { workspace?: WorkspaceSettings } {
  const { number, choice, ticked } = readFields(values);
  const told = ticked('notices');
  const rules = ticked('rules');
  const viewed = (['every', 'first', 'none'] as const).find((each) => each === choice('viewed')) ?? 'every';
  return {
    person: { expireAfterViews: number('views'), expireAfterDays: number('days') },
    notices: {
      viewed,
      expired: told.has('expired'),
      failedPassphrase: told.has('failedPassphrase'),
      reminder: told.has('reminder'),
    },
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

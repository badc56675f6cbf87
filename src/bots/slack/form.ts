import type { types, ViewStateValue } from '@slack/bolt';
import type { Form, FormDefaults } from '../../domain/index.ts';

type Block = types.KnownBlock;
type Option = types.PlainTextOption;

export const formId = 'push.form';
export const composeId = 'push.compose';

const viewChoices = [1, 2, 3, 5, 10, 25, 100];
const dayChoices = [1, 2, 3, 7, 14, 30, 60, 90];
const secretMax = 3_000;

const option = (text: string, value: string): Option => ({
  text: { type: 'plain_text', text },
  value,
});

/** Numbers up to a bound, with the default among them. */
function numberChoices(choices: number[], max: number, initial: number, word: string): Option[] {
  const all = [...new Set([...choices.filter((each) => each <= max), initial])].sort((a, b) => a - b);
  return all.map((each) => option(`${each} ${word}${each === 1 ? '' : 's'}`, String(each)));
}

const notices = {
  viewed: option('It is viewed', 'viewed'),
  expired: option('It expires', 'expired'),
  failedPassphrase: option('Somebody enters a wrong passphrase', 'failedPassphrase'),
} as const;

const deletable = option('Recipients may delete it', 'deletable');

type Prefilled = { payload?: string; recipients?: string[]; context?: string };

/** The form of a push as a modal. `context` comes back when it is submitted. */
export function drawForm(
  defaults: FormDefaults,
  { payload, recipients = [], context = '' }: Prefilled = {},
): types.ModalView {
  const views = numberChoices(viewChoices, defaults.maxViews, defaults.views, 'view');
  const days = numberChoices(dayChoices, defaults.maxDays, defaults.days, 'day');
  const at = (choices: Option[], value: number) => choices.find((each) => each.value === String(value));
  const blocks: Block[] = [
    {
      type: 'input',
      block_id: 'payload',
      label: label('Secret'),
      element: {
        type: 'plain_text_input',
        action_id: 'value',
        multiline: true,
        max_length: secretMax,
        focus_on_load: true,
        ...(payload && { initial_value: payload }),
      },
    },
    {
      type: 'actions',
      block_id: 'compose',
      elements: [
        {
          type: 'button',
          action_id: composeId,
          text: label('Compose in browser'),
          value: 'compose',
        },
      ],
    },
    {
      type: 'input',
      block_id: 'recipients',
      optional: !defaults.requireRecipients,
      label: label('Recipients'),
      element: {
        type: 'multi_users_select',
        action_id: 'value',
        max_selected_items: 20,
        placeholder: label('Who gets it'),
        ...(recipients.length > 0 && { initial_users: recipients }),
      },
    },
    select('expireAfterViews', 'Views', views, at(views, defaults.views)),
    select('expireAfterDays', 'Expires after', days, at(days, defaults.days)),
    text('passphrase', 'Passphrase', 'Tell them by another way', 255),
    text('name', 'Name', 'For you alone', 255),
    text('note', 'Note', 'For you alone', 2_000),
    {
      type: 'input',
      block_id: 'options',
      optional: true,
      label: label('Rights'),
      element: {
        type: 'checkboxes',
        action_id: 'value',
        options: [deletable],
        initial_options: [deletable],
      },
    },
    {
      type: 'input',
      block_id: 'notify',
      optional: true,
      label: label('Tell me when'),
      element: {
        type: 'checkboxes',
        action_id: 'value',
        options: Object.values(notices),
        initial_options: Object.values(notices),
      },
    },
  ];
  return {
    type: 'modal',
    callback_id: formId,
    private_metadata: context,
    title: label('New push'),
    submit: label('Push'),
    close: label('Cancel'),
    blocks,
  };
}

const label = (text: string) => ({ type: 'plain_text' as const, text });

function select(id: string, name: string, options: Option[], initial: Option | undefined): Block {
  return {
    type: 'input',
    block_id: id,
    label: label(name),
    element: {
      type: 'static_select',
      action_id: 'value',
      options,
      ...(initial && { initial_option: initial }),
    },
  };
}

function text(id: string, name: string, placeholder: string, max: number): Block {
  return {
    type: 'input',
    block_id: id,
    optional: true,
    label: label(name),
    element: {
      type: 'plain_text_input',
      action_id: 'value',
      max_length: max,
      placeholder: label(placeholder),
    },
  };
}

/** What was filled in; `addressOf` gives a Slack user the address that the domain knows. */
export function readForm(
  values: Record<string, Record<string, ViewStateValue>>,
  addressOf: (user: string) => string,
): Form {
  const field = (id: string) => values[id]?.value;
  const word = (id: string) => field(id)?.value ?? undefined;
  const number = (id: string) => Number(field(id)?.selected_option?.value ?? Number.NaN) || undefined;
  const ticked = (id: string) => new Set((field(id)?.selected_options ?? []).map(({ value }) => value));
  const told = ticked('notify');
  return {
    payload: word('payload') ?? '',
    recipients: (field('recipients')?.selected_users ?? []).map(addressOf),
    expireAfterViews: number('expireAfterViews'),
    expireAfterDays: number('expireAfterDays'),
    passphrase: word('passphrase'),
    name: word('name'),
    note: word('note'),
    deletableByViewer: ticked('options').has('deletable'),
    notify: {
      viewed: told.has('viewed') ? 'every' : 'none',
      expired: told.has('expired'),
      failedPassphrase: told.has('failedPassphrase'),
      reminder: told.has('expired'),
    },
  };
}

/** Which of the form's fields can show what was wrong with which of the domain's. */
export const blockOf: Record<string, string> = {
  payload: 'payload',
  recipients: 'recipients',
  expireAfterViews: 'expireAfterViews',
  expireAfterDays: 'expireAfterDays',
  passphrase: 'passphrase',
  name: 'name',
  note: 'note',
};

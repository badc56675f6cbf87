import type { types } from '@slack/bolt';
import type { Form, FormDefaults } from '../../domain/index.ts';
import { dayChoices, noticesOf, numbers, tickedOf, viewChoices } from '../choices.ts';
import { acts } from '../messages.ts';
import {
  action_id,
  type Block,
  checkboxes,
  input,
  label,
  option,
  options,
  readFields,
  select,
  text,
  type Values,
} from './elements.ts';

export const formId = 'push.form';

const secretMax = 3_000;
const peopleMax = 20;

const deletable = option('Recipients may delete it', 'deletable');

type About = {
  /** Comes back when the form is submitted. */
  memory: string;
  /** The form in a browser. */
  composing: { link: string; token: string };
  /** What is to be pushed, where that is not asked for. */
  draft?: string | undefined;
  /** Whether somebody asked for it, and so gets it. */
  isAsked?: boolean;
};

/** The form of a push as a modal. */
export function drawForm(
  { views, days, maxViews, maxDays, requireRecipients, notices }: FormDefaults,
  { memory, composing, draft, isAsked = false }: About,
): types.ModalView {
  return {
    type: 'modal',
    callback_id: formId,
    private_metadata: memory,
    title: label(isAsked ? 'Provide a secret' : 'New push'),
    submit: label('Push'),
    close: label('Cancel'),
    blocks: [
      ...(draft === undefined ? [secretInput, compose(composing)] : [note(draft)]),
      isAsked
        ? note('Whoever asked for it gets it, and nobody else.')
        : input(
            'recipients',
            'Recipients',
            {
              type: 'multi_users_select',
              action_id,
              max_selected_items: peopleMax,
              placeholder: label('Who gets it, by direct message'),
            },
            { optional: !requireRecipients },
          ),
      select(
        'expireAfterViews',
        'Views',
        options(numbers(viewChoices, maxViews, views, 'view')),
        String(views),
      ),
      select(
        'expireAfterDays',
        'Expires after',
        options(numbers(dayChoices, maxDays, days, 'day')),
        String(days),
      ),
      text('passphrase', 'Passphrase', { placeholder: 'Tell them by another way', max: 255 }),
      text('name', 'Name', { placeholder: 'Only you see it', max: 255 }),
      text('note', 'Note', { placeholder: 'Only you see it', max: 2_000 }),
      checkboxes('options', 'Rights', [deletable], ['deletable']),
      checkboxes('notify', 'Tell me when', noticeOptions(notices), [notices.viewed, ...tickedOf(notices)]),
    ],
  };
}

const secretInput = input('payload', 'Secret', {
  type: 'plain_text_input',
  action_id,
  multiline: true,
  max_length: secretMax,
  focus_on_load: true,
});

const note = (words: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text: words } });

const compose = ({ link, token }: About['composing']): Block => ({
  type: 'actions',
  block_id: 'compose',
  elements: [
    {
      type: 'button',
      action_id: acts.compose,
      text: label('Compose in browser'),
      url: link,
      value: token,
    },
  ],
});

type Notices = FormDefaults['notices'];

function noticeOptions({ viewed }: Notices) {
  return [
    option(
      viewed === 'first' ? 'It is first viewed' : 'It is viewed',
      viewed === 'first' ? 'first' : 'every',
    ),
    option('It expires', 'expired'),
    option('Somebody enters a wrong passphrase', 'failedPassphrase'),
    option('It is about to expire unread', 'reminder'),
    option('Somebody asks for it when it is over', 'askedAgain'),
  ];
}

/** What was filled in: the push, and the users who are to get it. */
export function readForm(values: Values): { form: Form; users: string[] } {
  const { word, number, ticked, people } = readFields(values);
  const told = ticked('notify');
  const viewed = (['first', 'every'] as const).find((choice) => told.has(choice)) ?? 'none';
  return {
    form: {
      payload: word('payload') ?? '',
      expireAfterViews: number('expireAfterViews'),
      expireAfterDays: number('expireAfterDays'),
      passphrase: word('passphrase'),
      name: word('name'),
      note: word('note'),
      deletableByViewer: ticked('options').has('deletable'),
      notify: noticesOf(viewed, told),
    },
    users: people('recipients'),
  };
}

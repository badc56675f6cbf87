import type { types } from '@slack/bolt';
import type { FormDefaults, PushForm } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import { dayChoices, enabledNotices, numberChoices, toNoticePreferences, viewChoices } from '../choices.ts';
import {
  action_id,
  type Block,
  checkboxes,
  input,
  option,
  options,
  plainText,
  readFields,
  type StateValues,
  staticSelect,
  textInput,
} from './elements.ts';

export const formId = 'push.form';

const secretMax = 3_000;
const peopleMax = 20;

const deletable = option('Recipients may delete it', 'deletable');

type FormOptions = {
  /** Comes back when the form is submitted. */
  state: string;
  /** The form in a browser. */
  compose: { link: string; token: string };
  /** What is to be pushed, where that is not asked for. */
  draft?: string | undefined;
  /** Whether somebody asked for it, and so gets it. */
  isRequested?: boolean;
};

/** The form of a push as a modal. */
export function renderPushModal(
  { views, days, maxViews, maxDays, requireRecipients, notices }: FormDefaults,
  { state, compose: composeLink, draft, isRequested = false }: FormOptions,
): types.ModalView {
  return {
    type: 'modal',
    callback_id: formId,
    private_metadata: state,
    title: plainText(isRequested ? 'Provide a secret' : 'New push'),
    submit: plainText('Push'),
    close: plainText('Cancel'),
    blocks: [
      ...(draft === undefined ? [secretInput, compose(composeLink)] : [noticeSection(draft)]),
      isRequested
        ? noticeSection('Whoever asked for it gets it, and nobody else.')
        : input(
            'recipients',
            'Recipients',
            {
              type: 'multi_users_select',
              action_id,
              max_selected_items: peopleMax,
              placeholder: plainText('Who gets it, by direct message'),
            },
            { optional: !requireRecipients },
          ),
      staticSelect(
        'expireAfterViews',
        'Views',
        options(numberChoices(viewChoices, maxViews, views, 'view')),
        String(views),
      ),
      staticSelect(
        'expireAfterDays',
        'Expires after',
        options(numberChoices(dayChoices, maxDays, days, 'day')),
        String(days),
      ),
      textInput('passphrase', 'Passphrase', { placeholder: 'Tell them by another way', max: 255 }),
      textInput('name', 'Name', { placeholder: 'Only you see it', max: 255 }),
      textInput('note', 'Note', { placeholder: 'Only you see it', max: 2_000 }),
      checkboxes('options', 'Rights', [deletable], ['deletable']),
      checkboxes('notify', 'Tell me when', noticeOptions(notices), [
        notices.viewed,
        ...enabledNotices(notices),
      ]),
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

const noticeSection = (text: string): Block => ({ type: 'section', text: { type: 'mrkdwn', text: text } });

const compose = ({ link, token }: FormOptions['compose']): Block => ({
  type: 'actions',
  block_id: 'compose',
  elements: [
    {
      type: 'button',
      action_id: actions.compose,
      text: plainText('Compose in browser'),
      url: link,
      value: token,
    },
  ],
});

type NoticeDefaults = FormDefaults['notices'];

function noticeOptions({ viewed }: NoticeDefaults) {
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
export function readForm(values: StateValues): { form: PushForm; users: string[] } {
  const { text, number, selected, users } = readFields(values);
  const notify = selected('notify');
  const viewed = (['first', 'every'] as const).find((choice) => notify.has(choice)) ?? 'none';
  return {
    form: {
      payload: text('payload') ?? '',
      expireAfterViews: number('expireAfterViews'),
      expireAfterDays: number('expireAfterDays'),
      passphrase: text('passphrase'),
      name: text('name'),
      note: text('note'),
      deletableByViewer: selected('options').has('deletable'),
      notify: toNoticePreferences(viewed, notify),
    },
    users: users('recipients'),
  };
}

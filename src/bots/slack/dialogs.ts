import type { types } from '@slack/bolt';
import type { Button, Card } from '../card.ts';
import { action_id, input, plainText } from './elements.ts';
import { renderBlocks } from './render.ts';

export const requestFormId = 'request.form';
export const sendFormId = 'send.form';

/** A view holds 100 blocks (docs.slack.dev, “Views”). */
const viewBlocksMax = 100;

/** A modal that only tells something. */
export function renderCardModal(title: string, card: Card): types.ModalView {
  return {
    type: 'modal',
    title: plainText(title),
    close: plainText('Close'),
    blocks: renderBlocks(card).slice(0, viewBlocksMax),
  };
}

/** A modal that is there at once, until what it is to tell is known. */
export const renderLoadingModal = (title: string): types.ModalView =>
  renderCardModal(title, { summary: 'One moment …', lines: [['One moment …']] });

/** Asks whom to ask for a secret, and why. */
export function renderRequestModal(memory: string, reason: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: requestFormId,
    private_metadata: memory,
    title: plainText('Ask for a secret'),
    submit: plainText('Ask'),
    close: plainText('Cancel'),
    blocks: [
      input('provider', 'Whom do you ask?', {
        type: 'users_select',
        action_id,
        placeholder: plainText('They get a direct message'),
      }),
      input(
        'reason',
        'What for?',
        {
          type: 'plain_text_input',
          action_id,
          max_length: 500,
          placeholder: plainText('They read this'),
          ...(reason && { initial_value: reason.slice(0, 500) }),
        },
        { optional: true },
      ),
    ],
  };
}

/** Asks whom to send a push to that exists. */
export function renderSendModal(memory: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: sendFormId,
    private_metadata: memory,
    title: plainText('Send the link'),
    submit: plainText('Send'),
    close: plainText('Cancel'),
    blocks: [
      input('recipients', 'Who gets it?', {
        type: 'multi_users_select',
        action_id,
        max_selected_items: 20,
        placeholder: plainText('They get a direct message'),
      }),
    ],
  };
}

/** The app's own place in Slack: what can be done, and then every part with its heading. */
export function renderHome(buttons: Button[], sections: Record<string, Card>): types.HomeView {
  const blocks = Object.entries(sections).flatMap(([heading, card]) => [
    { type: 'header' as const, text: plainText(heading) },
    ...renderBlocks(card),
  ]);
  const top = renderBlocks({ summary: '', lines: [], buttons });
  return { type: 'home', blocks: [...top, ...blocks].slice(0, viewBlocksMax) };
}

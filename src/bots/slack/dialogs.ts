import type { types } from '@slack/bolt';
import type { Button, Card } from '../card.ts';
import { action_id, input, label } from './elements.ts';
import { drawBlocks } from './render.ts';

export const requestId = 'request.form';
export const sendId = 'send.form';

/** A view holds 100 blocks (docs.slack.dev, “Views”). */
const viewBlocksMax = 100;

/** A modal that only tells something. */
export function drawCard(title: string, card: Card): types.ModalView {
  return {
    type: 'modal',
    title: label(title),
    close: label('Close'),
    blocks: drawBlocks(card).slice(0, viewBlocksMax),
  };
}

/** A modal that is there at once, until what it is to tell is known. */
export const drawWaiting = (title: string): types.ModalView =>
  drawCard(title, { summary: 'One moment …', lines: [['One moment …']] });

/** Asks whom to ask for a secret, and why. */
export function drawRequestForm(memory: string, reason: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: requestId,
    private_metadata: memory,
    title: label('Ask for a secret'),
    submit: label('Ask'),
    close: label('Cancel'),
    blocks: [
      input('provider', 'Whom do you ask?', {
        type: 'users_select',
        action_id,
        placeholder: label('They get a direct message'),
      }),
      input(
        'reason',
        'What for?',
        {
          type: 'plain_text_input',
          action_id,
          max_length: 500,
          placeholder: label('They read this'),
          ...(reason && { initial_value: reason.slice(0, 500) }),
        },
        { optional: true },
      ),
    ],
  };
}

/** Asks whom to send a push to that exists. */
export function drawSendForm(memory: string): types.ModalView {
  return {
    type: 'modal',
    callback_id: sendId,
    private_metadata: memory,
    title: label('Send the link'),
    submit: label('Send'),
    close: label('Cancel'),
    blocks: [
      input('recipients', 'Who gets it?', {
        type: 'multi_users_select',
        action_id,
        max_selected_items: 20,
        placeholder: label('They get a direct message'),
      }),
    ],
  };
}

/** The app's own place in Slack: what can be done, and then every part with its heading. */
export function drawHome(buttons: Button[], parts: Record<string, Card>): types.HomeView {
  const blocks = Object.entries(parts).flatMap(([heading, card]) => [
    { type: 'header' as const, text: label(heading) },
    ...drawBlocks(card),
  ]);
  const top = drawBlocks({ summary: '', lines: [], buttons });
  return { type: 'home', blocks: [...top, ...blocks].slice(0, viewBlocksMax) };
}

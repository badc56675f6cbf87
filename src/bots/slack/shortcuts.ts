import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import * as words from '../messages.ts';
import type { Opening } from './modals.ts';
import { askerOf, type Conversation } from './replies.ts';

type Parts = { opening: Opening; conversation: Conversation; failed: (error: unknown) => void };

/** What works where commands do not, such as in threads. The ids are those of the manifest. */
export function onShortcuts(app: App, { opening, conversation, failed }: Parts): void {
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: 'new_push' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const asker = askerOf(context, shortcut.user.id);
    const place = { client, triggerId: shortcut.trigger_id };
    await opening.form(place, asker).catch((error) => failed(error));
  });

  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'push_this' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const { user, message, response_url: replyTo, trigger_id: triggerId } = shortcut;
    const draft = asTyped(message.text ?? '');
    if (draft === '') return conversation.tell({ client, user: user.id, replyTo }, words.nothingToPush);
    const asker = askerOf(context, user.id);
    await opening.form({ client, triggerId }, asker, { replyTo, draft }).catch((error) => failed(error));
  });
}

/** A message as its author typed it: Slack escapes three characters, and marks links (docs.slack.dev, “Formatting message text”). */
function asTyped(text: string): string {
  return text
    .replace(/<((?:https?|mailto|tel):[^>|]*)(?:\|([^>]*))?>/g, (_match, url: string, label?: string) =>
      url.startsWith('http') ? url : (label ?? url),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

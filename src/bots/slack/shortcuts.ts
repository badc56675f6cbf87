import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import { cards } from '../cards/cards.ts';
import { slackCallerOf } from './caller.ts';
import type { SlackModals } from './modals.ts';
import type { SlackReplies } from './replies.ts';

type Dependencies = { modals: SlackModals; replies: SlackReplies; onError: (error: unknown) => void };

/** The global shortcut and the one in the menu of a message; they also work in threads. The ids are those of the manifest. */
export function onShortcuts(app: App, { modals, replies, onError }: Dependencies): void {
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: 'new_push' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const caller = slackCallerOf(context, shortcut.user.id);
    const trigger = { client, triggerId: shortcut.trigger_id };
    await modals.push(trigger, caller).catch(onError);
  });

  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'push_this' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const { user, message, response_url: responseUrl, trigger_id: triggerId } = shortcut;
    const text = asTyped(message.text ?? '');
    if (text === '') return replies.respond({ client, user: user.id, responseUrl }, cards.nothingToPush);
    const caller = slackCallerOf(context, user.id);
    await modals.push({ client, triggerId }, caller, { responseUrl, text }).catch(onError);
  });
}

/** A message as its author typed it: Slack escapes three characters and marks up links (docs.slack.dev, “Formatting message text”). */
function asTyped(text: string): string {
  return text
    .replace(/<((?:https?|mailto|tel):[^>|]*)(?:\|([^>]*))?>/g, (_match, url: string, label?: string) =>
      url.startsWith('http') ? url : (label ?? url),
    )
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import * as words from '../messages.ts';
import type { SlackModals } from './modals.ts';
import { callerOf, type SlackReplies } from './replies.ts';

type Dependencies = { modals: SlackModals; replies: SlackReplies; onError: (error: unknown) => void };

/** What works where commands do not, such as in threads. The ids are those of the manifest. */
export function onShortcuts(app: App, { modals, replies, onError }: Dependencies): void {
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: 'new_push' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const caller = callerOf(context, shortcut.user.id);
    const trigger = { client, triggerId: shortcut.trigger_id };
    await modals.form(trigger, caller).catch((error) => onError(error));
  });

  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'push_this' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const { user, message, response_url: responseUrl, trigger_id: triggerId } = shortcut;
    const draft = asTyped(message.text ?? '');
    if (draft === '') return replies.respond({ client, user: user.id, responseUrl }, words.nothingToPush);
    const caller = callerOf(context, user.id);
    await modals.form({ client, triggerId }, caller, { responseUrl, draft }).catch((error) => onError(error));
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

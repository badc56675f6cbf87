import type { App, GlobalShortcut, MessageShortcut } from '@slack/bolt';
import { withinTime } from '../../retry.ts';
import { cardsOf } from '../language.ts';
import { addressOf, slackCallerOf } from './caller.ts';
import { filesOfMessage } from './files.ts';
import { workspaceOf } from './installations.ts';
import { mentionsIn, messageText } from './messageText.ts';
import type { SlackParts } from './parts.ts';

const mentionsMax = 10;
const lookupTimeoutMs = 1_000;

/** The global shortcut and the one in the menu of a message; they also work in threads. The ids are those of the manifest. */
export function onShortcuts(app: App, { modals, replies, people, onError }: SlackParts): void {
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: 'new_push' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const caller = slackCallerOf(context, shortcut.user.id, null);
    const trigger = { client, triggerId: shortcut.trigger_id };
    await modals.open(trigger, caller, { form: 'push' }).catch(async (error) => {
      onError(error);
      const { formFailed, buttons } = cardsOf(caller);
      await replies.respond({ client, user: shortcut.user.id }, formFailed(buttons.newPush('')));
    });
  });

  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'push_this' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const { user, message, response_url: responseUrl, trigger_id: triggerId } = shortcut;
    const names = new Map<string, string>();
    const lookups = mentionsIn(message)
      .slice(0, mentionsMax)
      .map(async (id) => {
        const { name } = await people.profileOf(client, addressOf(workspaceOf(context), id));
        if (name) names.set(id, name);
      });
    await withinTime(Promise.allSettled(lookups), lookupTimeoutMs);
    const text = messageText(message, names);
    const caller = slackCallerOf(context, user.id, null);
    const files = filesOfMessage(message);
    const reader = { client, user: user.id, responseUrl };
    if (text === '' && files.length === 0) return replies.respond(reader, cardsOf(caller).nothingToPush);
    const options = { responseUrl, message: { text, files } };
    await modals.open({ client, triggerId }, caller, { form: 'push' }, options).catch(async (error) => {
      onError(error);
      await replies.respond(reader, cardsOf(caller).tooSlow);
    });
  });
}

import type { App, GlobalShortcut, MessageShortcut, webApi } from '@slack/bolt';
import { withinTime } from '../../retry.ts';
import { cardsOf } from '../language.ts';
import { slackCallerOf } from './caller.ts';
import { filesOfMessage } from './files.ts';
import { mentionsIn, messageText } from './messageText.ts';
import type { SlackModals } from './modals.ts';
import type { SlackReplies } from './replies.ts';

type Dependencies = { modals: SlackModals; replies: SlackReplies; onError: (error: unknown) => void };

/** The global shortcut and the one in the menu of a message; they also work in threads. The ids are those of the manifest. */
export function onShortcuts(app: App, { modals, replies, onError }: Dependencies): void {
  app.shortcut<GlobalShortcut>({ type: 'shortcut', callback_id: 'new_push' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const caller = slackCallerOf(context, shortcut.user.id, null);
    const trigger = { client, triggerId: shortcut.trigger_id };
    await modals.push(trigger, caller).catch(async (error) => {
      onError(error);
      const { formFailed, buttons } = cardsOf(caller);
      await replies.respond({ client, user: shortcut.user.id }, formFailed(buttons.newPush('')));
    });
  });

  app.shortcut<MessageShortcut>({ type: 'message_action', callback_id: 'push_this' }, async (args) => {
    const { ack, client, context, shortcut } = args;
    await ack();
    const { user, message, response_url: responseUrl, trigger_id: triggerId } = shortcut;
    const text = messageText(message, await namesOf(client, mentionsIn(message)));
    const caller = slackCallerOf(context, user.id, null);
    const files = filesOfMessage(message);
    const reader = { client, user: user.id, responseUrl };
    if (text === '' && files.length === 0) return replies.respond(reader, cardsOf(caller).nothingToPush);
    const options = { responseUrl, message: { text, files } };
    await modals.push({ client, triggerId }, caller, options).catch(async (error) => {
      onError(error);
      await replies.respond(reader, cardsOf(caller).tooSlow);
    });
  });
}

const lookupTimeoutMs = 1_000;
const lookupsMax = 10;

/** The names of mentioned users, as far as Slack tells them in time. */
async function namesOf(client: webApi.WebClient, users: string[]): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  const lookups = users.slice(0, lookupsMax).map(async (user) => {
    const info = (await client.users.info({ user })).user;
    names.set(user, info?.profile?.display_name || info?.name || user);
  });
  await withinTime(Promise.allSettled(lookups), lookupTimeoutMs);
  return names;
}

import type { App, SlashCommand } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Opening } from '../interactions/openings.ts';
import { cardToOpenAgain, createTypedCommands } from '../interactions/typed.ts';
import { cardsOf } from '../language.ts';
import { withinAckTimeout } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { isInvalidToken } from './errors.ts';
import type { ModalTrigger } from './modals.ts';
import type { SlackParts } from './parts.ts';
import { renderSlackMessage } from './render.ts';

/** `/push`, and everything that may be typed after it. */
export function onSlashCommands(app: App, { commands, modals, replies, people, ...parts }: SlackParts): void {
  const { installUrl, onError } = parts;
  const react = createTypedCommands({ commands, onError });

  app.command(/^\//, async ({ ack, command, client, context }) => {
    const caller = slackCallerOf(context, command.user_id, command.trigger_id);
    const trigger = { client, triggerId: command.trigger_id };
    const response = respond(caller, trigger, command).catch((error) => {
      onError(error);
      return cardsOf(caller).internalError;
    });
    const soon = await withinAckTimeout(response);
    if (soon !== undefined)
      return ack(soon.value && { ...renderSlackMessage(soon.value), response_type: 'ephemeral' });
    await ack();
    const late = await response;
    const { user_id: user, response_url: responseUrl } = command;
    if (late !== undefined) await replies.respond({ client, user, responseUrl }, late);
  });

  /** The card to show, or undefined where a modal was opened instead. */
  async function respond(
    caller: ChatCaller,
    trigger: ModalTrigger,
    { text, user_name: name, response_url: responseUrl }: SlashCommand,
  ): Promise<Card | undefined> {
    const findPeople = (names: string[]) => people.find(trigger.client, caller, names);
    const reaction = await react({ caller, text, name, findPeople });
    if (reaction === undefined || 'card' in reaction) return reaction?.card;
    return open(caller, trigger, reaction.opening, responseUrl);
  }

  /** Nothing once a form is open; or else a card with a button that opens it, since a trigger works once. */
  async function open(caller: ChatCaller, trigger: ModalTrigger, opening: Opening, responseUrl: string) {
    try {
      await modals.open(trigger, caller, opening, { responseUrl });
      return undefined;
    } catch (error) {
      onError(error);
      return isInvalidToken(error)
        ? cardsOf(caller).notInstalled(installUrl)
        : cardToOpenAgain(caller, opening);
    }
  }
}

import type { App } from '@slack/bolt';
import type { Card } from '../card.ts';
import { cardToOpenAgain } from '../interactions/typed.ts';
import { cardsOf } from '../language.ts';
import { withinAckTimeout } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { isInvalidToken } from './errors.ts';
import type { SlackParts } from './parts.ts';
import { renderSlackMessage } from './render.ts';

/** `/push`, and everything that may be typed after it. */
export function onSlashCommands(app: App, parts: SlackParts): void {
  const { interactions, modals, replies, people, installUrl, onError } = parts;

  app.command(/^\//, async ({ ack, command, client, context }) => {
    const { text, user_id: user, user_name: name, trigger_id: triggerId } = command;
    const { response_url: responseUrl } = command;
    const caller = slackCallerOf(context, user, triggerId);
    const response = respond().catch((error) => {
      onError(error);
      return cardsOf(caller).internalError;
    });
    const soon = await withinAckTimeout(response);
    if (soon !== undefined)
      return ack(soon.value && { ...renderSlackMessage(soon.value), response_type: 'ephemeral' });
    await ack();
    const late = await response;
    if (late !== undefined) await replies.respond({ client, user, responseUrl }, late);

    /** Undefined once a form is open; or else a card with a button that opens it, since a trigger works once. */
    async function respond(): Promise<Card | undefined> {
      const findPeople = (names: string[]) => people.find(client, caller, names);
      const reaction = await interactions.react({ caller, text, name, findPeople });
      if (reaction === undefined || 'card' in reaction) return reaction?.card;
      const { opening } = reaction;
      try {
        await modals.open({ client, triggerId }, caller, opening, { responseUrl });
        return undefined;
      } catch (error) {
        onError(error);
        return isInvalidToken(error)
          ? cardsOf(caller).notInstalled(installUrl)
          : cardToOpenAgain(caller, opening);
      }
    }
  });
}

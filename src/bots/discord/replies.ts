import { type APIInteractionResponse, InteractionResponseType as Kind, MessageFlags } from 'discord.js';
import type { Card } from '../card.ts';
import type { RunningPress } from '../interactions/interactions.ts';
import { cardsOf } from '../language.ts';
import { type Outcome, withinAckTimeout } from '../outcome.ts';
import { maybeUserOf, type UserInteraction } from './caller.ts';
import { renderDiscordMessage, renderEphemeral } from './render.ts';
import type { DiscordRest } from './restClient.ts';

/** The first response to an interaction, and what is to be done once Discord has it. */
export type Reply = { initial: APIInteractionResponse; followUp?: () => Promise<void> };

export type DiscordReplies = ReturnType<typeof createDiscordReplies>;

type Dependencies = { rest: DiscordRest; onError: (error: unknown) => void };

const newMessage = (card: Card): APIInteractionResponse => ({
  type: Kind.ChannelMessageWithSource,
  data: renderEphemeral(card),
});

/** A response that the user alone sees. */
export const message = (card: Card): Reply => ({ initial: newMessage(card) });

/** Responds to the user alone, with a new message or in the place of the one with the button; or to a channel. */
export function createDiscordReplies({ rest, onError }: Dependencies) {
  /** Responds with the outcome as soon as it is known. A failure replaces nothing, and the user alone sees it. */
  async function respond(
    interaction: UserInteraction,
    outcome: Promise<Outcome>,
    shows: RunningPress['shows'] = 'below',
  ): Promise<Reply> {
    const isInPlace = ['instead', 'question'].includes(shows) && interaction.message !== undefined;
    const soon = await withinAckTimeout(outcome);
    if (soon !== undefined) return { initial: initialOf(interaction, soon.value, { isInPlace, shows }) };
    return {
      initial: isInPlace
        ? { type: Kind.DeferredMessageUpdate }
        : { type: Kind.DeferredChannelMessageWithSource, data: { flags: MessageFlags.Ephemeral } },
      async followUp() {
        const late = await outcome;
        if (shows !== 'publicly' || late === undefined || late.hasFailed)
          return deliver(interaction, late, isInPlace);
        await deliver(interaction, { ...late, card: cardsOf(interaction).sharedHere }, false);
        await rest.followUp(interaction, renderDiscordMessage(late.card)).catch(onError);
      },
    };
  }

  function initialOf(
    interaction: UserInteraction,
    outcome: Outcome,
    { isInPlace, shows }: { isInPlace: boolean; shows: RunningPress['shows'] },
  ): APIInteractionResponse {
    if (outcome === undefined)
      return isInPlace ? { type: Kind.DeferredMessageUpdate } : newMessage(cardsOf(interaction).alreadyDone);
    const { card, hasFailed } = outcome;
    if (hasFailed || !(isInPlace || shows === 'publicly')) return newMessage(card);
    const data = renderDiscordMessage(card);
    return isInPlace ? { type: Kind.UpdateMessage, data } : { type: Kind.ChannelMessageWithSource, data };
  }

  /** Sends a late outcome where the user acted, or by direct message where that is no longer possible. */
  async function deliver(interaction: UserInteraction, outcome: Outcome, isInPlace: boolean): Promise<void> {
    if (outcome === undefined && isInPlace) return;
    const { card, hasFailed } = outcome ?? { card: cardsOf(interaction).alreadyDone, hasFailed: false };
    try {
      if (isInPlace && hasFailed) await rest.followUp(interaction, renderEphemeral(card));
      else await rest.editOriginal(interaction, renderDiscordMessage(card));
    } catch (error) {
      onError(error);
      const channel = rest.openDm(maybeUserOf(interaction)?.id ?? '');
      await channel.then((id) => rest.send(id, renderDiscordMessage(card))).catch(onError);
    }
  }

  return { respond };
}

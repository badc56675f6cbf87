import { type APIInteractionResponse, InteractionResponseType as Kind, MessageFlags } from 'discord.js';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { cardsOf } from '../language.ts';
import { hintedOutcomeOf, type Outcome, withinAckTimeout } from '../outcome.ts';
import { discordCallerOf, maybeUserOf, type UserInteraction } from './caller.ts';
import { renderDiscordMessage, renderEphemeral } from './render.ts';
import type { DiscordRest } from './restClient.ts';

/** The first response to an interaction, and what is to be done once Discord has it. */
export type Reply = { initial: APIInteractionResponse; followUp?: () => Promise<void> };

export type DiscordReplies = ReturnType<typeof createDiscordReplies>;

type Dependencies = { rest: DiscordRest; commands: Commands; onError: (error: unknown) => void };

const ephemeral = MessageFlags.Ephemeral as const;
const newMessage = (card: Card): APIInteractionResponse => ({
  type: Kind.ChannelMessageWithSource,
  data: renderEphemeral(card),
});

const publicMessage = (card: Card): APIInteractionResponse => ({
  type: Kind.ChannelMessageWithSource,
  data: renderDiscordMessage(card),
});

/** Responds to the user alone: with a new message, or by replacing the message whose component was used. */
export function createDiscordReplies({ rest, commands, onError }: Dependencies) {
  /** The outcome of a command, with a hint for users that our direct messages do not reach. */
  const outcome = (interaction: UserInteraction, work: Promise<Card>): Promise<Outcome> =>
    hintedOutcomeOf(discordCallerOf(interaction), work, { commands, onError });

  const message = (card: Card): Reply => ({ initial: newMessage(card) });

  /** Responds with the outcome as soon as it is known. A failure replaces nothing. */
  async function respond(
    interaction: UserInteraction,
    outcome: Promise<Outcome>,
    { replacing = false } = {},
  ): Promise<Reply> {
    const isInPlace = replacing && interaction.message !== undefined;
    const soon = await withinAckTimeout(outcome);
    if (soon !== undefined) return { initial: initialOf(interaction, soon.value, isInPlace) };
    return {
      initial: isInPlace
        ? { type: Kind.DeferredMessageUpdate }
        : { type: Kind.DeferredChannelMessageWithSource, data: { flags: ephemeral } },
      followUp: async () => deliver(interaction, await outcome, isInPlace),
    };
  }

  /** Responds in the channel. A failure is shown to the user alone. */
  async function respondPublicly(interaction: UserInteraction, outcome: Promise<Outcome>): Promise<Reply> {
    const soon = await withinAckTimeout(outcome);
    if (soon?.value?.hasFailed === false) return { initial: publicMessage(soon.value.card) };
    if (soon !== undefined) return { initial: initialOf(interaction, soon.value, false) };
    return {
      initial: { type: Kind.DeferredChannelMessageWithSource, data: { flags: ephemeral } },
      async followUp() {
        const late = await outcome;
        if (late === undefined || late.hasFailed) return deliver(interaction, late, false);
        await deliver(interaction, { ...late, card: cardsOf(interaction).sharedHere }, false);
        await rest.followUp(interaction, renderDiscordMessage(late.card)).catch(onError);
      },
    };
  }

  function initialOf(
    interaction: UserInteraction,
    outcome: Outcome,
    isInPlace: boolean,
  ): APIInteractionResponse {
    if (outcome === undefined)
      return isInPlace ? { type: Kind.DeferredMessageUpdate } : newMessage(cardsOf(interaction).alreadyDone);
    if (isInPlace && !outcome.hasFailed)
      return { type: Kind.UpdateMessage, data: renderDiscordMessage(outcome.card) };
    return newMessage(outcome.card);
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
      await sendDirectly(maybeUserOf(interaction)?.id ?? '', card).catch(onError);
    }
  }

  async function sendDirectly(user: string, card: Card): Promise<void> {
    await rest.send(await rest.openDm(user), renderDiscordMessage(card));
  }

  return { outcome, message, respond, respondPublicly };
}

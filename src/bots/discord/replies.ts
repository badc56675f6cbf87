import {
  type APIInteractionResponse,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  type APIUser,
  InteractionResponseType as Kind,
  MessageFlags,
} from 'discord-api-types/v10';
import type { ChatCaller } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { type Outcome, outcomeOf, withinAckTimeout } from '../outcome.ts';
import { renderEphemeral, renderMessage } from './render.ts';
import type { DiscordRest } from './restClient.ts';

/** How an interaction is answered: at once, and what follows when Discord has that. */
export type Reply = { initial: APIInteractionResponse; followUp?: () => Promise<void> };

/** As much of an interaction as everything knows that somebody does. */
export type UserInteraction = {
  id: string;
  token: string;
  guild_id?: string | undefined;
  member?: { user: APIUser; permissions?: string } | undefined;
  user?: APIUser | undefined;
  message?: (APIMessageComponentInteraction | APIModalSubmitInteraction)['message'];
};

const userOf = ({ member, user }: UserInteraction): APIUser | undefined => member?.user ?? user;

/** Who did something, where. Every interaction has an id of its own, by which one that is told again is known. */
export function callerOf(interaction: UserInteraction): ChatCaller {
  const chatUser = { platform: 'discord' as const, address: userOf(interaction)?.id ?? '' };
  return { chatUser, workspace: interaction.guild_id ?? '', idempotencyKey: interaction.id };
}

export const chatUserOf = (user: string) => ({ platform: 'discord' as const, address: user });

export type DiscordReplies = ReturnType<typeof createDiscordReplies>;

type Dependencies = { rest: DiscordRest; commands: Commands; onError: (error: unknown) => void };

const ephemeral = MessageFlags.Ephemeral as const;
const newMessage = (card: Card): APIInteractionResponse => ({
  type: Kind.ChannelMessageWithSource,
  data: renderEphemeral(card),
});

/** Answers whoever acted, and nobody else: with a message of their own, or in the place of the message that they used. */
export function createDiscordReplies({ rest, commands, onError }: Dependencies) {
  /** Does something, and adds for somebody whom our messages do not reach that they do not. */
  function outcome(interaction: UserInteraction, work: Promise<Card>): Promise<Outcome> {
    const isUnreachable = commands.isUnreachable(callerOf(interaction).chatUser).catch(() => false);
    const hinted = work.then(async (card) =>
      (await isUnreachable)
        ? { ...card, footnotes: [...(card.footnotes ?? []), words.hints.unreached] }
        : card,
    );
    return outcomeOf(hinted, onError);
  }

  const message = (card: Card): Reply => ({ initial: newMessage(card) });

  /** Answers with what came of an act as soon as that is known. Where it failed, nothing is replaced. */
  async function respond(
    interaction: UserInteraction,
    outcome: Promise<Outcome>,
    { replacing = false } = {},
  ): Promise<Reply> {
    const isInPlace = replacing && interaction.message !== undefined;
    const soon = await withinAckTimeout(outcome);
    if (soon !== undefined) return { initial: initialOf(soon.value, isInPlace) };
    return {
      initial: isInPlace
        ? { type: Kind.DeferredMessageUpdate }
        : { type: Kind.DeferredChannelMessageWithSource, data: { flags: ephemeral } },
      followUp: async () => deliver(interaction, await outcome, isInPlace),
    };
  }

  function initialOf(outcome: Outcome, isInPlace: boolean): APIInteractionResponse {
    if (outcome === undefined)
      return isInPlace ? { type: Kind.DeferredMessageUpdate } : newMessage(words.alreadyDone);
    if (isInPlace && !outcome.hasFailed)
      return { type: Kind.UpdateMessage, data: renderMessage(outcome.card) };
    return newMessage(outcome.card);
  }

  /** Says it where they acted, and by direct message where that is not possible any more. */
  async function deliver(interaction: UserInteraction, outcome: Outcome, isInPlace: boolean): Promise<void> {
    if (outcome === undefined && isInPlace) return;
    const { card, hasFailed } = outcome ?? { card: words.alreadyDone, hasFailed: false };
    try {
      if (isInPlace && hasFailed) await rest.followUp(interaction, renderEphemeral(card));
      else await rest.editOriginal(interaction, renderMessage(card));
    } catch (error) {
      onError(error);
      await sendDirectly(userOf(interaction)?.id ?? '', card).catch(onError);
    }
  }

  async function sendDirectly(user: string, card: Card): Promise<void> {
    await rest.send(await rest.openDm(user), renderMessage(card));
  }

  return { outcome, message, respond };
}

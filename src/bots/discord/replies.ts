import {
  type APIInteractionResponse,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  type APIUser,
  InteractionResponseType as Kind,
  MessageFlags,
} from 'discord.js';
import type { Asker } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { inTime, type Outcome, outcomeOf } from '../outcome.ts';
import { draw, drawPrivately } from './render.ts';
import type { Api } from './restClient.ts';

/** How an interaction is answered: at once, and what follows when Discord has that. */
export type Heard = { first: APIInteractionResponse; later?: () => Promise<void> };

/** As much of an interaction as everything knows that somebody does. */
export type Acted = {
  id: string;
  token: string;
  guild_id?: string | undefined;
  member?: { user: APIUser; permissions?: string } | undefined;
  user?: APIUser | undefined;
  message?: (APIMessageComponentInteraction | APIModalSubmitInteraction)['message'];
};

const userOf = ({ member, user }: Acted): APIUser | undefined => member?.user ?? user;

/** Who did something, where. Every interaction has an id of its own, by which one that is told again is known. */
export function askerOf(acted: Acted): Asker {
  const speaker = { platform: 'discord' as const, address: userOf(acted)?.id ?? '' };
  return { speaker, workspace: acted.guild_id ?? '', occasion: acted.id };
}

export const speakerOf = (user: string) => ({ platform: 'discord' as const, address: user });

export type Conversation = ReturnType<typeof createConversation>;

type Parts = { api: Api; commands: Commands; failed: (error: unknown) => void };

const ephemeral = MessageFlags.Ephemeral as const;
const newMessage = (card: Card): APIInteractionResponse => ({
  type: Kind.ChannelMessageWithSource,
  data: drawPrivately(card),
});

/** Answers whoever acted, and nobody else: with a message of their own, or in the place of the message that they used. */
export function createConversation({ api, commands, failed }: Parts) {
  /** Does something, and adds for somebody whom our messages do not reach that they do not. */
  function outcome(acted: Acted, work: Promise<Card>): Promise<Outcome> {
    const isMissed = commands.isUnreachable(askerOf(acted).speaker).catch(() => false);
    const told = work.then(async (card) =>
      (await isMissed) ? { ...card, footnotes: [...(card.footnotes ?? []), words.hints.unreached] } : card,
    );
    return outcomeOf(told, failed);
  }

  const say = (card: Card): Heard => ({ first: newMessage(card) });

  /** Answers with what came of an act as soon as that is known. Where it failed, nothing is replaced. */
  async function answer(acted: Acted, coming: Promise<Outcome>, { replacing = false } = {}): Promise<Heard> {
    const isInPlace = replacing && acted.message !== undefined;
    const soon = await inTime(coming);
    if (soon !== undefined) return { first: firstOf(soon.value, isInPlace) };
    return {
      first: isInPlace
        ? { type: Kind.DeferredMessageUpdate }
        : { type: Kind.DeferredChannelMessageWithSource, data: { flags: ephemeral } },
      later: async () => bring(acted, await coming, isInPlace),
    };
  }

  function firstOf(outcome: Outcome, isInPlace: boolean): APIInteractionResponse {
    if (outcome === undefined)
      return isInPlace ? { type: Kind.DeferredMessageUpdate } : newMessage(words.doneBefore);
    if (isInPlace && !outcome.hasFailed) return { type: Kind.UpdateMessage, data: draw(outcome.card) };
    return newMessage(outcome.card);
  }

  /** Says it where they acted, and by direct message where that is not possible any more. */
  async function bring(acted: Acted, outcome: Outcome, isInPlace: boolean): Promise<void> {
    if (outcome === undefined && isInPlace) return;
    const { card, hasFailed } = outcome ?? { card: words.doneBefore, hasFailed: false };
    try {
      if (isInPlace && hasFailed) await api.sayMore(acted, drawPrivately(card));
      else await api.editAnswer(acted, draw(card));
    } catch (error) {
      failed(error);
      await tellDirectly(userOf(acted)?.id ?? '', card).catch(failed);
    }
  }

  async function tellDirectly(user: string, card: Card): Promise<void> {
    await api.send(await api.openDm(user), draw(card));
  }

  return { outcome, say, answer };
}

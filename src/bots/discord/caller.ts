import type { APIMessageComponentInteraction, APIModalSubmitInteraction, APIUser } from 'discord.js';
import { type ChatCaller, type ChatUser, outside } from '../../domain/index.ts';
import { standingOf } from './standing.ts';

/** What all interactions of a user have in common. */
export type UserInteraction = {
  id: string;
  token: string;
  guild_id?: string | undefined;
  member?: { user: APIUser; permissions?: string; flags?: number } | undefined;
  user?: APIUser | undefined;
  locale?: string | undefined;
  message?: (APIMessageComponentInteraction | APIModalSubmitInteraction)['message'];
};

export const maybeUserOf = ({ member, user }: UserInteraction): APIUser | undefined => member?.user ?? user;

/** The user who acted, and where. A repeated delivery has the same interaction id. */
export function discordCallerOf(interaction: UserInteraction): ChatCaller {
  return {
    chatUser: chatUserOf(maybeUserOf(interaction)?.id ?? ''),
    workspace: interaction.guild_id ?? outside,
    idempotencyKey: interaction.id,
    standing: standingOf(interaction),
    ...(interaction.locale && { locale: interaction.locale }),
  };
}

/** An address is Discord's id of the user. */
export const chatUserOf = (userId: string): ChatUser => ({ platform: 'discord', address: userId });

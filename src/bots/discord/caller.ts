import { type APIMessage, type APIUser, GuildMemberFlags, PermissionFlagsBits } from 'discord.js';
import { type ChatCaller, type FindStanding, outside, type Standing } from '../../domain/index.ts';
import type { DiscordRest } from './restClient.ts';

/** Where a user acts, and what they are there. */
type Membership = {
  guild_id?: string | undefined;
  member?: { user?: APIUser; permissions?: string; flags?: number } | undefined;
};

/** What all interactions of a user have in common. */
export type UserInteraction = Membership & {
  id: string;
  token: string;
  user?: APIUser | undefined;
  locale?: string | undefined;
  message?: APIMessage | undefined;
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
export const chatUserOf = (address: string) => ({ platform: 'discord' as const, address });

/** Whether a user manages the server that they act in; every interaction says so. */
export function isServerManager({ guild_id, member }: Membership): boolean {
  const permissions = BigInt(member?.permissions ?? '0');
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  return guild_id !== undefined && (permissions & (ManageGuild | Administrator)) !== 0n;
}

/** What the user of an interaction is in the server where they act; undefined outside of servers. */
export function standingOf(interaction: Membership): Standing | undefined {
  const { guild_id, member } = interaction;
  if (guild_id === undefined || member === undefined) return undefined;
  return isServerManager(interaction) ? 'admin' : memberStanding(member);
}

/** Asks Discord for users' roles in servers. It answers only for servers with the bot, and does not say who manages them. */
export const createDiscordStandings =
  ({ maybeMember }: Pick<DiscordRest, 'maybeMember'>): FindStanding =>
  async ({ address }, server) => {
    const member = await maybeMember(server, address);
    return member === null ? 'stranger' : member && memberStanding(member);
  };

/** Guests were invited to one voice channel. */
const memberStanding = ({ flags = 0 }: { flags?: number }): Standing =>
  (flags & GuildMemberFlags.IsGuest) === 0 ? 'member' : 'guest';

import type { Platform } from './platform.ts';
import type { Command, Owners, Place, User } from './things.ts';

/**
 * The installations through which a user can use the app in a place: https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
 * For a command, its contexts count too. Empty if it is not offered.
 */
export function ownersIn({ world }: Platform, user: User, place: Place, command?: Command): Owners {
  const { app, guilds } = world;
  const context = contextOf(place, app.bot);
  const contexts = command?.contexts;
  if (Array.isArray(contexts) && !contexts.includes(context)) return {};
  const kinds = Array.isArray(command?.integration_types) ? command.integration_types : app.integrationTypes;
  const shared = guilds.some(({ hasApp, members }) => hasApp && members.has(user));
  const byGuild = place.guild?.hasApp ? place.guild.id : context === 1 && shared ? '0' : undefined;
  return {
    ...(kinds.includes(0) && byGuild !== undefined && { 0: byGuild }),
    ...(kinds.includes(1) && user.hasApp && { 1: user.id }),
  };
}

/** 0 in a server, 1 in direct messages with the bot, 2 in direct messages with others. */
export function contextOf({ kind, members }: Place, bot: User): number {
  if (kind === 'guild') return 0;
  return kind === 'dm' && members.has(bot) ? 1 : 2;
}

import type { Platform } from './platform.ts';
import type { Command, Owners, Place, User } from './things.ts';

/**
 * By whose installation a person can use the app somewhere: https://docs.discord.com/developers/interactions/receiving-and-responding#interaction-object-authorizing-integration-owners-object
 * For a command also by where it can be used; nothing where it is not offered.
 */
export function ownersIn({ world }: Platform, user: User, place: Place, command?: Command): Owners {
  const { app, guilds } = world;
  const isBotDm = place.kind === 'dm' && place.members.has(app.bot);
  const context = place.kind === 'guild' ? 0 : isBotDm ? 1 : 2;
  const contexts = command?.contexts;
  if (Array.isArray(contexts) && !contexts.includes(context)) return {};
  const kinds = Array.isArray(command?.integration_types) ? command.integration_types : app.integrationTypes;
  const shared = guilds.some(({ hasApp, members }) => hasApp && members.has(user));
  const byGuild = place.guild?.hasApp ? place.guild.id : isBotDm && shared ? '0' : undefined;
  return {
    ...(kinds.includes(0) && byGuild !== undefined && { 0: byGuild }),
    ...(kinds.includes(1) && user.hasApp && { 1: user.id }),
  };
}

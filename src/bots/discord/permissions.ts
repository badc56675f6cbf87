import { PermissionFlagsBits } from 'discord.js';
import type { UserInteraction } from './caller.ts';

/** Whether a user manages the server that they act in; every interaction says so. */
export function isServerManager({ guild_id, member }: UserInteraction): boolean {
  const permissions = BigInt(member?.permissions ?? '0');
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  return guild_id !== undefined && (permissions & (ManageGuild | Administrator)) !== 0n;
}

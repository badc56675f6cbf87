import { PermissionFlagsBits } from 'discord.js';

/** Where a user acts, and what they are there. */
export type Membership = {
  guild_id?: string | undefined;
  member?: { permissions?: string; flags?: number } | undefined;
};

/** Whether a user manages the server that they act in; every interaction says so. */
export function isServerManager({ guild_id, member }: Membership): boolean {
  const permissions = BigInt(member?.permissions ?? '0');
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  return guild_id !== undefined && (permissions & (ManageGuild | Administrator)) !== 0n;
}

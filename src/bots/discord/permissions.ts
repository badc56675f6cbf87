import { PermissionFlagsBits } from 'discord.js';
import type { Acted } from './replies.ts';

/** Whether somebody manages the server that they act in; Discord says so with every interaction. */
export function managesServer({ guild_id, member }: Acted): boolean {
  const permissions = BigInt(member?.permissions ?? '0');
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  return guild_id !== undefined && (permissions & (ManageGuild | Administrator)) !== 0n;
}

import { PermissionFlagsBits } from 'discord-api-types/v10';
import type { UserInteraction } from './replies.ts';

/** Whether somebody manages the server that they act in; Discord says so with every interaction. */
export function isServerManager({ guild_id, member }: UserInteraction): boolean {
  const permissions = BigInt(member?.permissions ?? '0');
  const { ManageGuild, Administrator } = PermissionFlagsBits;
  return guild_id !== undefined && (permissions & (ManageGuild | Administrator)) !== 0n;
}

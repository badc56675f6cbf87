import { expect } from 'chai';
import { GuildMemberFlags, PermissionFlagsBits } from 'discord.js';
import { isServerManager, standingOf } from '../../../src/bots/discord/caller.ts';

const { ManageGuild, Administrator, SendMessages, ManageMessages } = PermissionFlagsBits;

const manages = (permissions: bigint, guild_id?: string) =>
  isServerManager({ guild_id, member: { permissions: String(permissions) } });

describe('The manager of a Discord server', () => {
  it('has the permission to manage or to administrate it', () => {
    expect(manages(ManageGuild | SendMessages, '3')).to.equal(true);
    expect(manages(Administrator, '3')).to.equal(true);
  });

  it('is nobody else, and nobody outside of servers', () => {
    expect(manages(SendMessages | ManageMessages, '3')).to.equal(false);
    expect(manages(0n, '3')).to.equal(false);
    expect(manages(ManageGuild)).to.equal(false);
    expect(isServerManager({ guild_id: '3' })).to.equal(false);
  });
});

describe('The user of an interaction in Discord', () => {
  const standing = (
    permissions: bigint,
    { flags = 0, guild_id = '3' }: { flags?: number; guild_id?: string } = {},
  ) => standingOf({ guild_id, member: { permissions: String(permissions), flags } });

  it('is an admin, a member or a guest of the server, and nothing outside of servers', () => {
    expect(standing(ManageGuild)).to.equal('admin');
    expect(standing(SendMessages)).to.equal('member');
    expect(standing(SendMessages, { flags: GuildMemberFlags.IsGuest })).to.equal('guest');
    expect(standingOf({})).to.equal(undefined);
  });
});

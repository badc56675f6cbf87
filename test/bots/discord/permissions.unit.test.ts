import { expect } from 'chai';
import { PermissionFlagsBits } from 'discord.js';
import { isServerManager } from '../../../src/bots/discord/permissions.ts';

const { ManageGuild, Administrator, SendMessages, ManageMessages } = PermissionFlagsBits;
const user = { id: '1', username: 'alice', discriminator: '0', global_name: null, avatar: null };

const manages = (permissions: bigint, guild_id?: string) =>
  isServerManager({ id: '2', token: 't', guild_id, member: { user, permissions: String(permissions) } });

describe('The manager of a Discord server', () => {
  it('has the permission to manage or to administrate it', () => {
    expect(manages(ManageGuild | SendMessages, '3')).to.equal(true);
    expect(manages(Administrator, '3')).to.equal(true);
  });

  it('is nobody else, and nobody outside of servers', () => {
    expect(manages(SendMessages | ManageMessages, '3')).to.equal(false);
    expect(manages(0n, '3')).to.equal(false);
    expect(manages(ManageGuild)).to.equal(false);
    expect(isServerManager({ id: '2', token: 't', guild_id: '3' })).to.equal(false);
  });
});

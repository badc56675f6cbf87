import { fieldsOf } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { presentMember, presentPlace, presentUser } from '../presenting.ts';
import { requirePlace } from './messages.ts';
import { Refused } from './refused.ts';
import type { Routes } from './route.ts';

/** https://docs.discord.com/developers/resources/user */
export const users: Routes = {
  get_my_user: {
    method: 'GET',
    path: '/users/@me',
    run: ({ world }) => ({
      ...presentUser(world.app.bot),
      mfa_enabled: false,
      locale: 'en-US',
      verified: true,
    }),
  },
  get_user: {
    method: 'GET',
    path: '/users/{user_id}',
    run(platform, { params }) {
      const user = find(platform, params.user_id);
      if (!user) throw new Refused(10013, `get_user: a person that there never was: ${params.user_id}`);
      return presentUser(user);
    },
  },
  /** https://docs.discord.com/developers/resources/guild#get-guild-member */
  get_guild_member: {
    method: 'GET',
    path: '/guilds/{guild_id}/members/{user_id}',
    run(platform, { params }) {
      const { world, clock } = platform;
      const guild = world.guilds.find(({ id }) => id === params.guild_id);
      const user = find(platform, params.user_id);
      if (!user) throw new Refused(10013);
      if (!guild?.hasApp) throw new Refused(10004);
      if (!guild.members.has(user)) throw new Refused(10007);
      const { permissions: _, ...member } = presentMember(clock, user);
      return { ...member, user: presentUser(user), mute: false, deaf: false };
    },
  },
  /** A user who accepts no messages still has a channel. */
  create_dm: {
    method: 'POST',
    path: '/users/@me/channels',
    run(platform, { body }) {
      const { world } = platform;
      const recipient = find(platform, String(fieldsOf(body).recipient_id));
      if (!recipient || recipient === world.app.bot) throw new Refused(50033, 'create_dm: with nobody');
      return presentPlace(world.dmOf(world.app.bot, recipient), world.app.bot);
    },
  },
  get_channel: {
    method: 'GET',
    path: '/channels/{channel_id}',
    run: (platform, { params }) =>
      presentPlace(requirePlace(platform, params.channel_id), platform.world.app.bot),
  },
};

function find({ world }: Platform, id: string | undefined) {
  return world.users.find((one) => one.id === id);
}

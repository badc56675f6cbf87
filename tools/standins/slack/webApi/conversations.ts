import type { Platform } from '../platform.ts';
import type { Conversation, Grant } from '../things.ts';
import { type Methods, pageOf, Refused } from './method.ts';

const reads = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];

/** A conversation that a bot can see. Refuses any other as unknown. */
export function requireConversation({ world }: Platform, grant: Grant, id: unknown): Conversation {
  const found = world.conversations.find((one) => {
    const isKnown = one.kind === 'public' || one.members.has(grant.bot);
    return (one.id === id || (one.kind === 'public' && `#${one.name}` === id)) && isKnown;
  });
  if (!found || !world.reaches(grant, found.team)) throw new Refused('channel_not_found');
  return found;
}

export const conversations: Methods = {
  'conversations.open': {
    by: 'bot',
    scopes: ['im:write', 'mpim:write'],
    run: ({ world }, grant, args) => {
      const ids = String(args.users ?? '')
        .split(',')
        .filter(Boolean);
      if (ids.length === 0)
        throw new Refused('users_list_not_supplied', { complaint: 'conversations.open without users' });
      const people = ids.map((id) => {
        const user = world.users.find((one) => one.id === id && world.reaches(grant, one.team));
        if (!user) throw new Refused('user_not_found');
        if (user.isBot) throw new Refused('cannot_dm_bot');
        if (user.deleted) throw new Refused('user_disabled');
        return user;
      });
      const [only, ...others] = people;
      if (only === undefined || others.length > 0) {
        const team = people[0]?.team ?? grant.bot.team;
        return { channel: { id: world.addConversation('mpim', 'mpdm', team, [grant.bot, ...people]).id } };
      }
      const known = world.findDm(grant.bot, only);
      const { id } = known ?? world.dmOf(grant.bot, only);
      const channel =
        args.return_im === true ? { id, is_im: true, user: only.id, created: 1_700_000_000 } : { id };
      return { no_op: known !== undefined, already_open: known !== undefined, channel };
    },
  },
  'conversations.info': {
    by: 'bot',
    scopes: reads,
    run: (platform, grant, args) => {
      const found = requireConversation(platform, grant, args.channel);
      const { id, kind, name, members, team } = found;
      const other = [...members].find((member) => member !== grant.bot);
      return {
        channel: {
          id,
          ...(kind === 'im' ? { user: other?.id } : { name, name_normalized: name }),
          is_channel: kind === 'public',
          is_group: kind === 'private',
          is_im: kind === 'im',
          is_mpim: kind === 'mpim',
          is_private: kind !== 'public',
          is_member: members.has(grant.bot),
          is_archived: false,
          context_team_id: team.id,
        },
      };
    },
  },
  'conversations.members': {
    by: 'bot',
    scopes: reads,
    run: (platform, grant, args) => {
      const { members } = requireConversation(platform, grant, args.channel);
      const { items, response_metadata } = pageOf([...members], args);
      return { members: items.map(({ id }) => id), response_metadata };
    },
  },
};

import type { Fields } from '../../shared/json.ts';
import type { User } from '../things.ts';
import { type Methods, pageOf, Refused } from './method.ts';

function presentUser(user: User, { withEmail = false, withLocale = false } = {}): Fields {
  return {
    id: user.id,
    team_id: user.team.id,
    name: user.name,
    deleted: user.deleted,
    real_name: user.realName,
    tz: user.tz,
    tz_label: user.tz,
    tz_offset: user.tzOffset,
    profile: {
      real_name: user.realName,
      display_name: user.name,
      team: user.team.id,
      ...(withEmail && { email: `${user.name}@${user.team.domain}.test` }),
    },
    is_admin: user.isAdmin,
    is_owner: user.isOwner,
    is_primary_owner: false,
    is_restricted: user.isGuest,
    is_ultra_restricted: false,
    is_bot: user.isBot,
    is_app_user: false,
    updated: 1_700_000_000,
    ...(withLocale && { locale: user.locale }),
  };
}

export const users: Methods = {
  'users.info': {
    by: 'bot',
    scopes: ['users:read'],
    run: ({ world }, grant, args) => {
      const user = world.users.find(({ id, team }) => id === args.user && world.reaches(grant, team));
      if (!user) throw new Refused('user_not_found');
      const withEmail = grant.scopes.includes('users:read.email');
      return { user: presentUser(user, { withEmail, withLocale: args.include_locale === true }) };
    },
  },
  'users.list': {
    by: 'bot',
    scopes: ['users:read'],
    run: ({ world }, grant, args) => {
      const teamId = grant.team?.id ?? args.team_id;
      if (teamId === undefined) {
        throw new Refused('missing_argument', {
          complaint: 'users.list with an org-wide token needs team_id',
        });
      }
      const all = world.users.filter(({ team }) => team.id === teamId && world.reaches(grant, team));
      const { items, response_metadata } = pageOf(all, args);
      const withEmail = grant.scopes.includes('users:read.email');
      const members = items.map((user) =>
        presentUser(user, { withEmail, withLocale: args.include_locale === true }),
      );
      return { members, response_metadata };
    },
  },
};

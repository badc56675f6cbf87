import type { Fields } from '../../shared/json.ts';
import type { Grant, Team, UserGroup } from '../things.ts';
import { type Methods, Refused } from './method.ts';

const presentGroup = ({ id, team, name, handle, members }: UserGroup): Fields => ({
  ...{ id, team_id: team.id, is_usergroup: true, name, description: '', handle, is_external: false },
  ...{ date_create: 1_700_000_000, date_update: 1_700_000_000, date_delete: 0, user_count: members.length },
});

/** https://docs.slack.dev/reference/methods/usergroups.list, and usergroups.users.list */
export const usergroups: Methods = {
  'usergroups.list': {
    by: 'bot',
    scopes: ['usergroups:read'],
    run: ({ world }, grant, args) => ({
      usergroups: world.userGroups.filter(({ team }) => isIn(grant, args, team)).map(presentGroup),
    }),
  },
  'usergroups.users.list': {
    by: 'bot',
    scopes: ['usergroups:read'],
    run({ world }, grant, args) {
      const group = world.userGroups.find(({ id, team }) => id === args.usergroup && isIn(grant, args, team));
      if (!group) throw new Refused('no_such_subteam');
      return { users: group.members.filter(({ deleted }) => !deleted).map(({ id }) => id) };
    },
  },
};

/** A token of an organisation has to say which of its workspaces is meant. */
const isIn = (grant: Grant, args: Fields, team: Team): boolean =>
  team.id === (grant.team?.id ?? args.team_id);

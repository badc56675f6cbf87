import type { webApi } from '@slack/bolt';
import { addressUser, addressWorkspace, type FindStanding, type Standing } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';
import { createLookup } from '../lookup.ts';
import type { Authorization } from './authorization.ts';
import { isSlackUnreachable } from './errors.ts';

type SlackUser = NonNullable<webApi.UsersInfoResponse['user']>;

/** A submitted form has to be answered within three seconds. */
const timeoutMs = 1_000;

/** What users are in their workspaces, cached for ten minutes unless it has to be fresh. */
export function createSlackStandings({ maybeClient }: Pick<Authorization, 'maybeClient'>): FindStanding {
  const lookUp = createLookup(readUser, { freshForMs: 10 * minuteMs, entriesMax: 50_000, timeoutMs });
  return async (chatUser, workspace, { fresh } = {}) => {
    const client = await maybeClient(addressWorkspace(chatUser));
    const user = client && (await lookUp(client, chatUser.address, { fresh }));
    return user === undefined ? undefined : standingIn(workspace, user, chatUser.address);
  };
}

/** A user by their address; null for one that Slack does not show us. */
async function readUser(client: webApi.WebClient, address: string): Promise<SlackUser | null> {
  try {
    const { user } = await client.users.info({ user: addressUser(address) });
    return user ?? null;
  } catch (error) {
    if (isSlackUnreachable(error)) return null;
    throw error;
  }
}

/** In an organisation, Slack tells of the user's own workspace, which may be another one than that where they act. */
export function standingIn(workspace: string, user: SlackUser | null, address: string): Standing {
  if (user === null || user.is_stranger) return 'stranger';
  const { enterprise_user: ofOrganisation, team_id: team } = user;
  const isAtHome = team === workspace;
  const organisation = addressWorkspace({ platform: 'slack', address });
  if (!isAtHome && ofOrganisation?.enterprise_id !== organisation) return 'stranger';
  if (user.is_restricted || user.is_ultra_restricted) return 'guest';
  const isAdmin = isAtHome && (user.is_admin || user.is_owner);
  return isAdmin || ofOrganisation?.is_admin || ofOrganisation?.is_owner ? 'admin' : 'member';
}

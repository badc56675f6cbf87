import type { webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import { userOf } from './caller.ts';

/**
 * Whether a user is an admin or owner of the workspace that they act in, or of its whole organisation. Slack has to be
 * asked. In an organisation it tells of the user's own workspace, which may be another one.
 */
export async function isWorkspaceAdmin(
  client: webApi.WebClient,
  { chatUser, workspace }: ChatCaller,
): Promise<boolean> {
  const { user } = await client.users.info({ user: userOf(chatUser.address) });
  const isOfThisWorkspace = user?.team_id === workspace;
  const ofOrganisation = user?.enterprise_user;
  return Boolean(
    (isOfThisWorkspace && (user?.is_admin || user?.is_owner)) ||
      ofOrganisation?.is_admin ||
      ofOrganisation?.is_owner,
  );
}

import type { webApi } from '@slack/bolt';
import { addressUser, type ChatCaller } from '../../domain/index.ts';
import { CardError } from '../errorCard.ts';
import { cardsOf } from '../language.ts';

/**
 * Whether a user is an admin or owner of the workspace that they act in, or of its whole organisation. Slack has to be
 * asked. In an organisation it tells of the user's own workspace, which may be another one.
 */
export async function isWorkspaceAdmin(
  client: webApi.WebClient,
  { chatUser, workspace }: ChatCaller,
): Promise<boolean> {
  const { user } = await client.users.info({ user: addressUser(chatUser.address) });
  const isOfThisWorkspace = user?.team_id === workspace;
  const ofOrganisation = user?.enterprise_user;
  return Boolean(
    (isOfThisWorkspace && (user?.is_admin || user?.is_owner)) ||
      ofOrganisation?.is_admin ||
      ofOrganisation?.is_owner,
  );
}

/** Ends a command of anybody but an admin of the workspace. */
export async function requireWorkspaceAdmin(client: webApi.WebClient, caller: ChatCaller): Promise<void> {
  if (!(await isWorkspaceAdmin(client, caller))) throw new CardError(cardsOf(caller).notAllowed);
}

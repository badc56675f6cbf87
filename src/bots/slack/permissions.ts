import type { webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import { readUser, standingIn } from './standing.ts';

/** Whether a user is an admin or owner of the workspace that they act in, or of its whole organisation. Slack is asked. */
export async function isWorkspaceAdmin(
  client: webApi.WebClient,
  { chatUser: { address }, workspace }: ChatCaller,
): Promise<boolean> {
  return standingIn(workspace, await readUser(client, address), address) === 'admin';
}

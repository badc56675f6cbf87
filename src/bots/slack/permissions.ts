import type { webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import { CardError } from '../errorCard.ts';
import { cardsOf } from '../language.ts';
import { readUser, standingIn } from './standing.ts';

/** Whether a user is an admin or owner of the workspace that they act in, or of its whole organisation. Slack is asked. */
export async function isWorkspaceAdmin(
  client: webApi.WebClient,
  { chatUser: { address }, workspace }: ChatCaller,
): Promise<boolean> {
  return standingIn(workspace, await readUser(client, address), address) === 'admin';
}

/** Ends a command of anybody but an admin of the workspace. */
export async function requireWorkspaceAdmin(client: webApi.WebClient, caller: ChatCaller): Promise<void> {
  if (!(await isWorkspaceAdmin(client, caller))) throw new CardError(cardsOf(caller).notAllowed);
}

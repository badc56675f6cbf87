import type { webApi } from '@slack/bolt';

/** Whether a user is an admin or owner of their workspace; Slack has to be asked. */
export async function isWorkspaceAdmin(client: webApi.WebClient, user: string): Promise<boolean> {
  const { user: info } = await client.users.info({ user });
  return Boolean(info?.is_admin || info?.is_owner);
}

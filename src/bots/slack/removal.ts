import type { App } from '@slack/bolt';
import type { Domain } from '../../domain/index.ts';
import type { Authorization } from './authorization.ts';
import { workspaceOf } from './installations.ts';

type Dependencies = { chat: Domain['chat']; authorization: Authorization };

/** Deletes installations that users removed. Slack may deliver an event more than once. */
export function onRemoval(app: App, { chat, authorization }: Dependencies): void {
  async function remove(eventId: string, workspace: string, users?: string[]): Promise<void> {
    if (!(await chat.deduplication.isNew(`slack ${eventId}`))) return;
    await chat.installations.remove('slack', workspace, users);
    authorization.clearCache(workspace);
  }

  app.event('app_uninstalled', ({ context, body }) => remove(body.event_id, workspaceOf(context)));
  app.event('tokens_revoked', ({ context, body, event: { tokens } }) => {
    const hasBot = (tokens.bot ?? []).length > 0;
    return remove(body.event_id, workspaceOf(context), hasBot ? undefined : tokens.oauth);
  });
}

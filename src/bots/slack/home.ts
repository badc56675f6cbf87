import type { App, webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { outcomeOf } from '../outcome.ts';
import { renderHome } from './dialogs.ts';
import { callerOf } from './replies.ts';

type Dependencies = { commands: Commands; onError: (error: unknown) => void };

export type Home = ReturnType<typeof createHome>;

/** The app's own place in Slack, which shows somebody's pushes and requests. */
export function createHome({ commands, onError }: Dependencies) {
  async function publish(
    client: webApi.WebClient,
    { chatUser, workspace }: ChatCaller,
    user: string,
  ): Promise<void> {
    const parts = await commands.home({ chatUser, workspace }).catch(async (error) => {
      const outcome = await outcomeOf(Promise.reject(error), onError);
      return { 'Active pushes': outcome?.card ?? words.internalError };
    });
    await client.views.publish({ user_id: user, view: renderHome(words.homeButtons, parts) });
  }

  function onHomeOpened(app: App): void {
    app.event('app_home_opened', async ({ event, client, context }) => {
      if (event.tab !== 'home') return;
      await publish(client, callerOf(context, event.user), event.user).catch((error) => onError(error));
    });
  }

  return { publish, onHomeOpened };
}

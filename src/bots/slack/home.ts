import type { App, webApi } from '@slack/bolt';
import type { Asker } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import * as words from '../messages.ts';
import { outcomeOf } from '../outcome.ts';
import { drawHome } from './dialogs.ts';
import { askerOf } from './replies.ts';

type Parts = { commands: Commands; failed: (error: unknown) => void };

export type Home = ReturnType<typeof createHome>;

/** The app's own place in Slack, which shows somebody's pushes and requests. */
export function createHome({ commands, failed }: Parts) {
  async function publish(
    client: webApi.WebClient,
    { speaker, workspace }: Asker,
    user: string,
  ): Promise<void> {
    const parts = await commands.home({ speaker, workspace }).catch(async (error) => {
      const outcome = await outcomeOf(Promise.reject(error), failed);
      return { 'Active pushes': outcome?.card ?? words.ourFault };
    });
    await client.views.publish({ user_id: user, view: drawHome(words.homeButtons, parts) });
  }

  function listen(app: App): void {
    app.event('app_home_opened', async ({ event, client, context }) => {
      if (event.tab !== 'home') return;
      await publish(client, askerOf(context, event.user), event.user).catch((error) => failed(error));
    });
  }

  return { publish, listen };
}

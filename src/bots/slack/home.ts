import type { App, webApi } from '@slack/bolt';
import type { ChatCaller } from '../../domain/index.ts';
import type { Commands } from '../commands.ts';
import { repeatable } from '../interactions/repeatable.ts';
import { languageOf } from '../language.ts';
import { outcomeOf } from '../outcome.ts';
import { slackCallerOf } from './caller.ts';
import { renderHome } from './views.ts';

type Dependencies = { commands: Commands; onError: (error: unknown) => void };

export type Home = ReturnType<typeof createHome>;

/** The App Home, which lists a user's pushes and requests. */
export function createHome({ commands, onError }: Dependencies) {
  async function publish(client: webApi.WebClient, reader: ChatCaller, user: string): Promise<void> {
    const caller = repeatable(reader);
    const { cards, messages } = languageOf(caller);
    const parts = await commands.home(caller).catch(async (error) => {
      const outcome = await outcomeOf(caller, Promise.reject(error), onError);
      return { [messages.chat.lists.home.active]: outcome?.card ?? cards.internalError };
    });
    await client.views.publish({ user_id: user, view: renderHome(cards.buttons.home, parts) });
  }

  function onHomeOpened(app: App): void {
    app.event('app_home_opened', async ({ event, client, context }) => {
      if (event.tab !== 'home') return;
      await publish(client, slackCallerOf(context, event.user, null), event.user).catch((error) =>
        onError(error),
      );
    });
  }

  return { publish, onHomeOpened };
}

import type { Domain, Messengers } from '../domain/index.ts';
import type { Commands } from './commands.ts';
import type { DiscordSettings } from './discord/settings.ts';
import type { SlackSettings } from './slack/settings.ts';

type Dependencies = {
  domain: Domain;
  /** A chat without settings is off. */
  settings: { slack?: SlackSettings | undefined; discord?: DiscordSettings | undefined };
  links: {
    page(push: { urlToken: string }): string;
    oneTime(purpose: 'compose' | 'connect' | 'export', token: string): string;
  };
  /** Logs what failed where no caller waits. */
  onError: (what: string, error: unknown) => void;
};

export type Bots = Awaited<ReturnType<typeof createBots>>;

/**
 * One set of commands, and an adapter for each chat. What belongs to a chat that is off is not loaded, since the chats'
 * libraries take most of the time and memory of a start.
 */
export async function createBots({ domain, settings, links, onError }: Dependencies) {
  let commands: Commands | undefined;
  async function openCommands(): Promise<Commands> {
    const { createCommands } = await import('./commands.ts');
    commands ??= createCommands({
      domain,
      linkTo: (urlToken) => links.page({ urlToken }),
      pageOf: links.oneTime,
    });
    return commands;
  }
  const slack =
    settings.slack &&
    (await import('./slack/slack.ts')).createSlack({
      settings: settings.slack,
      domain,
      commands: await openCommands(),
      onError: (error) => onError('Slack', error),
    });
  const discord =
    settings.discord &&
    (await import('./discord/discord.ts')).createDiscord({
      settings: settings.discord,
      domain,
      commands: await openCommands(),
      onError: (error) => onError('Discord', error),
    });
  const messengers: Messengers = {
    ...(slack && { slack: slack.messenger }),
    ...(discord && { discord: discord.messenger }),
  };

  return {
    messengers,
    discord,
    /** The names of the chats that are on. */
    names: [...(slack ? ['Slack'] : []), ...(discord ? ['Discord'] : [])],
    /** Serves interactions: at the endpoints from now on, and over outgoing connections from `start` to `stop`. */
    listen() {
      const [inSlack, inDiscord] = [slack?.listen(), discord?.listen()];
      return {
        endpoints: [...(inSlack?.endpoints ?? []), ...(inDiscord?.endpoints ?? [])],
        /** `ready` resolves to whether the database can be used. */
        async start(ready: Promise<boolean>) {
          await inSlack?.start();
          inDiscord?.start(ready);
        },
        async stop() {
          await Promise.all([inSlack?.stop(), inDiscord?.stop()]);
        },
      };
    },
  };
}

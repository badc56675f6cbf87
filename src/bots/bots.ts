import type { Domain, Messengers } from '../domain/index.ts';
import { createCommands } from './commands.ts';
import type { DiscordSettings } from './discord/settings.ts';
import type { SlackSettings } from './slack/settings.ts';

type Dependencies = {
  domain: Domain;
  /** Absent is what is off. */
  settings: { slack: SlackSettings | undefined; discord: DiscordSettings | undefined };
  links: {
    page(push: { urlToken: string }): string;
    oneTime(purpose: 'compose' | 'connect', token: string): string;
  };
  /** Told what failed where nobody waits for an answer. */
  onError: (what: string, error: unknown) => void;
};

/**
 * The chats that people use us from: one set of commands, and an adapter for each. The adapter of a chat that is off is not
 * loaded, since the chats' own libraries take most of a start's time and memory.
 */
export async function createBots({ domain, settings, links, onError }: Dependencies) {
  const commands = createCommands({
    domain,
    linkTo: (urlToken) => links.page({ urlToken }),
    pageOf: links.oneTime,
  });
  const slack =
    settings.slack &&
    (await import('./slack/slack.ts')).createSlack({
      settings: settings.slack,
      domain,
      commands,
      onError: (error) => onError('Slack', error),
    });
  const discord =
    settings.discord &&
    (await import('./discord/discord.ts')).createDiscord({
      settings: settings.discord,
      domain,
      commands,
      onError: (error) => onError('Discord', error),
    });
  const messengers: Messengers = {
    ...(slack && { slack: slack.messenger }),
    ...(discord && { discord: discord.messenger }),
  };

  return {
    messengers,
    discord,
    /** The names of those that are off. */
    off: [...(slack ? [] : ['Slack']), ...(discord ? [] : ['Discord'])],
    /** Hears what people do: at the endpoints from now on, and by connections of its own from `start` to `stop`. */
    listen() {
      const [inSlack, inDiscord] = [slack?.listen(), discord?.listen()];
      return {
        endpoints: [...(inSlack?.endpoints ?? []), ...(inDiscord?.endpoints ?? [])],
        /** `ready` tells when the database can be used, or that it never will. */
        async start(ready: Promise<boolean>) {
          await inSlack?.start();
          inDiscord?.start(ready);
        },
        stop: async () => void (await Promise.all([inSlack?.stop(), inDiscord?.stop()])),
      };
    },
  };
}

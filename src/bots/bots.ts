import type { Domain, Messengers } from '../domain/index.ts';
import { createCommands } from './commands.ts';
import { createDiscord } from './discord/discord.ts';
import type { DiscordSettings } from './discord/settings.ts';
import type { SlackSettings } from './slack/settings.ts';
import { createSlack } from './slack/slack.ts';

type Parts = {
  domain: Domain;
  /** Absent is what is off. */
  settings: { slack: SlackSettings | undefined; discord: DiscordSettings | undefined };
  links: {
    page(push: { urlToken: string }): string;
    oneTime(purpose: 'compose' | 'connect', token: string): string;
  };
  /** Told what failed where nobody waits for an answer. */
  failed: (what: string, error: unknown) => void;
};

/** The chats that people use us from: one set of commands, and an adapter for each. */
export function createBots({ domain, settings, links, failed }: Parts) {
  const commands = createCommands({
    domain,
    linkTo: (urlToken) => links.page({ urlToken }),
    pageOf: links.oneTime,
  });
  const slack =
    settings.slack &&
    createSlack({
      settings: settings.slack,
      domain,
      commands,
      failed: (error) => failed('Slack', error),
    });
  const discord =
    settings.discord &&
    createDiscord({
      settings: settings.discord,
      domain,
      commands,
      failed: (error) => failed('Discord', error),
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

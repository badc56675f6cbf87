import type { Domain, Messengers } from '../domain/index.ts';
import { createCommands } from './commands.ts';
import type { SlackSettings } from './slack/settings.ts';
import { createSlack } from './slack/slack.ts';

type Parts = {
  domain: Domain;
  /** Absent is what is off. */
  settings: { slack: SlackSettings | undefined };
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
  const messengers: Messengers = { ...(slack && { slack: slack.messenger }) };

  return {
    messengers,
    /** The names of those that are off. */
    off: slack === undefined ? ['Slack'] : [],
    /** Hears what people do: at the endpoints from now on, and by connections of its own from `start` to `stop`. */
    listen() {
      const listening = slack?.listen();
      return {
        endpoints: listening?.endpoints ?? [],
        start: async () => listening?.start(),
        stop: async () => listening?.stop(),
      };
    },
  };
}

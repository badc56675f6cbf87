import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { SlackSettings } from './settings.ts';

const noop = () => {};

/** Bolt and its packages log payloads, so they get no logger; failures go to the service's own. */
export const silentLogger: Logger = {
  debug: noop,
  info: noop,
  warn: noop,
  error: noop,
  setLevel: noop,
  setName: noop,
  getLevel: () => LogLevel.ERROR,
};

const callTimeoutMs = 5_000;

/** Options for Web API calls. They are tried once: users are told of a failure at once, and notices are retried by their queue. */
export const slackClientOptions = ({ apiUrl }: Pick<SlackSettings, 'apiUrl'>): webApi.WebClientOptions => ({
  slackApiUrl: apiUrl,
  timeout: callTimeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  logger: silentLogger,
});

export const createWebClient = (settings: SlackSettings, token: string): webApi.WebClient =>
  new webApi.WebClient(token, slackClientOptions(settings));

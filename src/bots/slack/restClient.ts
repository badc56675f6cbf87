import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { SlackSettings } from './settings.ts';

const nothing = () => {};

/** Bolt and its parts write payloads into their logs, so they get none: what fails is told to the service's own. */
export const silent: Logger = {
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
  setLevel: nothing,
  setName: nothing,
  getLevel: () => LogLevel.ERROR,
};

export const callWithinMs = 5_000;

/**
 * How Slack's Web API is called. A call is tried once: who acts is told at once that it failed, and notices are tried again
 * by whoever delivers them, when Slack says so.
 */
export const clientOptions = ({ apiUrl }: Pick<SlackSettings, 'apiUrl'>): webApi.WebClientOptions => ({
  slackApiUrl: apiUrl,
  timeout: callWithinMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  logger: silent,
});

export const createWebClient = (settings: SlackSettings, token: string): webApi.WebClient =>
  new webApi.WebClient(token, clientOptions(settings));

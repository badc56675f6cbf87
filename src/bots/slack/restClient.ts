import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { SlackSettings } from './settings.ts';

const noop = () => {};

/** Bolt and its parts write payloads into their logs, so they get none: what fails is told to the service's own. */
export const silentLogger: Logger = {
  debug: noop,
  info: noop,
  warn: noop,
  error: noop,
  setLevel: noop,
  setName: noop,
  getLevel: () => LogLevel.ERROR,
};

export const callTimeoutMs = 5_000;

/**
 * How Slack's Web API is called. A call is tried once: who acts is told at once that it failed, and notices are tried again
 * by whoever delivers them, when Slack says so.
 */
export const clientOptions = ({ apiUrl }: Pick<SlackSettings, 'apiUrl'>): webApi.WebClientOptions => ({
  slackApiUrl: apiUrl,
  timeout: callTimeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  logger: silentLogger,
});

export const createWebClient = (settings: SlackSettings, token: string): webApi.WebClient =>
  new webApi.WebClient(token, clientOptions(settings));

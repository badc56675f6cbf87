import { type Logger, LogLevel, webApi } from '@slack/bolt';
import type { TokenCheck } from '../chatModule.ts';
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

/** Errors that say nothing about the token. */
const passing = ['ratelimited', 'internal_error', 'fatal_error', 'service_unavailable', 'request_timeout'];

/** Slack's refusal in `data`, or the network's in `original`. */
type WebClientError = { code: string; data?: { error?: string }; original?: { code?: string } };

/** Asks Slack whether it accepts the tokens that are set. */
export function checkSlackTokens(settings: SlackSettings): Promise<TokenCheck[]> {
  const { botToken, appToken, mode } = settings;
  const checks: Promise<TokenCheck>[] = [];
  if (botToken !== undefined)
    checks.push(check('SLACK_BOT_TOKEN', () => createWebClient(settings, botToken).auth.test()));
  if (appToken !== undefined && mode === 'socket')
    checks.push(check('SLACK_APP_TOKEN', () => createWebClient(settings, appToken).apps.connections.open()));
  return Promise.all(checks);
}

async function check(setting: string, call: () => Promise<unknown>): Promise<TokenCheck> {
  try {
    await call();
    return { setting, result: 'accepted' };
  } catch (error) {
    const { code, data, original } = error as WebClientError;
    const reason = data?.error;
    if (reason !== undefined && !passing.includes(reason)) return { setting, result: 'refused', reason };
    return { setting, result: 'unreachable', reason: reason ?? original?.code ?? String(code) };
  }
}

import { type Logger, LogLevel, webApi } from '@slack/bolt';
import { checkToken, type TokenCheck } from '../failure.ts';
import { explainSlackError } from './errors.ts';
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

type ApiSettings = Pick<SlackSettings, 'SLACK_API_URL'>;

const callTimeoutMs = 5_000;

/** Options for Web API calls. They are tried once: users are told of a failure at once, and notices are retried by their queue. */
export const slackClientOptions = ({ SLACK_API_URL: slackApiUrl }: ApiSettings): webApi.WebClientOptions => ({
  slackApiUrl,
  timeout: callTimeoutMs,
  retryConfig: { retries: 0 },
  rejectRateLimitedCalls: true,
  logger: silentLogger,
});

export const createWebClient = (settings: ApiSettings, token: string): webApi.WebClient =>
  new webApi.WebClient(token, slackClientOptions(settings));

/** Asks Slack whether it accepts the tokens that are set. */
export function checkSlackTokens(settings: SlackSettings): Promise<TokenCheck[]> {
  const { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_MODE: mode } = settings;
  const check = (setting: string, call: Promise<unknown>) => [checkToken(setting, call, explainSlackError)];
  const clientOf = (token: string) => createWebClient(settings, token);
  return Promise.all([
    ...(botToken === undefined ? [] : check('SLACK_BOT_TOKEN', clientOf(botToken).auth.test())),
    ...(appToken === undefined || mode !== 'socket'
      ? []
      : check('SLACK_APP_TOKEN', clientOf(appToken).apps.connections.open())),
  ]);
}

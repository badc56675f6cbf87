import type { TokenCheck } from '../chatModule.ts';
import { createWebClient } from './restClient.ts';
import type { SlackSettings } from './settings.ts';

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

import { type Config, discordSettings, isLoopback, publicUrl, slackSettings } from '../../config.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Settings that endanger secrets, or cannot work together. */
export function checkSettings(config: Config): Finding[] {
  return [
    checkBaseUrl(config),
    ...checkTls(config),
    config.RATE_LIMITS
      ? ok('RATE_LIMITS', 'are on')
      : warning('RATE_LIMITS', 'are off', 'Unset it: without limits, passphrases can be guessed.'),
    config.BASE_URL !== undefined && config.TRUSTED_PROXIES.length === 0
      ? warning(
          'TRUSTED_PROXIES',
          'is empty',
          'Behind a proxy, set it to the proxy’s address; otherwise all clients share one address.',
        )
      : ok('TRUSTED_PROXIES', config.TRUSTED_PROXIES.join(', ') || 'none'),
    ...(slackSettings(config) === undefined ? [] : [checkChat(config, 'Slack', 'SLACK_MODE=socket')]),
    ...(discordSettings(config) === undefined ? [] : [checkChat(config, 'Discord', 'DISCORD_MODE=gateway')]),
  ];
}

function checkBaseUrl(config: Config): Finding {
  const url = publicUrl(config);
  return config.BASE_URL === undefined && !isLoopback(config.HOST)
    ? warning('BASE_URL', `is not set, so links start with ${url}`, 'Set it to the address that people use.')
    : ok('BASE_URL', `links start with ${url}`);
}

function checkTls({ BASE_URL }: Config): Finding[] {
  if (!BASE_URL?.startsWith('http:') || isLoopback(new URL(BASE_URL).hostname)) return [];
  const advice = 'Put the service behind a proxy with TLS; otherwise secrets travel in clear text.';
  return [warning('TLS', 'BASE_URL is not https', advice)];
}

function checkChat(config: Config, name: 'Slack' | 'Discord', alternative: string): Finding {
  const mode = name === 'Slack' ? config.SLACK_MODE : config.DISCORD_MODE;
  const url = publicUrl(config);
  if (mode !== 'http') return ok(name, 'uses a WebSocket');
  if (url.startsWith('https:')) return ok(name, 'uses HTTP');
  return warning(
    name,
    `needs an https address, but links start with ${url}`,
    `Set BASE_URL to an https address that ${name} can reach, or set ${alternative}.`,
  );
}

import { type Config, discordSettings, isLoopback, publicUrl, slackSettings } from '../../config.ts';
import { type Finding, report } from './finding.ts';

/** Settings that endanger secrets, or cannot work together. */
export function checkSettings(config: Config): Finding[] {
  return [
    checkBaseUrl(config),
    ...checkTls(config),
    report(config.RATE_LIMITS ? 'limitsOn' : 'limitsOff'),
    config.BASE_URL !== undefined && config.TRUSTED_PROXIES.length === 0
      ? report('proxiesMissing')
      : report('proxies', { list: config.TRUSTED_PROXIES }),
    ...(slackSettings(config) === undefined ? [] : [checkChat(config, 'Slack', 'SLACK_MODE=socket')]),
    ...(discordSettings(config) === undefined ? [] : [checkChat(config, 'Discord', 'DISCORD_MODE=gateway')]),
  ];
}

function checkBaseUrl(config: Config): Finding {
  const url = publicUrl(config);
  const isMissing = config.BASE_URL === undefined && !isLoopback(config.HOST);
  return report(isMissing ? 'baseUrlMissing' : 'linksStart', { url });
}

function checkTls({ BASE_URL }: Config): Finding[] {
  if (!BASE_URL?.startsWith('http:') || isLoopback(new URL(BASE_URL).hostname)) return [];
  return [report('notHttps')];
}

function checkChat(config: Config, chat: 'Slack' | 'Discord', alternative: string): Finding {
  const mode = chat === 'Slack' ? config.SLACK_MODE : config.DISCORD_MODE;
  const url = publicUrl(config);
  if (mode !== 'http') return report('chatUsesWebSocket', { chat });
  if (url.startsWith('https:')) return report('chatUsesHttp', { chat });
  return report('chatNeedsHttps', { chat, url, alternative });
}

import {
  type Config,
  databaseFileOf,
  discordSettings,
  isLoopback,
  keyFileOf,
  publicUrl,
  slackSettings,
} from '../../config.ts';
import { type Finding, report } from './finding.ts';

/** Which `.env` was read, and settings that endanger secrets or cannot work together. Looks at nothing but the settings. */
export function checkSettings(config: Config): Finding[] {
  const { envFile: path } = config;
  return [
    path === undefined ? report('envFileNone') : report('envFileRead', { path }),
    ...checkLinks(config),
    ...checkPairs(config),
    report(config.RATE_LIMITS ? 'limitsOn' : 'limitsOff'),
    config.BASE_URL !== undefined && config.TRUSTED_PROXIES.length === 0
      ? report('proxiesMissing')
      : report('proxies', { list: config.TRUSTED_PROXIES }),
    ...(slackSettings(config) === undefined ? [] : [checkChat(config, 'Slack', 'SLACK_MODE=socket')]),
    ...(discordSettings(config) === undefined ? [] : [checkChat(config, 'Discord', 'DISCORD_MODE=gateway')]),
  ];
}

function checkLinks(config: Config): Finding[] {
  const url = publicUrl(config);
  const { hostname, pathname, protocol } = new URL(url);
  if (isLoopback(hostname))
    return [report(isLoopback(config.HOST) ? 'linksStart' : 'linksOnlyHere', { url })];
  return [
    pathname === '/' ? report('linksStart', { url }) : report('linksStartBelow', { url, path: pathname }),
    ...(protocol === 'https:' ? [] : [report('notHttps', { url })]),
  ];
}

/** Settings that are valid, but do not fit together. */
function checkPairs(config: Config): Finding[] {
  const { MASTER_KEYS, MASTER_KEYS_FILE, WEB_PROCESSES, FILES, MAX_FILE_MIB, MAX_UPLOAD_MIB } = config;
  const isEmbedded = databaseFileOf(config) !== undefined;
  const found: Finding[] = [];
  if (!isEmbedded && MASTER_KEYS === undefined && MASTER_KEYS_FILE === undefined)
    found.push(report('keyFileByDefault', { path: keyFileOf(config) }));
  if (isEmbedded && WEB_PROCESSES > 1) found.push(report('processesOnSqlite', { count: WEB_PROCESSES }));
  if (FILES !== 'off' && MAX_FILE_MIB > MAX_UPLOAD_MIB)
    found.push(report('fileAboveUpload', { file: MAX_FILE_MIB, upload: MAX_UPLOAD_MIB }));
  return found;
}

function checkChat(config: Config, chat: 'Slack' | 'Discord', alternative: string): Finding {
  const mode = chat === 'Slack' ? config.SLACK_MODE : config.DISCORD_MODE;
  const url = publicUrl(config);
  if (mode !== 'http') return report('chatUsesWebSocket', { chat });
  if (url.startsWith('https:')) return report('chatUsesHttp', { chat });
  return report('chatNeedsHttps', { chat, url, alternative });
}

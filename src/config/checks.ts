import type { ActiveChat } from '../bots/chatModule.ts';
import { chatsIn } from '../bots/chatModules.ts';
import { platforms } from '../platforms.ts';
import { publicUrl } from './addresses.ts';
import type { ProviderSettings } from './identityProviders.ts';
import { databaseFileOf, keyFileOf } from './paths.ts';
import type { Config } from './schema.ts';
import { isLoopback } from './values.ts';

/** What a check found, and for anything but `ok` what to do about it. Programs tell findings apart by their code. */
export type Finding = {
  code: string;
  check: string;
  state: 'ok' | 'warning' | 'failure';
  finding: string;
  advice?: string;
};

export function ok(code: string, check: string, finding: string): Finding {
  return { code, check, state: 'ok', finding };
}

export function warning(code: string, check: string, finding: string, advice: string): Finding {
  return { code, check, state: 'warning', finding, advice };
}

export function failure(code: string, check: string, finding: string, advice: string): Finding {
  return { code, check, state: 'failure', finding, advice };
}

/** Which `.env` was read, and settings that endanger secrets or cannot work together. Looks at nothing but the settings. */
export function checkSettings(config: Config): Finding[] {
  const { envFile, BASE_URL, RATE_LIMITS, TRUSTED_PROXIES } = config;
  return [
    envFile === undefined
      ? ok('envFileNone', '.env', 'there is none in this folder; settings come from the environment')
      : ok('envFileRead', '.env', `settings come from the environment and ${envFile}`),
    ...checkLinks(config),
    ...checkPairs(config),
    RATE_LIMITS
      ? ok('limitsOn', 'RATE_LIMITS', 'are on')
      : warning(
          'limitsOff',
          'RATE_LIMITS',
          'are off',
          'Unset it: without limits, passphrases can be guessed.',
        ),
    BASE_URL !== undefined && TRUSTED_PROXIES.length === 0
      ? warning(
          'proxiesMissing',
          'TRUSTED_PROXIES',
          'is empty',
          'Behind a proxy, set it to the proxy’s address; otherwise all clients share one address.',
        )
      : ok('proxies', 'TRUSTED_PROXIES', TRUSTED_PROXIES.join(', ') || 'none'),
    ...config.identityProviders.map(checkProvider),
    ...chatsIn(config, publicUrl(config)).map((chat) => checkChat(config, chat)),
  ];
}

function checkLinks(config: Config): Finding[] {
  const url = publicUrl(config);
  const { hostname, pathname, protocol } = new URL(url);
  const start = `links start with ${url}`;
  if (isLoopback(hostname) && !isLoopback(config.HOST))
    return [
      warning(
        'linksOnlyHere',
        'BASE_URL',
        `${start}, which only this machine can open`,
        'Set BASE_URL to the address that people use.',
      ),
    ];
  if (isLoopback(hostname)) return [ok('linksStart', 'BASE_URL', start)];
  const advice = 'Put the service behind a proxy with TLS; otherwise secrets travel in clear text.';
  return [
    pathname === '/'
      ? ok('linksStart', 'BASE_URL', start)
      : ok('linksStartBelow', 'BASE_URL', `${start}; the proxy may pass ${pathname} on or remove it`),
    ...(protocol === 'https:' ? [] : [warning('notHttps', 'TLS', `${start}, which is not https`, advice)]),
  ];
}

/** Settings that are valid, but do not fit together. */
function checkPairs(config: Config): Finding[] {
  const { MASTER_KEYS, MASTER_KEYS_FILE, WEB_PROCESSES, FILES, MAX_FILE_MIB, MAX_UPLOAD_MIB, EGRESS_PROXY } =
    config;
  const isEmbedded = databaseFileOf(config) !== undefined;
  const found: Finding[] = [];
  if (!isEmbedded && MASTER_KEYS === undefined && MASTER_KEYS_FILE === undefined)
    found.push(
      warning(
        'keyFileByDefault',
        'MASTER_KEYS_FILE',
        `is not set, so the keys are those in ${keyFileOf(config)}`,
        'Set it to the key file of this database, or set MASTER_KEYS: that file may belong to another database.',
      ),
    );
  if (isEmbedded && WEB_PROCESSES > 1)
    found.push(
      warning(
        'processesOnSqlite',
        'WEB_PROCESSES',
        `${WEB_PROCESSES} processes share one SQLite database, which one of them at a time can write`,
        'Use MySQL or MariaDB, or one process.',
      ),
    );
  if (FILES !== 'off' && MAX_FILE_MIB > MAX_UPLOAD_MIB)
    found.push(
      warning(
        'fileAboveUpload',
        'MAX_FILE_MIB',
        `is ${MAX_FILE_MIB}, but MAX_UPLOAD_MIB is ${MAX_UPLOAD_MIB}, so no file can be larger than that`,
        'Raise MAX_UPLOAD_MIB, or lower MAX_FILE_MIB.',
      ),
    );
  const active = chatsIn(config, publicUrl(config));
  if (
    EGRESS_PROXY !== undefined &&
    active.some(({ platform, receives }) => platform === 'discord' && receives === 'socket')
  )
    found.push(
      warning(
        'gatewayIsDirect',
        'DISCORD_MODE',
        'is gateway, and that connection goes out directly, not through EGRESS_PROXY',
        'Set DISCORD_MODE=http, or let this machine reach gateway.discord.gg.',
      ),
    );
  return found;
}

/** Where anybody can get an account. */
const publicIssuers = ['https://accounts.google.com', 'https://gitlab.com', 'https://slack.com'];

function checkProvider({ name, label, issuer, rules }: ProviderSettings): Finding {
  const isOpen = rules.allowedDomains.length === 0 && rules.allowedGroups.length === 0;
  const prefix = name === 'oidc' ? 'OIDC' : `OIDC_${name.toUpperCase().replaceAll('-', '_')}`;
  if (isOpen && publicIssuers.includes(issuer.replace(/\/$/, '')))
    return warning(
      'providerOpenToAll',
      label,
      'signs in anybody in the world who has an account there',
      `Set ${prefix}_ALLOWED_DOMAINS or ${prefix}_ALLOWED_GROUPS.`,
    );
  return ok('providerOn', label, `signs people in, as ${issuer}`);
}

function checkChat(config: Config, { platform, receives, alternative }: ActiveChat): Finding {
  const url = publicUrl(config);
  const chat = platforms[platform].name;
  if (receives !== 'http') return ok('chatUsesWebSocket', chat, 'uses a WebSocket');
  if (url.startsWith('https:')) return ok('chatUsesHttp', chat, 'uses HTTP');
  return warning(
    'chatNeedsHttps',
    chat,
    `needs an https address, but links start with ${url}`,
    `Set BASE_URL to an https address that ${chat} can reach${alternative === undefined ? '' : `, or set ${alternative}`}.`,
  );
}

import { failure, ok, warning } from './checkResult.ts';

/** What the settings alone show. Code → what a check says. */
export const settingsFindings = {
  // settings
  envFileRead: ({ path }: { path: string }) => ok('.env', `settings come from the environment and ${path}`),
  envFileNone: () => ok('.env', 'there is none in this folder; settings come from the environment'),
  linksStart: ({ url }: { url: string }) => ok('BASE_URL', `links start with ${url}`),
  linksStartBelow: ({ url, path }: { url: string; path: string }) =>
    ok('BASE_URL', `links start with ${url}; the proxy may pass ${path} on or remove it`),
  linksOnlyHere: ({ url }: { url: string }) =>
    warning(
      'BASE_URL',
      `links start with ${url}, which only this machine can open`,
      'Set BASE_URL to the address that people use.',
    ),
  notHttps: ({ url }: { url: string }) =>
    warning(
      'TLS',
      `links start with ${url}, which is not https`,
      'Put the service behind a proxy with TLS; otherwise secrets travel in clear text.',
    ),
  limitsOn: () => ok('RATE_LIMITS', 'are on'),
  limitsOff: () => warning('RATE_LIMITS', 'are off', 'Unset it: without limits, passphrases can be guessed.'),
  proxies: ({ list }: { list: string[] }) => ok('TRUSTED_PROXIES', list.join(', ') || 'none'),
  proxiesMissing: () =>
    warning(
      'TRUSTED_PROXIES',
      'is empty',
      'Behind a proxy, set it to the proxy’s address; otherwise all clients share one address.',
    ),
  keyFileByDefault: ({ path }: { path: string }) =>
    warning(
      'MASTER_KEYS_FILE',
      `is not set, so the keys are those in ${path}`,
      'Set it to the key file of this database, or set MASTER_KEYS: that file may belong to another database.',
    ),
  processesOnSqlite: ({ count }: { count: number }) =>
    warning(
      'WEB_PROCESSES',
      `${count} processes share one SQLite database, which one of them at a time can write`,
      'Use MySQL or MariaDB, or one process.',
    ),
  fileAboveUpload: ({ file, upload }: { file: number; upload: number }) =>
    warning(
      'MAX_FILE_MIB',
      `is ${file}, but MAX_UPLOAD_MIB is ${upload}, so no file can be larger than that`,
      'Raise MAX_UPLOAD_MIB, or lower MAX_FILE_MIB.',
    ),

  // places
  placesRead: ({ type, day }: { type: string; day: string }) => ok('GEOIP_DATABASE', `${type} of ${day}`),
  placesOld: ({ type, day }: { type: string; day: string }) =>
    warning(
      'GEOIP_DATABASE',
      `${type} is of ${day}, and addresses move`,
      'Replace the file by a newer one, such as with geoipupdate every month.',
    ),
  placesUnusable: ({ error }: { error: string }) =>
    failure('GEOIP_DATABASE', error, 'Set it to a City or Country database, or unset it to show no places.'),

  // chats
  chatUsesWebSocket: ({ chat }: { chat: string }) => ok(chat, 'uses a WebSocket'),
  chatUsesHttp: ({ chat }: { chat: string }) => ok(chat, 'uses HTTP'),
  chatNeedsHttps: ({ chat, url, alternative }: { chat: string; url: string; alternative: string }) =>
    warning(
      chat,
      `needs an https address, but links start with ${url}`,
      `Set BASE_URL to an https address that ${chat} can reach, or set ${alternative}.`,
    ),
  tokenAccepted: ({ chat, setting }: { chat: string; setting: string }) => ok(setting, `${chat} accepts it`),
  tokenRefused: ({ chat, setting, reason }: { chat: string; setting: string; reason: string }) =>
    failure(
      setting,
      `${chat} refuses it: ${reason}`,
      `Copy it again from the settings of the app at ${chat}.`,
    ),
  tokenUnchecked: ({ chat, setting, reason }: { chat: string; setting: string; reason: string }) =>
    warning(
      setting,
      `cannot be checked: ${chat} is out of reach (${reason})`,
      'Check that this machine may connect to the internet.',
    ),
};

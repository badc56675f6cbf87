/* Long because it lists everything that doctor can find. */

const ok = (check: string, finding: string) => ({ check, state: 'ok' as const, finding });

const warning = (check: string, finding: string, advice: string) => ({
  check,
  state: 'warning' as const,
  finding,
  advice,
});

const failure = (check: string, finding: string, advice: string) => ({
  check,
  state: 'failure' as const,
  finding,
  advice,
});

const jobsAdvice =
  'Run hushpush worker, or hushpush start without JOBS=off; look for failing jobs in its log.';

type Late = { count: number; seconds: number };

/** Code → the words for what was found. */
export const findings = {
  // settings
  envFileRead: ({ path }: { path: string }) => ok('.env', `settings come from the environment and ${path}`),
  envFileNone: () => ok('.env', 'there is none in this folder; settings come from the environment'),
  linksStart: ({ url }: { url: string }) => ok('BASE_URL', `links start with ${url}`),
  linksStartBelow: ({ url, path }: { url: string; path: string }) =>
    ok('BASE_URL', `links start with ${url}; the proxy must remove ${path} from the paths of requests`),
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
      `is ${file}, but MAX_UPLOAD_MIB is ${upload}, so no file may have more`,
      'Raise MAX_UPLOAD_MIB, or lower MAX_FILE_MIB.',
    ),

  // chats
  chatUsesWebSocket: ({ chat }: { chat: string }) => ok(chat, 'uses a WebSocket'),
  chatUsesHttp: ({ chat }: { chat: string }) => ok(chat, 'uses HTTP'),
  chatNeedsHttps: ({ chat, url, alternative }: { chat: string; url: string; alternative: string }) =>
    warning(
      chat,
      `needs an https address, but links start with ${url}`,
      `Set BASE_URL to an https address that ${chat} can reach, or set ${alternative}.`,
    ),

  // keys
  keysMatch: ({ active, keys }: { active: number; keys: string[] }) =>
    ok('keys', `they match the database, and master key ${active} is active: ${keys.join('; ')}`),
  keysNotYet: () => ok('keys', 'nothing is encrypted yet'),
  keyMissing: ({ keyId, records }: { keyId: number; records: string }) =>
    failure(
      'keys',
      `master key ${keyId} is missing; ${records} cannot be decrypted`,
      'Restore the key from a backup, and put it behind the others.',
    ),
  keyWaits: ({ keyId, processes }: { keyId: number; processes: string[] }) =>
    warning(
      'keys',
      `master key ${keyId} waits until every process has it: ${processes.join(', ')}`,
      'Give it to these processes: copy the key file to their machines, or set MASTER_KEYS and restart them.',
    ),
  keyLacked: ({ keyId, processes }: { keyId: number; processes: string[] }) =>
    failure(
      'keys',
      `master key ${keyId} encrypts new records, but some processes do not have it: ${processes.join(', ')}`,
      'Give it to these processes: copy the key file to their machines, or set MASTER_KEYS and restart them.',
    ),
  keysDiffer: ({ error }: { error: string }) =>
    failure('keys', error, 'Use the keys that this database was written with.'),
  keysUnusable: ({ error }: { error: string }) =>
    failure('keys', error, 'Correct the keys; see SECURITY.md.'),
  keysFromSettings: () => ok('key file', 'the keys come from MASTER_KEYS'),
  keyFilePrivate: ({ path }: { path: string }) => ok('key file', `only its owner can read ${path}`),
  keyFileOpen: ({ path }: { path: string }) =>
    failure('key file', `others can read ${path}`, `Run chmod 600 ${path}.`),
  keyFileMissing: ({ path }: { path: string }) =>
    failure('key file', `${path} is missing`, 'Restore it, or set MASTER_KEYS.'),
  keyFileNotYet: ({ path }: { path: string }) =>
    warning('key file', `${path} does not exist yet`, 'Start the service, which creates it, and back it up.'),

  // database
  databaseResponds: ({ version, url }: { version: string; url: string }) =>
    ok('database', `${version} responds at ${url}`),
  databaseFails: ({ error }: { error: string }) =>
    failure(
      'database',
      error,
      'Check DATABASE_URL, that the server runs, and that its user may use the database.',
    ),
  databaseNotYet: ({ path }: { path: string }) =>
    warning(
      'database',
      `${path} does not exist yet`,
      'Start the service, which creates it; if it should exist, correct DATABASE_URL.',
    ),
  databaseFolderNotYet: ({ path, folder }: { path: string; folder: string }) =>
    warning(
      'database',
      `${path} does not exist yet, and neither does its folder below ${folder}`,
      'Start the service, which creates both; if they should exist, correct DATABASE_URL.',
    ),
  databaseNotCreatable: ({ path, folder }: { path: string; folder: string }) =>
    failure(
      'database',
      `${path} does not exist, and cannot be created in ${folder}`,
      'Correct DATABASE_URL, or allow the service’s user to write there.',
    ),
  schemaCurrent: () => ok('schema', 'all migrations are applied'),
  migrationsPending: ({ names }: { names: string[] }) =>
    warning('schema', `pending: ${names.join(', ')}`, 'Run hushpush migrate up, or start the service.'),
  schemaNewer: ({ names }: { names: string[] }) =>
    failure('schema', `newer than this version: ${names.join(', ')}`, 'Run the version that added them.'),
  clockAgrees: ({ ms }: { ms: number }) => ok('clock', `differs from the database’s clock by ${ms} ms`),
  clockDiffers: ({ seconds }: { seconds: number }) =>
    warning(
      'clock',
      `differs from the database’s clock by ${seconds} s`,
      'Synchronize both machines with NTP; pushes expire by the database’s clock.',
    ),

  // jobs
  expiryInTime: () => ok('expiry', 'expired pushes are erased in time'),
  expiryLate: ({ count, seconds }: Late) =>
    failure('expiry', `${count} expired pushes are not erased, the oldest for ${seconds} s`, jobsAdvice),
  outboxInTime: ({ count }: { count: number }) => ok('outbox', `${count} notices are waiting`),
  outboxLate: ({ count, seconds }: Late) =>
    failure('outbox', `${count} notices are waiting, the oldest overdue for ${seconds} s`, jobsAdvice),
  shreddingInTime: () => ok('shredding', 'files of expired pushes are shredded in time'),
  shreddingLate: ({ count, seconds }: Late) =>
    failure('shredding', `${count} files are not shredded, the oldest for ${seconds} s`, jobsAdvice),

  // files and disk
  filesComplete: ({ count, location }: { count: number; location: string }) =>
    ok('files', `${count} files in ${location}`),
  filesMissing: ({ count, location }: { count: number; location: string }) =>
    failure(
      'files',
      `${count} files are missing from ${location}`,
      'Check FILES_DIR and FILES_URL, which all processes must share, or restore the files from a backup.',
    ),
  filesStray: ({ count, location }: { count: number; location: string }) =>
    warning(
      'files',
      `${count} files in ${location} belong to no push`,
      'Do nothing: the job reconcile-files removes them when they are a day old.',
    ),
  filesFail: ({ error }: { error: string }) =>
    failure('files', error, 'Check FILES_DIR or FILES_URL, and that this user may write there.'),
  filesNotWritable: ({ folder }: { folder: string }) =>
    failure('files', `${folder} is not writable`, 'Allow this user to write there, or set FILES_DIR.'),
  diskRoomy: ({ mib, folder }: { mib: number; folder: string }) => ok('disk', `${mib} MiB free at ${folder}`),
  diskLow: ({ mib, folder }: { mib: number; folder: string }) =>
    warning(
      'disk',
      `${mib} MiB free at ${folder}`,
      'Free some space: on a full disk nothing can be pushed or revealed.',
    ),
};

import { failure, ok, warning } from './checkResult.ts';

/** What the keys and the database show. Code → what a check says. */
export const databaseFindings = {
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
  databaseFails: ({ error, place }: { error: string; place: string }) =>
    failure(
      'database',
      `${place}: ${error}`,
      'Check DATABASE_URL, that the server runs, and that its user may use the database.',
    ),
  databaseRefuses: ({ place }: { place: string }) =>
    failure(
      'database',
      `nothing listens at ${place} (ECONNREFUSED)`,
      'Start the database server, or correct the host and port in DATABASE_URL.',
    ),
  databaseHostUnknown: ({ place }: { place: string }) =>
    failure(
      'database',
      `the host of ${place} has no address`,
      'Correct the host in DATABASE_URL, or the DNS of its name.',
    ),
  databaseSilent: ({ place }: { place: string }) =>
    failure(
      'database',
      `${place} does not respond`,
      'Correct the host and port in DATABASE_URL, or allow the connection in the firewall.',
    ),
  databaseDeniesUser: ({ place }: { place: string }) =>
    failure(
      'database',
      `${place} denies access`,
      'Correct user and password in DATABASE_URL, or grant the user all rights on the database.',
    ),
  databaseUnknown: ({ place }: { place: string }) =>
    failure(
      'database',
      `${place} does not exist`,
      'Create the database, or correct its name in DATABASE_URL.',
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
};

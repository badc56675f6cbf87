/** The first versions with SELECT … SKIP LOCKED, without which requests that arrive together would wait for each other. */
const oldest = { MariaDB: [10, 6], MySQL: [8, 0] } as const;

/** Why a server cannot be used, by what it says of its version; undefined if it can. */
export function serverProblem(version: string): string | undefined {
  if (version.startsWith('SQLite')) return undefined;
  const mariadb = /(\d+)\.(\d+)\.\d+-MariaDB/i.exec(version);
  const product = mariadb === null ? 'MySQL' : 'MariaDB';
  const [, major = '', minor = ''] = mariadb ?? /^(\d+)\.(\d+)/.exec(version) ?? [];
  const [oldestMajor, oldestMinor] = oldest[product];
  const isOld = Number(major) < oldestMajor || (Number(major) === oldestMajor && Number(minor) < oldestMinor);
  return isOld
    ? `The database server is ${product} ${major}.${minor}, and too old: hushpush needs MariaDB 10.6, MySQL 8.0, or newer.`
    : undefined;
}

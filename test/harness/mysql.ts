/** The address of the MySQL server to run on. None is started here, because few systems package it. */
export function requireMysqlUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url?.startsWith('mysql://')) return url;
  throw new Error(
    'MySQL needs TEST_DATABASE_URL=mysql://USER:PASSWORD@HOST:PORT of a server where that user may create databases',
  );
}

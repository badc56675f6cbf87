import { hasChromium } from '../harness/browser.ts';
import { declinesInstallation, installPackages, mayInstall } from '../harness/debian.ts';
import { hasMariadb, requireMariadb } from '../harness/mariadb.ts';
import { requireMysqlUrl } from '../harness/mysql.ts';
import { missingTools } from '../harness/programs.ts';
import type { DatabaseName } from './suite.ts';

/** What this machine can test on, and one sentence for each thing that it lacks. */
export type Prerequisites = { databases: DatabaseName[]; missing: string[] };

/** Installs missing programs where that is possible and not declined. Throws when MariaDB is needed and missing. */
export async function preparePrerequisites(only: DatabaseName | undefined): Promise<Prerequisites> {
  const wantsMariadb = only === undefined || only === 'MariaDB';
  if (mayInstall) {
    await installPackages([
      ...(wantsMariadb && !hasMariadb() ? ['mariadb-server'] : []),
      ...(hasChromium() ? [] : ['chromium-headless-shell']),
      ...missingTools(),
    ]);
  }
  if (only === 'MySQL') requireMysqlUrl();
  const missing: string[] = [];
  const databases: DatabaseName[] = only === 'MySQL' ? ['MySQL'] : only === 'MariaDB' ? [] : ['SQLite'];
  if (wantsMariadb) {
    const isSkippable = declinesInstallation && only === undefined;
    if (!isSkippable) requireMariadb();
    if (hasMariadb()) databases.push('MariaDB');
    else missing.push('MariaDB is not installed: the suite runs on SQLite only.');
  }
  if (!hasChromium()) missing.push('Chromium is not installed: the tests that need a browser are skipped.');
  for (const name of missingTools())
    missing.push(`The package ${name} is not installed: what it runs of deploy/ is skipped.`);
  return { databases, missing };
}

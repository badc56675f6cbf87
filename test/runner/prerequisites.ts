import { hasChromium } from '../harness/browser.ts';
import { declinesInstallation, installPackages, mayInstall } from '../harness/debian.ts';
import { hasMariadb, requireMariadb } from '../harness/mariadb.ts';
import type { DatabaseName } from './suite.ts';

/** What this machine can test on, and one sentence for each thing that it lacks. */
export type Prerequisites = { databases: DatabaseName[]; missing: string[] };

/** Installs missing programs where that is possible and not declined. Throws when MariaDB is needed and missing. */
export async function preparePrerequisites(only: DatabaseName | undefined): Promise<Prerequisites> {
  const wantsMariadb = only !== 'SQLite';
  if (mayInstall) {
    await installPackages([
      ...(wantsMariadb && !hasMariadb() ? ['mariadb-server'] : []),
      ...(hasChromium() ? [] : ['chromium-headless-shell']),
    ]);
  }
  const missing: string[] = [];
  const databases: DatabaseName[] = only === 'MariaDB' ? [] : ['SQLite'];
  if (wantsMariadb) {
    const isSkippable = declinesInstallation && only === undefined;
    if (!isSkippable) requireMariadb();
    if (hasMariadb()) databases.push('MariaDB');
    else missing.push('MariaDB is not installed: the suite runs on SQLite only.');
  }
  if (!hasChromium()) missing.push('Chromium is not installed: the tests that need a browser are skipped.');
  return { databases, missing };
}

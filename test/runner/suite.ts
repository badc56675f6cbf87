export type DatabaseName = 'SQLite' | 'MariaDB' | 'MySQL';

/** The share of the suite that one Mocha process runs. */
export type Part = { name: string; database: DatabaseName; spec: string[]; ignored: string[] };

// Mocha splits patterns at commas, so none of these uses braces.

/** `npm run test:unit` runs exactly these. They use no database, built program or browser. */
const unitTests = ['test/**/*.unit.test.ts', 'tools/**/*.unit.test.ts'];

/** Tests that do not depend on the kind of database. They run on SQLite only. */
const databaseIndependent = [
  ...unitTests,
  'test/api/openApiRules.test.ts',
  'test/harness/**',
  'tools/standins/**',
  'test/stores/**',
  'test/cli/usage.test.ts',
  'test/deploy/**',
  'test/database/sqlite*.test.ts',
  'test/http/**',
  'tools/prove/history/mutants.test.ts',
  'test/scripts/**',
  'test/cli/account*.test.ts',
  'test/cli/discord.test.ts',
  'test/cli/mail.test.ts',
  'test/cli/mattermost.test.ts',
  'test/cli/restore.test.ts',
  'test/cli/settings.test.ts',
  'test/e2e/files.test.ts',
  'test/e2e/hung.test.ts',
  'test/e2e/idle.test.ts',
  'test/e2e/sealedAnswers.test.ts',
  'test/docs/**',
  'test/oidc/outages.test.ts',
];

/** Tests that start the program again and again. On SQLite they have a process of their own. */
const programTests = ['test/cli/**/*.test.ts', 'test/e2e/**/*.test.ts'];

/** Tests of processes, which differ little by database. */
const processTests = [
  'test/e2e/jobs.test.ts',
  'test/e2e/keyRotation.test.ts',
  'test/e2e/monitoring.test.ts',
  'test/e2e/processes.test.ts',
  'tools/prove/history/history.test.ts',
];

/**
 * Long tests, mostly independent of the database. They run once, on the last of the databases, which is MariaDB if it is
 * there, in two processes that take about as long as the others.
 */
const longTests = [
  ['test/browser/[a-m]*.test.ts', ...processTests],
  [
    'test/browser/[n-z]*.test.ts',
    'test/e2e/discord.test.ts',
    'test/e2e/slack.test.ts',
    'test/bots/*/trouble.test.ts',
    'test/deploy/image.test.ts',
  ],
];

const all = ['test/**/*.test.ts', 'tools/**/*.test.ts'];

const onSqlite: Part = { name: 'SQLite', database: 'SQLite', spec: all, ignored: [] };
const onServer = (database: 'MariaDB' | 'MySQL'): Part => ({
  name: database,
  database,
  spec: all,
  ignored: databaseIndependent,
});

/** What to run: the suite, or the test files named on the command line, on each of the databases. */
export function buildParts(databases: DatabaseName[], files: string[]): Part[] {
  const parts = [onSqlite, onServer('MariaDB'), onServer('MySQL')].filter(({ database }) =>
    databases.includes(database),
  );
  if (files.length > 0) return parts.map((part) => ({ ...part, spec: files, ignored: [] }));
  const last = parts.at(-1);
  if (last === undefined) return [];
  const once = parts.map((part) => ({
    ...part,
    ignored: [...part.ignored, ...longTests.flat()],
  }));
  return [
    ...once.flatMap((part) =>
      part.database === 'SQLite'
        ? [
            { ...part, ignored: [...part.ignored, ...programTests] },
            { ...part, name: `${part.name}, programs`, spec: programTests },
          ]
        : [part],
    ),
    ...longTests.map((spec, index) => {
      return { ...last, name: `${last.name}, long tests ${index + 1}`, spec, ignored: [] };
    }),
  ];
}

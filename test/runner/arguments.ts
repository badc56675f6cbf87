import type { DatabaseName } from './suite.ts';

export type RunArguments = {
  /** Test files named on the command line. */
  files: string[];
  /** The only database to test on. */
  only: DatabaseName | undefined;
  /** Passed on to Mocha. */
  mochaArgs: string[];
};

/** Parses `[--only sqlite|mariadb|mysql] [test files and Mocha options…]`. */
export function parseArguments(args: string[]): RunArguments {
  const rest = [...args];
  const only = takeOnly(rest);
  return { only, files: rest.filter(isTestFile), mochaArgs: rest.filter((arg) => !isTestFile(arg)) };
}

function takeOnly(args: string[]): DatabaseName | undefined {
  const at = args.indexOf('--only');
  if (at < 0) return undefined;
  const [, value] = args.splice(at, 2);
  const only = (['SQLite', 'MariaDB', 'MySQL'] as const).find((name) => name.toLowerCase() === value);
  if (only === undefined) throw new Error('--only takes sqlite, mariadb or mysql');
  return only;
}

const isTestFile = (arg: string) => /\.test\.tsx?$/.test(arg);

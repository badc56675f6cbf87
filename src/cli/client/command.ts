import { type Command, InvalidArgumentError } from 'commander';

type Run<Args extends unknown[]> = (...args: Args) => Promise<void>;

/** A command loads what it needs when it runs, and explains its errors. */
export function lazily<Args extends unknown[]>(load: () => Promise<Run<Args>>): Run<Args> {
  return async (...args) => {
    const run = await load();
    try {
      await run(...args);
    } catch (error) {
      throw (await import('./failure.ts')).explain(error);
    }
  };
}

/** A command that talks to a server. `json` says what it prints with `--json`. */
export function serverCommand(program: Command, name: string, json: string): Command {
  return program
    .command(name)
    .option('--server <url>', 'the server to use instead of the one in the profile')
    .option('--profile <name>', 'the profile of hushpush sign-in to use')
    .option('--quiet', 'print only the result')
    .option('--json', json);
}

/** Reads the number of an option. */
export function toNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999999.');
  return Number(text);
}

/** The types of events that are named on a command line; null for the word `all`. */
export const readTypes = (types: string[]): string[] | null =>
  types.length === 1 && types[0] === 'all' ? null : types;

/** Types of events in a sentence. */
export const describeTypes = (types: string[] | null): string => types?.join(', ') ?? 'all events';

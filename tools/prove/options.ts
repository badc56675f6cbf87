import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type ProveDatabase, type ProveOptions, proveDatabases } from './experiment.ts';

export type ProveArguments = { help: boolean; names: string[]; options: ProveOptions };

/** Parses the command line of `npm run prove`. Throws an error for an unknown name or value. */
export function parseProveArguments(args: string[], known: string[]): ProveArguments {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      seconds: { type: 'string', default: '60' },
      seed: { type: 'string', default: String(randomInt(1_000_000)) },
      database: { type: 'string', default: 'mariadb' },
      only: { type: 'string' },
      mutant: { type: 'string' },
      room: { type: 'string' },
      jobs: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  for (const name of positionals)
    if (!known.includes(name)) throw new Error(`no experiment is named ${name}, only ${known.join(', ')}`);
  return {
    help: values.help,
    names: positionals.length > 0 ? positionals : known,
    options: {
      seconds: positiveNumber('seconds', values.seconds),
      seed: positiveNumber('seed', values.seed),
      database: databaseNamed(values.database),
      only: values.only,
      mutant: values.mutant,
      room: values.room,
      jobs: Math.max(1, positiveNumber('jobs', values.jobs)),
    },
  };
}

function positiveNumber(name: string, value: string): number {
  const number = Number(value);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`--${name} takes a whole number`);
}

function databaseNamed(value: string): ProveDatabase {
  const found = proveDatabases.find((name) => name === value);
  if (found === undefined) throw new Error(`--database takes ${proveDatabases.join(', ')}`);
  return found;
}

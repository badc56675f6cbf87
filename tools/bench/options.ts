import { parseArgs } from 'node:util';

export type BenchOptions = ReturnType<typeof parseBenchOptions>;

const defaults = {
  database: 'mariadb',
  connections: '1,32,256',
  rounds: '3',
  warmup: '20000',
  pushes: '2000',
  pool: '10',
  processes: '1',
  stored: '0',
  sizes: '1000,10000,100000,1000000',
  account: '100000',
} as const;

export const optionsHelp = `  --database mariadb|replicated|galera|mysql|sqlite
                        a throwaway MariaDB with default durability (default), the same with two replicas, a Galera
                        cluster of three nodes (one is used), the server of TEST_DATABASE_URL, or SQLite files
  --connections 1,32,256  clients at the same time, one run each
  --rounds 3              measured rounds, interleaved; medians are printed
  --warmup 20000          requests to each server before that, until V8 has compiled its code
  --pushes 2000           pushes created in each round; each is retrieved as often as it may be viewed
  --pool 10               connections of each server to its database
  --processes 1           web processes of hushpush
  --stored 0              live pushes stored before; in the mode overview, for one more server
  --set NAME=VALUE        a setting of hushpush; may be repeated. Rate limits are off unless this sets them
  --koa                   also measures the bare transaction behind Koa and one router: what the framework costs
  --compare REF           builds another commit of hushpush in a temporary folder, and measures it in the same rounds
  --rival NAME=URL[,PORT] a running service of another kind; may be repeated. PORT is that of its database here, whose CPU
                          time is then counted. Each keeps its own settings: turn off its rate limits
  --sizes 1000,…          stored pushes for the mode scale
  --write FILE            replaces the tables of a document by those of the mode overview
  --account 100000        pushes of one account for the modes scale and account`;

/** Parses the command line of `npm run bench`. Throws an error for an unknown option or value. */
export function parseBenchOptions(args: string[]) {
  const text = { type: 'string' } as const;
  const texts = { type: 'string', multiple: true, default: [] as string[] } as const;
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      ...Object.fromEntries(Object.keys(defaults).map((name) => [name, text])),
      set: texts,
      rival: texts,
      compare: text,
      write: text,
      koa: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const given = { ...defaults, ...values } as Record<keyof typeof defaults, string>;
  const count = (name: keyof typeof defaults) => wholeNumber(name, given[name]);
  const counts = (name: 'connections' | 'sizes') =>
    given[name].split(',').map((part) => wholeNumber(name, part));
  return {
    help: Boolean(values.help),
    mode: positionals[0] ?? 'throughput',
    database: given.database,
    connections: counts('connections'),
    rounds: count('rounds'),
    warmup: count('warmup'),
    pushes: count('pushes'),
    pool: count('pool'),
    stored: count('stored'),
    sizes: counts('sizes'),
    account: count('account'),
    koa: Boolean(values.koa),
    rivals: values.rival as string[],
    compare: values.compare as string | undefined,
    write: values.write as string | undefined,
    settings: {
      RATE_LIMITS: 'off',
      MAX_CONNECTIONS_PER_CLIENT: '2000', // the load generator is one client
      DATABASE_POOL: given.pool,
      WEB_PROCESSES: given.processes,
      ...settingsOf(values.set as string[]),
    },
  };
}

function settingsOf(assignments: string[]): Record<string, string> {
  return Object.fromEntries(
    assignments.map((assignment) => {
      const [, name = '', value = ''] = /^([A-Z_0-9]+)=(.*)$/.exec(assignment) ?? [];
      if (name === '') throw new Error(`--set takes NAME=VALUE: ${assignment}`);
      return [name, value];
    }),
  );
}

function wholeNumber(name: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value);
  throw new Error(`--${name} takes whole numbers: ${value}`);
}

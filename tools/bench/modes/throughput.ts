import { connectDatabase } from '../../../src/database/database.ts';
import { createCleanups } from '../cleanups.ts';
import { storePushes } from '../fill.ts';
import { startLoadGenerator } from '../load/load.ts';
import { type Measurement, measureInRounds, warmUp } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { median, throughputTable } from '../report.ts';
import { buildCommit } from '../servers/commit.ts';
import { type Databases, startDatabases } from '../servers/databases.ts';
import { rivalServer } from '../servers/rival.ts';
import { type Server, startBare, startHushpush } from '../servers/server.ts';
import { rivals } from '../targets/targets.ts';

const dayMs = 86_400_000;

/** Measures hushpush with one way to use it, beside what bounds it, another commit of it, and its rivals. */
export const throughputOf = (target: string) => async (options: BenchOptions) => {
  const cleanups = createCleanups();
  try {
    const databases = await startDatabases(options.database);
    cleanups.add(databases.stop);
    const generator = startLoadGenerator();
    cleanups.add(generator.stop);
    const servers = await startServers(databases, target, options, cleanups.add);
    const measurements: Measurement[] = [];
    await warmUp({ ...options, servers, generator });
    for (const connections of options.connections)
      measurements.push(...(await measureInRounds({ ...options, servers, generator }, connections)));
    const hasBounds = servers.some(({ name }) => name === 'bare transaction');
    console.log(throughputTable(measurements, hasBounds ? 'bare transaction' : options.compare));
    const micros = median(measurements.map(({ generatorMicros }) => generatorMicros));
    console.log(`\nThe load generator needed ${Math.round(micros)} µs of CPU per request.`);
  } finally {
    await cleanups.run();
  }
};

async function startServers(
  databases: Databases,
  target: string,
  { settings, pool, stored, koa, compare, rivals: named }: BenchOptions,
  cleanUp: (stop: () => unknown) => void,
): Promise<Server[]> {
  const servers: Server[] = [];
  const add = (server: Server) => {
    servers.push(server);
    cleanUp(server.stop);
  };
  const database = await databases.create();
  add(await startHushpush(database, settings, { target }));
  if (stored > 0) await fill(database.url, stored);
  if (compare !== undefined) {
    const { root, remove } = await buildCommit(compare);
    cleanUp(remove);
    const other = await databases.create();
    add(await startHushpush(other, settings, { target, root, name: compare }));
    if (stored > 0) await fill(other.url, stored);
  }
  if (target === 'json') {
    for (const mode of ['transaction', 'statement'] as const) add(await startBare(mode, database, { pool }));
    if (koa) add(await startBare('transaction', database, { pool, framework: 'koa' }));
  }
  for (const rival of named) add(rivalServer(rival, Object.keys(rivals)));
  return servers;
}

/** Stores live pushes in a database that hushpush has migrated. */
export async function fill(url: string, count: number): Promise<void> {
  const database = connectDatabase(url, { poolSize: 1 });
  await storePushes(database, { count, expiresInMs: 30 * dayMs });
  await database.close();
}

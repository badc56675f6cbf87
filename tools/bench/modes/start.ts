import { setTimeout as sleep } from 'node:timers/promises';
import { newSharedSettings } from '../../../test/harness/process.ts';
import { createCleanups } from '../cleanups.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable } from '../report.ts';
import { buildCommit } from '../servers/commit.ts';
import { startDatabases } from '../servers/databases.ts';
import { cpuMicros, residentMiB } from '../servers/processes.ts';
import { startHushpush } from '../servers/server.ts';

/** V8 collects what the start left behind within 40 to 105 seconds. */
const settleMs = 120_000;
const idleMs = 60_000;

type Figures = Record<'ready ms' | 'CPU ms until ready' | 'MiB when idle' | 'idle, % of a core', number>;

/** Measures a start with a migrated database, and what the service takes while nobody uses it. */
export async function start({ database: kind, settings, rounds, compare }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  const results = new Map<string, Figures[]>();
  try {
    const databases = await startDatabases(kind);
    cleanups.add(databases.stop);
    const versions: { name: string; root?: string }[] = [{ name: 'hushpush' }];
    if (compare !== undefined) {
      const { root, remove } = await buildCommit(compare);
      cleanups.add(remove);
      versions.push({ name: compare, root });
    }
    for (const version of versions) {
      const database = await databases.create();
      const own = { ...newSharedSettings(database.url), ...settings };
      await (await startHushpush(database, own, version)).stop(); // migrates
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        const service = await startHushpush(database, own, version);
        const ready = { ms: performance.now() - startedAt, cpu: cpuMicros(service.pids()) };
        await sleep(settleMs);
        const before = cpuMicros(service.pids());
        await sleep(idleMs);
        const idle = cpuMicros(service.pids()) - before;
        results.set(version.name, [
          ...(results.get(version.name) ?? []),
          {
            'ready ms': Math.round(ready.ms),
            'CPU ms until ready': ready.cpu / 1000,
            'MiB when idle': residentMiB(service.pids()),
            'idle, % of a core': Number((idle / idleMs / 10).toFixed(2)),
          },
        ]);
        await service.stop();
      }
    }
    console.log(
      markdownTable([...results].flatMap(([server, each]) => each.map((row) => ({ server, ...row })))),
    );
  } finally {
    await cleanups.run();
  }
}

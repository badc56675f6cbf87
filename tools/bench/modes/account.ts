import { anonymous, byPassword, createAccount } from '../../../test/harness/service.ts';
import { createCleanups } from '../cleanups.ts';
import { analyze, storeLabeled } from '../fill.ts';
import { startLoadGenerator } from '../load/load.ts';
import { measureInRounds, warmUp } from '../measure.ts';
import type { BenchOptions } from '../options.ts';
import { throughputTable } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { startHushpush } from '../servers/server.ts';
import { openStage } from '../stage.ts';
import { ownerItem } from '../targets/owner.ts';

const requests = 200;
const warmup = 1_000;

/** Measures the dashboard, its lists and searches, and those of the API, with many pushes of one account, over HTTP. */
export async function account({ database, account: count, rounds, settings }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  try {
    const databases = await startDatabases(database, ['--innodb-buffer-pool-size=1G']);
    cleanups.add(databases.stop);
    const created = await databases.create();
    const { store, domain, settings: stored } = await openStage(created.url);
    const owner = await createAccount(domain, 'large@example.com');
    const session = await domain.sessions.create(owner.account, anonymous.client, byPassword);
    await storeLabeled(store, owner.account, count);
    await analyze(store.database);
    await store.close();
    const server = await startHushpush(created, { ...stored, ...settings }, { target: 'owner' });
    cleanups.add(server.stop);
    const generator = startLoadGenerator();
    cleanups.add(generator.stop);
    const load = { servers: [server], generator, item: ownerItem({ session, token: owner.token }) };
    await warmUp({ ...load, warmup, pushes: requests });
    const measured = await measureInRounds({ ...load, rounds, pushes: requests }, 1);
    console.log(`One account with ${count} pushes:\n${throughputTable(measured)}`);
  } finally {
    await cleanups.run();
  }
}

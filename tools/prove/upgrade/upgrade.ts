import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../../src/database/database.ts';
import { createMigrations, ownMigrations } from '../../../src/database/migrations.ts';
import { bearer } from '../../../test/harness/api.ts';
import { type ServiceProcess, startProcess } from '../../../test/harness/process.ts';
import { startTraffic } from '../../../test/harness/traffic.ts';
import { untilLater } from '../../../test/harness/until.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { openTestedDatabase } from '../history/databases.ts';
import { checkStore } from './check.ts';
import { buildRelease } from './release.ts';
import { openStore, type StoreSettings, storedReleases } from './store.ts';

/** How many pushes are made while processes of both versions serve, before the old ones stop. */
const pushesSideBySide = 50;

/** Upgrades a store of each release as docs/operate.md says: without a pause, under load, and back again. */
export const upgrade: Experiment = {
  claim: 'From each release, an upgrade without a pause loses nothing, and neither does the way back.',
  async run(options) {
    const scratch = await mkdtemp(join(tmpdir(), 'releases-'));
    const outcome: Outcome = { figures: {}, failures: [] };
    try {
      for (const release of await storedReleases()) {
        const { figures, failures } = await upgradeFrom(release, scratch, options);
        for (const [name, value] of Object.entries(figures)) outcome.figures[`${release}: ${name}`] = value;
        outcome.failures.push(...failures.map((failure) => `${release}: ${failure}`));
      }
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
    return outcome;
  },
};

async function upgradeFrom(release: string, scratch: string, { database }: ProveOptions): Promise<Outcome> {
  console.log(`building ${release}`);
  const oldMain = await buildRelease(release, scratch);
  const tested = await openTestedDatabase(database);
  const [url = ''] = tested.urls;
  try {
    const { known, settings } = await openStore(release, url, join(scratch, 'files'));
    const before = await appliedIn(settings);
    const forward = await replaceUnderLoad(settings, known.token, { from: oldMain });
    const migrations = (await appliedIn(settings)).filter((name) => !before.includes(name));
    await revert(settings, migrations);
    const back = await replaceUnderLoad(settings, known.token, { from: oldMain, to: oldMain });
    const problems = await checkStore(known, settings);
    return {
      figures: {
        ...prefixed('forward', forward.figures),
        'migrations applied, and reverted': migrations.length,
        ...prefixed('back', back.figures),
        'secrets of the store': known.live.length,
        'notices that had waited': known.notices,
      },
      failures: [...forward.failures, ...back.failures.map((failure) => `back: ${failure}`), ...problems],
    };
  } finally {
    await tested.close();
  }
}

const prefixed = (prefix: string, figures: Outcome['figures']) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${prefix}, ${name}`, value]));

/**
 * Starts new processes beside two old ones, sends requests to all of them, and then stops the old ones. No jobs run, so that
 * all notices wait for this build.
 */
async function replaceUnderLoad(
  settings: StoreSettings,
  token: string,
  { from, to }: { from: string; to?: string },
): Promise<Outcome> {
  const start = (main?: string) => startProcess({ ...settings, FILES: 'everyone', JOBS: 'off' }, { main });
  const old = [await start(from), await start(from)];
  const started: ServiceProcess[] = [];
  let ports = old.map(({ port }) => port);
  const traffic = startTraffic(() => ports, bearer(token));
  const someMore = async () => {
    const soFar = traffic.result.pushes;
    await untilLater(() => traffic.result.pushes > soFar + pushesSideBySide);
  };
  try {
    await someMore();
    for (let process = 0; process < old.length; process++) started.push(await start(to));
    ports = [...old, ...started].map(({ port }) => port);
    await someMore();
    for (const process of old) {
      ports = ports.filter((port) => port !== process.port);
      await untilLater(() => traffic.isIdle(process.port));
      await process.stop();
    }
    await someMore();
    const { failures, lost, over, ...counts } = await traffic.stop();
    return {
      figures: { ...counts, lost, over, 'responses of 500 and above': failures.length },
      failures: [
        ...new Set(failures.map((failure) => `a request failed: ${failure.replace(/\/p\/\w+/, '/p/…')}`)),
        ...(lost > 0 ? [`${lost} views were lost`] : []),
        ...(over > 0 ? [`${over} views were given away`] : []),
      ],
    };
  } finally {
    await Promise.all([...old, ...started].map((process) => process.stop()));
  }
}

const withMigrations = async <T>(
  { DATABASE_URL }: StoreSettings,
  work: (migrations: ReturnType<typeof createMigrations>) => Promise<T>,
): Promise<T> => {
  const database = connectDatabase(DATABASE_URL, { poolSize: 1 });
  return work(createMigrations(database, ownMigrations)).finally(database.close);
};

const appliedIn = (settings: StoreSettings) =>
  withMigrations(settings, async ({ status }) => (await status()).applied);

async function revert(settings: StoreSettings, names: string[]): Promise<void> {
  const [first] = names;
  if (first !== undefined) await withMigrations(settings, ({ down }) => down(first));
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { createDomain } from '../../../src/domain/index.ts';
import { bearer, createClient } from '../../../test/harness/api.ts';
import { startIdentityProvider } from '../../../test/harness/identityProvider.ts';
import { freePort } from '../../../test/harness/mariadb.ts';
import { newSharedSettings, openServiceDatabase, startProcess } from '../../../test/harness/process.ts';
import { createAccount } from '../../../test/harness/service.ts';
import { startStallProbe } from '../../../test/harness/stallProbe.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { openTestedDatabase } from '../history/databases.ts';
import { createRandom } from '../history/random.ts';
import { attack, signIn } from './attack.ts';

/** What we promise for any single request. */
const stallMaxMs = 100;

/** Sends random requests to a process of its own, over raw sockets. */
export const fuzz: Experiment = {
  claim: 'no request crashes or stalls a process, or is answered with a server error',
  async run(options) {
    const tested = await openTestedDatabase(options.database);
    const port = await freePort();
    const site = `http://localhost:${port}`;
    const provider = await startIdentityProvider({ base: site, name: 'okta' });
    const folder = await mkdtemp(join(tmpdir(), 'prove-'));
    try {
      const address = { PORT: String(port), BASE_URL: site };
      const settings = {
        ...{ FILES: 'everyone', FILES_DIR: folder },
        ...provider.settings,
        ...newSharedSettings(tested.urls[0] ?? ''),
        ...address,
      };
      return await fuzzProcess(settings, provider.name, options);
    } finally {
      await provider.stop();
      await tested.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function fuzzProcess(
  settings: ReturnType<typeof newSharedSettings> & { BASE_URL: string },
  provider: string,
  { seconds, seed }: ProveOptions,
): Promise<Outcome> {
  const service = await startProcess(settings);
  const client = createClient(service.port);
  const store = openServiceDatabase(settings);
  const probe = await startStallProbe({ port: service.port, pid: service.pid, stallMaxMs });
  try {
    const domain = createDomain({
      database: store.database,
      keyring: store.keyring,
      settings: domainSettings(readConfig(settings)),
    });
    const { account, token } = await createAccount(domain, 'ann@example.com', { subscribed: true });
    const open = await client.create({ expire_after_views: 100 }, bearer(token));
    const credential = `Authorization: Bearer ${token}`;
    const endsAt = performance.now() + seconds * 1_000;
    const isOver = () => performance.now() > endsAt;
    const signedIn = await signIn(domain, account, client, settings.BASE_URL);
    const target = { port: service.port, probe, open, credential, provider, ...signedIn };
    const report = await attack(target, createRandom(seed), isOver);
    const { status } = await client.get(`${open.page}/preview.json`);
    if (status !== 200) report.failures.push(`afterwards, a preview is answered with ${status}`);
    const statuses = Object.entries(report.statuses).map(([code, count]) => `${count} × ${code}`);
    return {
      figures: { requests: report.requests, statuses: statuses.join(', '), stall: probe.report() },
      failures: report.failures,
    };
  } finally {
    await probe.stop();
    client.close();
    await store.close();
    await service.stop();
  }
}

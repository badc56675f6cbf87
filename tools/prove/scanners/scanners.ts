import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bearer, createClient } from '../../../test/harness/api.ts';
import { findProgram } from '../../../test/harness/debian.ts';
import { openFormBrowser, parseForms } from '../../../test/harness/pages.ts';
import { newSharedSettings, type ServiceProcess, startProcess } from '../../../test/harness/process.ts';
import { type StallProbe, startStallProbe } from '../../../test/harness/stallProbe.ts';
import type { Experiment, Outcome } from '../experiment.ts';
import { openTestedDatabase } from '../history/databases.ts';
import type { ScanTarget } from './requests.ts';
import { buildRuns, runTool, scanTools, type ToolRun } from './tools.ts';

/** Lets the scanners that Debian has loose on a running service, with its rate limits off. */
export const scanners: Experiment = {
  claim:
    'sqlmap, wapiti, ffuf and slowhttptest find nothing, and nothing that they send is answered with 500',
  async run({ database, only }) {
    const missing = scanTools.filter((tool) => findProgram(tool) === undefined);
    if (missing.length > 0)
      return { figures: {}, failures: [`run apt-get install ${missing.join(' ')} first`] };
    const tested = await openTestedDatabase(database);
    const folder = await mkdtemp(join(tmpdir(), 'scanners-'));
    const settings = {
      FILES: 'everyone',
      FILES_DIR: join(folder, 'files'),
      METRICS_TOKEN: 'none-of-them-has-this',
    };
    const service = await startProcess({ ...newSharedSettings(tested.urls[0] ?? ''), ...settings });
    try {
      return await scan(service, folder, only);
    } finally {
      await service.stop();
      await tested.close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** `only` is the start of a run's name. */
async function scan(service: ServiceProcess, folder: string, only = ''): Promise<Outcome> {
  const outcome: Outcome = { figures: {}, failures: [] };
  const runs = await buildRuns(await createTarget(service.port), folder);
  const probe = await startStallProbe({ port: service.port, pid: service.pid, localAddress: '127.0.0.2' });
  try {
    for (const run of runs.filter(({ name }) => name.startsWith(only)))
      await record(run, { service, folder, probe, outcome });
  } finally {
    await probe.stop();
  }
  return outcome;
}

type Stage = { service: ServiceProcess; folder: string; probe: StallProbe; outcome: Outcome };

async function record(run: ToolRun, { service, folder, probe, outcome }: Stage): Promise<void> {
  const before = service.output.length;
  const { result, stall } = await probe.measure(run.name, () => runTool(run, folder));
  const statuses = statusesIn(service.output.slice(before));
  const requests = [...statuses.values()].reduce((sum, count) => sum + count, 0);
  const listed = [...statuses].sort().map(([status, count]) => `${count} × ${status}`);
  const figure =
    `${requests} requests (${listed.join(', ')}), slowest /livez ${Math.round(stall.wallMs)} ms, ` +
    `of which ${Math.round(stall.cpuMs)} ms of CPU time`;
  outcome.figures[run.name] = figure;
  console.log(`${run.name}: ${figure}`);
  const failures = [...result];
  for (const [status, count] of statuses)
    if (status >= 500) failures.push(`${count} requests answered with ${status}`);
  if (stall.failed > 0) failures.push(`${stall.failed} requests to /livez failed`);
  outcome.failures.push(...failures.map((failure) => `${run.name}: ${failure}`));
  for (const failure of failures) console.log(`  ${failure}`);
}

/** The statuses of the requests in a piece of the log. */
function statusesIn(log: string): Map<number, number> {
  const counts = new Map<number, number>();
  for (const [, status] of log.matchAll(/"status":(\d+),"ms":[\d.]+,"msg":"request"/g))
    counts.set(Number(status), (counts.get(Number(status)) ?? 0) + 1);
  return counts;
}

/** Signs up, creates an API token and two pushes. */
async function createTarget(port: number): Promise<ScanTarget> {
  const client = createClient(port);
  const browser = await openFormBrowser(client);
  await browser.signUp('ann@example.com');
  const page = await browser.submit('/account/tokens', '/account/tokens', { name: 'scanner' });
  const apiToken = /hp_\w{38}/.exec(page.text)?.[0] ?? '';
  const csrf = parseForms(page.text)[0]?.fields.csrf ?? '';
  const { token: open } = await client.create({ expire_after_views: 100 }, bearer(apiToken));
  const { token: deletable } = await client.create({}, bearer(apiToken));
  const { token: locked } = await client.create({ passphrase: 'open sesame' }, bearer(apiToken));
  client.close();
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  if (apiToken === '' || csrf === '') throw new Error('signing up did not work');
  return { port, open, deletable, locked, apiToken, cookie, csrf };
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, times } from '../../test/harness/api.ts';
import { openFormBrowser, parseForms } from '../../test/harness/pages.ts';
import { newSharedSettings, startProcess } from '../../test/harness/process.ts';
import type { Experiment } from './experiment.ts';
import { openTestedDatabase } from './history/databases.ts';
import { countByName } from './history/report.ts';

const [flooder, bystander] = [{ 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '198.51.100.1' }];
const triesEachSecond = 10;
/** As many as a push has views for. */
const secondsMax = 80;
const revealsBefore = 10;
/** What a reveal may take, unless the machine is slow: then four times what it took before. */
const revealMaxMs = 1_000;

/** One client tries a wrong password for one address after another. Another reveals a secret by its passphrase every second. */
export const flood: Experiment = {
  claim: 'a flood of wrong passwords by one client keeps nobody else from a secret',
  async run({ database, seconds }) {
    const tested = await openTestedDatabase(database);
    const service = await startProcess({
      ...newSharedSettings(tested.urls[0] ?? ''),
      RATE_LIMITS: 'on',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    const client = createClient(service.port, { connections: 512 });
    try {
      const reveal = await createReveal(client);
      const before: number[] = [];
      while (before.length < revealsBefore) before.push(await reveal());
      const during: number[] = [];
      let isOver = false;
      const flooding = signInForOthers(client, Math.min(seconds, secondsMax)).finally(() => {
        isOver = true;
      });
      for (; !isOver; await sleep(1_000)) during.push(await reveal());
      const statuses = await flooding;
      const limit = Math.max(revealMaxMs, 4 * Math.max(...before));
      return {
        figures: {
          'the flood got': countByName(statuses.map(String)),
          'reveals before it': describe(before),
          'reveals during it': describe(during),
        },
        failures: during
          .filter((ms) => ms > limit)
          .map((ms) => `a reveal took ${Math.round(ms)} ms, not ${Math.round(limit)} ms`),
      };
    } finally {
      client.close();
      await service.stop();
      await tested.close();
    }
  },
};

/** Creates a push with a passphrase. Returns what reveals it, and says how many milliseconds that took. */
async function createReveal(client: Client): Promise<() => Promise<number>> {
  const { json } = await client.create({ passphrase: 'open sesame', expire_after_views: 100 }, bystander);
  return async () => {
    const startedAt = performance.now();
    const { status, body } = await client.get(`${json}?passphrase=open+sesame`, bystander);
    if (body.payload !== 'tulip') throw new Error(`a reveal got the status ${status}`);
    return performance.now() - startedAt;
  };
}

async function signInForOthers(client: Client, seconds: number): Promise<number[]> {
  const browser = await openFormBrowser(client, flooder);
  const [form] = parseForms((await browser.get('/sign-in')).text);
  return times(seconds * triesEachSecond, async (index) => {
    await sleep((index * 1_000) / triesEachSecond);
    const fields = { ...form?.fields, email: `person${index}@example.com`, password: 'wrong horse battery' };
    return (await browser.send('/sign-in', fields)).status;
  });
}

function describe(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b).map((ms) => `${Math.round(ms)} ms`);
  return `${times.length}, middle ${sorted[Math.floor(times.length / 2)]}, slowest ${sorted.at(-1)}`;
}

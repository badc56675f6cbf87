import { setTimeout as sleep } from 'node:timers/promises';
import { bearer, createClient } from '../../../test/harness/api.ts';
import { startMailServer } from '../../../test/harness/mailServer.ts';
import { startProcess, startWorker } from '../../../test/harness/process.ts';
import { createAccount, someClient } from '../../../test/harness/service.ts';
import { until } from '../../../test/harness/until.ts';
import { createCleanups } from '../cleanups.ts';
import { summary } from '../latencies.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable } from '../report.ts';
import { type Databases, startDatabases } from '../servers/databases.ts';
import { cpuMicros } from '../servers/processes.ts';
import { openStage, type Stage } from '../stage.ts';

const pauseMs = 500;
const minuteMs = 60_000;
const perMinute = 1_000;
const recipientsOfPush = 50;

type MailServer = Awaited<ReturnType<typeof startMailServer>>;

/** What is measured sends to one mail server, which notes when it took a mail. */
type Bench = { databases: Databases; server: MailServer; taken: number[]; settings: Record<string, string> };

/** Measures the time from the response to a sender until the mail server has the mail, and what 1,000 mails a minute cost a worker. */
export async function mail({ database, settings, pushes }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  const taken: number[] = [];
  try {
    const databases = await startDatabases(database);
    cleanups.add(databases.stop);
    const server = await startMailServer({
      data() {
        taken.push(performance.now());
        return undefined;
      },
    });
    cleanups.add(server.stop);
    const bench = { databases, server, taken, settings: { ...settings, ...server.settings } };
    const waits = [];
    for (const jobs of ['on', 'off'] as const) waits.push(await measureWaits(bench, { pushes, jobs }));
    console.log(markdownTable(waits));
    console.log();
    const rates = [];
    for (const rate of [perMinute, 100_000]) rates.push(await measureRate(bench, rate));
    console.log(markdownTable(rates));
  } finally {
    await cleanups.run();
  }
}

/** With jobs in the web process, or in a worker: one link to an address after the other. */
async function measureWaits(bench: Bench, { pushes, jobs }: { pushes: number; jobs: 'on' | 'off' }) {
  const running = createCleanups();
  try {
    const { stage, environment } = await prepare(bench, running.add);
    const { token } = await createAccount(stage.domain, 'ann@example.com');
    const web = await startProcess({ ...environment, JOBS: jobs });
    running.add(web.stop);
    if (jobs === 'off') running.add((await startWorker(environment)).stop);
    const client = createClient(web.port);
    running.add(client.close);
    const waits: number[] = [];
    for (let sent = 0; sent < pushes; sent++) {
      const before = bench.taken.length;
      await sleep(Math.random() * pauseMs); // so that a mail does not always follow right after another
      await client.create({ recipients: [`person${sent}@example.com`] }, bearer(token));
      const answeredAt = performance.now();
      await until(() => bench.taken.length > before);
      waits.push(Math.max(0, Number(bench.taken.at(-1)) - answeredAt));
    }
    return { 'sent by': jobs === 'on' ? 'the web process' : 'a worker', ...summary(waits) };
  } finally {
    await running.run();
  }
}

/** A minute of a worker that has enough to send, after ten seconds to warm up. */
async function measureRate(bench: Bench, rate: number) {
  const running = createCleanups();
  try {
    const { stage, environment } = await prepare(bench, running.add);
    const { account } = await createAccount(stage.domain, 'ann@example.com');
    await storeMails(stage, account, rate === perMinute ? 2 * perMinute : 5 * perMinute);
    const worker = await startWorker({ ...environment, MAIL_RATE: String(rate) });
    running.add(worker.kill9);
    await sleep(10_000);
    const before = { mails: bench.taken.length, cpu: cpuMicros([worker.pid]) };
    const startedAt = performance.now();
    const isDone = async () => !(await isAnyWaiting(stage)) || performance.now() - startedAt >= minuteMs;
    await until(isDone, 2 * minuteMs);
    const minutes = (performance.now() - startedAt) / minuteMs;
    const mails = bench.taken.length - before.mails;
    const cpu = cpuMicros([worker.pid]) - before.cpu;
    return {
      MAIL_RATE: rate,
      'mails per minute': Math.round(mails / minutes),
      'CPU µs for each': Math.round(cpu / mails),
      'of a core, %': Math.round(cpu / minutes / minuteMs / 10),
    };
  } finally {
    await running.run();
  }
}

async function prepare({ databases, settings }: Bench, add: (stop: () => unknown) => void) {
  const stage = await openStage((await databases.create()).url, settings);
  add(stage.store.close);
  return { stage, environment: { ...stage.settings, ...settings, MAIL_RATE: '100000' } };
}

async function storeMails(
  { domain }: Stage,
  account: Parameters<typeof domain.pushes.create>[1]['account'],
  count: number,
) {
  for (let stored = 0; stored < count; stored += recipientsOfPush) {
    const recipients = Array.from(
      { length: recipientsOfPush },
      (_, place) => `person${stored + place}@example.com`,
    );
    await domain.pushes.create({ payload: 'tulip', recipients }, { account, client: someClient });
  }
}

const isAnyWaiting = async ({ database }: Stage) =>
  (await database.select('SELECT 1 FROM notices WHERE ended_at IS NULL LIMIT 1', {})).length > 0;

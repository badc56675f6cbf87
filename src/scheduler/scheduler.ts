import { setTimeout as sleep } from 'node:timers/promises';
import type { Agenda, AgendaBackend } from 'agenda';
import { growingDelay } from '../retry.ts';
import type { Job } from './jobs.ts';

/** Called after each run of a job. */
type OnRun = (name: string, ms: number, error?: unknown) => void;

type SchedulerDependencies = {
  openBackend: () => Promise<AgendaBackend>;
  jobs: Job[];
  onRun: OnRun;
  onError(error: unknown): void;
  /** How often to look for jobs that can run. A job that becomes due in between is taken ahead, and runs on time. */
  scanEveryMs?: number;
};

export type Scheduler = ReturnType<typeof createScheduler>;

const lockMs = 20_000;
const planEveryMs = 30_000;
/** The longest pause between two attempts of a job that is polled and fails, as while the database is away. */
const pollPauseMaxMs = 5_000;
/** How long Agenda may take to save that a job has ended. */
const saveTimeoutMs = 2_000;
const stepMs = 20;

/**
 * Runs jobs at their intervals, each on one process at a time. If a process dies, the others run its jobs once its
 * lock ends and they look again, after at most 25 seconds. Nothing depends on a job being on time: it only does what is due.
 */
export function createScheduler({
  openBackend,
  jobs,
  onRun,
  onError,
  scanEveryMs = 5_000,
}: SchedulerDependencies) {
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  /** Reports nothing while the scheduler stops, because a last poll for jobs may find the database closed. */
  const report = (error: unknown) => {
    if (!isStopping()) onError(error);
  };
  let isPlanned = false;
  let running = 0;
  let opened: { agenda: Agenda; backend: AgendaBackend } | undefined;
  const runners = new Map(jobs.map((job) => [job.name, createRunner(job, isStopping, onRun)]));

  /** Resolves once the store is reachable and the jobs are planned. Loads Agenda, which serving does not need. */
  async function start(): Promise<void> {
    const [{ Agenda }, { Settings }] = await Promise.all([import('agenda'), import('luxon')]);
    // Agenda's times are luxon's, which asks Intl for the language of the system. No text is made of them, and the data of
    // Intl takes 7 MiB of each process.
    Settings.defaultLocale = 'en';
    const backend = await openBackend();
    if (isStopping()) return;
    const agenda = new Agenda({
      backend,
      processEvery: scanEveryMs,
      defaultLockLifetime: lockMs,
      defaultConcurrency: 1,
    });
    opened = { agenda, backend };
    define(agenda);
    await agenda.start();
    await plan(agenda, backend).catch(report);
    void keepPlanned(agenda, backend);
    for (const job of jobs) void poll(job);
  }

  function define(agenda: Agenda): void {
    agenda.on('error', report);
    agenda.on('start', () => void running++);
    agenda.on('complete', () => void running--);
    for (const [name, run] of runners) {
      agenda.define(name, async (job) => {
        const renewal = setInterval(() => job.touch().catch(report), lockMs / 3);
        await run().finally(() => clearInterval(renewal));
      });
    }
  }

  async function keepPlanned(agenda: Agenda, backend: AgendaBackend): Promise<void> {
    while (await pause(planEveryMs)) await plan(agenda, backend).catch(report);
  }

  /** Runs a job in this process again and again, and more and more seldom while it fails. */
  async function poll({ name, pollMs }: Job): Promise<void> {
    if (pollMs === undefined) return;
    const delayMs = growingDelay(pollMs, pollPauseMaxMs);
    for (let attempt = 1; await pause(delayMs(attempt)); ) {
      const hasSucceeded = await runners.get(name)?.();
      attempt = hasSucceeded ? 1 : attempt + 1;
    }
  }

  /** Resolves to false at once when the scheduler stops. */
  const pause = (ms: number) => sleep(ms, true, stopping).catch(() => false);

  /** Plans all jobs. Later calls only hasten jobs that are due too late, as planned by a process whose clock is ahead. */
  async function plan(agenda: Agenda, { repository }: AgendaBackend): Promise<void> {
    if (!isPlanned) for (const { name, everyMs } of jobs) await agenda.every(everyMs, name);
    isPlanned = true;
    const { jobs: planned } = await repository.queryJobs();
    for (const job of planned) {
      const everyMs = jobs.find(({ name }) => name === job.name)?.everyMs ?? Number.POSITIVE_INFINITY;
      if (job.nextRunAt && job.nextRunAt.getTime() > Date.now() + everyMs)
        await repository.saveJob({ ...job, nextRunAt: new Date() }, undefined);
    }
  }

  /** Runs a job in this process now, or once more after its current run. */
  function nudge(name: string): void {
    runners.get(name)?.();
  }

  /** Starts nothing new, asks running jobs to return, and waits for them. */
  async function stop(): Promise<void> {
    stopping.abort();
    await opened?.agenda.stop(false);
    await opened?.backend.disconnect();
    await Promise.all([...runners.values()].map((run) => run.settled()));
    for (let waitedMs = 0; running > 0 && waitedMs < saveTimeoutMs; waitedMs += stepMs) await sleep(stepMs);
  }

  return { start, stop, nudge };
}

/**
 * Runs a job one at a time in this process. A call during a run starts one more run afterwards. Never rejects: failed
 * runs are reported. Resolves to whether all went well.
 */
function createRunner(job: Job, isStopping: () => boolean, onRun: OnRun) {
  let running: Promise<boolean> | undefined;
  let isRequestedAgain = false;

  async function runAll(): Promise<boolean> {
    do {
      isRequestedAgain = false;
      const startedAt = performance.now();
      try {
        await job.run(isStopping);
        onRun(job.name, performance.now() - startedAt);
      } catch (error) {
        onRun(job.name, performance.now() - startedAt, error);
        return false;
      }
    } while (isRequestedAgain && !isStopping());
    return true;
  }

  async function run(): Promise<boolean> {
    isRequestedAgain = true;
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  return Object.assign(run, { settled: async () => running });
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Agenda, AgendaBackend } from 'agenda';
import type { Job } from './jobs.ts';

type SchedulerDependencies = {
  openBackend: () => Promise<AgendaBackend>;
  jobs: Job[];
  /** Called after each run. */
  onRun(name: string, ms: number, error?: unknown): void;
  onError(error: unknown): void;
};

export type Scheduler = ReturnType<typeof createScheduler>;

const lockMs = 20_000;
const processEveryMs = 1_000;
const planEveryMs = 30_000;
/** How long Agenda may take to save that a job has ended. */
const saveTimeoutMs = 2_000;
const stepMs = 20;

/**
 * Runs jobs at their intervals, each on one process at a time. If a process dies, the others run its jobs once its
 * lock ends, after at most twenty seconds. Nothing depends on a job being on time: it only does what is due.
 */
export function createScheduler({ openBackend, jobs, onRun, onError }: SchedulerDependencies) {
  let isStopping = false;
  let isPlanned = false;
  let running = 0;
  let opened: { agenda: Agenda; backend: AgendaBackend } | undefined;
  const timers: NodeJS.Timeout[] = [];
  const runners = new Map(jobs.map((job) => [job.name, createRunner(job, () => isStopping, onRun)]));

  /** Resolves once the store is reachable and the jobs are planned. Loads Agenda, which serving does not need. */
  async function start(): Promise<void> {
    const { Agenda } = await import('agenda');
    const backend = await openBackend();
    if (isStopping) return;
    const agenda = new Agenda({
      backend,
      processEvery: processEveryMs,
      defaultLockLifetime: lockMs,
      defaultConcurrency: 1,
    });
    opened = { agenda, backend };
    define(agenda);
    await agenda.start();
    await plan(agenda, backend).catch(onError);
    if (!isStopping) startTimers(agenda, backend);
  }

  function define(agenda: Agenda): void {
    agenda.on('error', onError);
    agenda.on('start', () => void running++);
    agenda.on('complete', () => void running--);
    for (const [name, run] of runners) {
      agenda.define(name, async (job) => {
        const renewal = setInterval(() => job.touch().catch(onError), lockMs / 3);
        await run().finally(() => clearInterval(renewal));
      });
    }
  }

  function startTimers(agenda: Agenda, backend: AgendaBackend): void {
    timers.push(setInterval(() => plan(agenda, backend).catch(onError), planEveryMs));
    for (const { name, pollMs } of jobs) {
      if (pollMs !== undefined) timers.push(setInterval(() => nudge(name), pollMs));
    }
  }

  /**
   * Plans all jobs. Later calls only hasten jobs that are due too late, as planned by a process whose clock is ahead.
   */
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
    isStopping = true;
    for (const timer of timers) clearInterval(timer);
    await opened?.agenda.stop(false);
    await opened?.backend.disconnect();
    await Promise.all([...runners.values()].map((run) => run.settled()));
    for (let waitedMs = 0; running > 0 && waitedMs < saveTimeoutMs; waitedMs += stepMs) await sleep(stepMs);
  }

  return { start, stop, nudge };
}

/**
 * Runs a job one at a time in this process. A call during a run starts one more run afterwards. Never rejects: failed
 * runs are reported.
 */
function createRunner(job: Job, isStopping: () => boolean, onRun: SchedulerDependencies['onRun']) {
  let running: Promise<void> | undefined;
  let isRequestedAgain = false;

  async function runAll(): Promise<void> {
    do {
      isRequestedAgain = false;
      const startedAt = performance.now();
      try {
        await job.run(isStopping);
        onRun(job.name, performance.now() - startedAt);
      } catch (error) {
        onRun(job.name, performance.now() - startedAt, error);
        return;
      }
    } while (isRequestedAgain && !isStopping());
  }

  async function run(): Promise<void> {
    isRequestedAgain = true;
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  return Object.assign(run, { settled: async () => running });
}

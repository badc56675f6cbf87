import { Agenda, type AgendaBackend } from 'agenda';
import type { Job } from './jobs.ts';

type Parts = {
  backend: AgendaBackend;
  jobs: Job[];
  /** Told how each run ended, and of trouble with the store. */
  ran(name: string, ms: number, error?: unknown): void;
  troubled(error: unknown): void;
};

export type Scheduler = ReturnType<typeof createScheduler>;

const lockMs = 60_000;
const processEveryMs = 1_000;
const planAnewMs = 30_000;

/**
 * Runs jobs at their intervals, each on one of all processes at a time. A process that dies leaves its jobs to the others
 * when its lock ends, a minute later at most. Nothing depends on a job to be on time: it only does what is due.
 */
export function createScheduler({ backend, jobs, ran, troubled }: Parts) {
  let isStopping = false;
  const runners = new Map(jobs.map((job) => [job.name, createRunner(job, () => isStopping, ran)]));
  const agenda = new Agenda({
    backend,
    processEvery: processEveryMs,
    defaultLockLifetime: lockMs,
    defaultConcurrency: 1,
  });
  agenda.on('error', troubled);
  for (const [name, run] of runners) {
    agenda.define(name, async (job) => {
      const renewal = setInterval(() => job.touch().catch(troubled), lockMs / 3);
      try {
        await run();
      } finally {
        clearInterval(renewal);
      }
    });
  }

  const timers: NodeJS.Timeout[] = [];

  /** Begins, once the store can be reached. */
  async function start(): Promise<void> {
    await agenda.start();
    for (const { name, everyMs } of jobs) await agenda.every(everyMs, name);
    timers.push(setInterval(() => planAnew().catch(troubled), planAnewMs));
    for (const { name, pollMs } of jobs) {
      if (pollMs !== undefined) timers.push(setInterval(() => nudge(name), pollMs));
    }
  }

  /** A process whose clock is ahead puts jobs off for everybody; what is put off for too long is planned anew. */
  async function planAnew(): Promise<void> {
    const { jobs: planned } = await backend.repository.queryJobs();
    for (const { name, everyMs } of jobs) {
      const next = planned.find((job) => job.name === name)?.nextRunAt;
      if (next && next.getTime() > Date.now() + everyMs) await agenda.every(everyMs, name);
    }
  }

  /** Runs a job in this process now, or once more after the run that is under way. */
  function nudge(name: string): void {
    runners.get(name)?.();
  }

  /** Ends: nothing new is begun, what runs is asked to return and waited for. */
  async function stop(): Promise<void> {
    isStopping = true;
    for (const timer of timers) clearInterval(timer);
    await agenda.stop();
    await Promise.all([...runners.values()].map((run) => run.settled()));
  }

  return { start, stop, nudge };
}

/** Runs a job one at a time in this process; being called meanwhile has it run once more. Never rejects: a failed run is reported. */
function createRunner(job: Job, isStopping: () => boolean, ran: Parts['ran']) {
  let running: Promise<void> | undefined;
  let isWantedAgain = false;

  async function runAll(): Promise<void> {
    do {
      isWantedAgain = false;
      const startedAt = performance.now();
      try {
        await job.run(isStopping);
        ran(job.name, performance.now() - startedAt);
      } catch (error) {
        ran(job.name, performance.now() - startedAt, error);
        return;
      }
    } while (isWantedAgain && !isStopping());
  }

  async function run(): Promise<void> {
    isWantedAgain = true;
    running ??= runAll().finally(() => {
      running = undefined;
    });
    return running;
  }

  return Object.assign(run, { settled: async () => running });
}

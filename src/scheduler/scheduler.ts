import { setTimeout as sleep } from 'node:timers/promises';
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

const lockMs = 20_000;
const processEveryMs = 1_000;
const planEveryMs = 30_000;
/** How long Agenda may take to save that a job has ended. */
const savingMs = 2_000;
const stepMs = 20;

/**
 * Runs jobs at their intervals, each on one of all processes at a time. A process that dies leaves its jobs to the others
 * when its lock ends, twenty seconds later at most. Nothing depends on a job to be on time: it only does what is due.
 */
export function createScheduler({ backend, jobs, ran, troubled }: Parts) {
  const { repository } = backend;
  let isStopping = false;
  let isPlanned = false;
  let running = 0;
  let agenda: Agenda | undefined;
  const timers: NodeJS.Timeout[] = [];
  const runners = new Map(jobs.map((job) => [job.name, createRunner(job, () => isStopping, ran)]));

  /** Begins, once the store can be reached; resolves then. */
  async function start(): Promise<void> {
    if (isStopping) return;
    agenda = createAgenda();
    await agenda.start();
    await plan(agenda).catch(troubled);
    if (!isStopping) startTimers(agenda);
  }

  /** An Agenda begins to look for its store when it is made, so it is made late. */
  function createAgenda(): Agenda {
    const made = new Agenda({
      backend,
      processEvery: processEveryMs,
      defaultLockLifetime: lockMs,
      defaultConcurrency: 1,
    });
    made.on('error', troubled);
    made.on('start', () => void running++);
    made.on('complete', () => void running--);
    for (const [name, run] of runners) {
      made.define(name, async (job) => {
        const renewal = setInterval(() => job.touch().catch(troubled), lockMs / 3);
        await run().finally(() => clearInterval(renewal));
      });
    }
    return made;
  }

  function startTimers(made: Agenda): void {
    timers.push(setInterval(() => plan(made).catch(troubled), planEveryMs));
    for (const { name, pollMs } of jobs) {
      if (pollMs !== undefined) timers.push(setInterval(() => nudge(name), pollMs));
    }
  }

  /** Plans all jobs. Later only hastens those that were put off for too long: a process whose clock is ahead does that. */
  async function plan(made: Agenda): Promise<void> {
    if (!isPlanned) for (const { name, everyMs } of jobs) await made.every(everyMs, name);
    isPlanned = true;
    const { jobs: planned } = await repository.queryJobs();
    for (const job of planned) {
      const everyMs = jobs.find(({ name }) => name === job.name)?.everyMs ?? Number.POSITIVE_INFINITY;
      if (job.nextRunAt && job.nextRunAt.getTime() > Date.now() + everyMs)
        await repository.saveJob({ ...job, nextRunAt: new Date() }, undefined);
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
    await agenda?.stop(false);
    await backend.disconnect();
    await Promise.all([...runners.values()].map((run) => run.settled()));
    for (let waitedMs = 0; running > 0 && waitedMs < savingMs; waitedMs += stepMs) await sleep(stepMs);
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

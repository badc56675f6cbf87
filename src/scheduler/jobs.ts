import type { Domain, Messengers } from '../domain/index.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../time.ts';

/** A recurring job. Idempotent; safe on any number of processes at once. */
export type Job = {
  name: string;
  /** How often it runs on one of the processes. To plan such a run takes three commits, so at most once a minute. */
  everyMs: number;
  /** How often each process also runs it by itself, for work that should not wait for its turn. */
  pollMs?: number;
  /** The same for a worker, if it is another: what is written for it comes from other processes, which cannot nudge it. */
  workerPollMs?: number;
  /** Must return soon after `isStopping` returns true. */
  run(isStopping: () => boolean): Promise<unknown>;
};

/** Jobs as a worker runs them. */
export const forWorker = (jobs: Job[]): Job[] =>
  jobs.map(({ workerPollMs, ...job }) =>
    workerPollMs === undefined ? job : { ...job, pollMs: workerPollMs },
  );

/** The job to nudge when notices were written. */
export const deliveryJob = 'deliver-notices';

/** All recurring jobs. Each calls the domain. */
export function buildJobs(
  {
    accounts,
    apiTokens,
    deviceSignIn,
    pushes,
    requestLinks,
    sessions,
    singleSignOn,
    securityLog,
    sweeps,
    notices,
    webhooks,
    limits,
    chat,
    files,
    leases,
    mailAddresses,
    keys,
    removeOrphans,
  }: Domain,
  messengers: Messengers,
): Job[] {
  return [
    { name: 'expire-pushes', everyMs: minuteMs, pollMs: 5 * secondMs, run: sweeps.expireDue },
    {
      name: deliveryJob,
      everyMs: minuteMs,
      pollMs: secondMs / 2,
      workerPollMs: secondMs / 4,
      run: (isStopping) => notices.deliverDue(messengers, isStopping),
    },
    { name: 'release-notices', everyMs: 5 * minuteMs, run: notices.releaseFromFuture },
    { name: 'erase-views', everyMs: minuteMs, pollMs: 15 * secondMs, run: pushes.eraseViews },
    {
      name: 'remind-unread',
      everyMs: minuteMs,
      pollMs: 30 * secondMs,
      async run(isStopping) {
        await sweeps.remindUnread(isStopping);
        await pushes.remindDue(isStopping);
      },
    },
    { name: 'sweep-requests', everyMs: minuteMs, run: chat.requests.sweep },
    {
      name: 'purge',
      everyMs: 10 * minuteMs,
      async run(isStopping) {
        await sweeps.purge(isStopping);
        await notices.purge(isStopping);
        await limits.purge(isStopping);
        await chat.purge(isStopping);
        await requestLinks.purge(isStopping);
        await pushes.purgeNonces(isStopping);
        await pushes.purgeCodes(isStopping);
        await pushes.purgeIdempotencyKeys(isStopping);
        await sessions.purge(isStopping);
        await apiTokens.purge(isStopping);
        await deviceSignIn.purge(isStopping);
        await singleSignOn.purge(isStopping);
        await accounts.purgeActs(isStopping);
        await securityLog.purge(isStopping);
        await webhooks.erasePreviousSecrets();
        await leases.purge();
      },
    },
    { name: 'shred-files', everyMs: minuteMs, pollMs: 15 * secondMs, run: files.shredDue },
    { name: 'erase-workspaces', everyMs: 10 * minuteMs, run: chat.workspaceRemoval.eraseDue },
    { name: 'reconcile-files', everyMs: 6 * hourMs, run: files.reconcile },
    { name: 'reseal-records', everyMs: hourMs, run: keys.reseal },
    {
      name: 'remove-orphans',
      everyMs: dayMs,
      async run(isStopping) {
        await removeOrphans(isStopping);
        await mailAddresses.purge();
      },
    },
  ];
}

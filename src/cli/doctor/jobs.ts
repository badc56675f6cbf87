import { type Finding, failure, ok } from '../../config/checks.ts';
import type { Config } from '../../config.ts';
import type { Service } from '../../service.ts';
import { isoTime, minuteMs } from '../../time.ts';

const runsMaxMs = 2 * minuteMs;
const expiryMaxMs = minuteMs;
const noticesMaxMs = 5 * minuteMs;
const shreddingMaxMs = 5 * minuteMs;
const shownMax = 5;

const advice = 'Run hushpush worker, or hushpush start without JOBS=off; look for failing jobs in its log.';

/** Whether the jobs keep up: what is late stays readable, or is not delivered. */
export async function checkJobs(config: Config, service: Service): Promise<Finding[]> {
  const { sweeps, notices, files } = service.domain;
  const expiry = await sweeps.overdue();
  const outbox = await notices.backlog();
  const shredding = await files.overdue();
  const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;
  return [
    await checkRuns(config, service),
    expiry.overdueMs <= expiryMaxMs
      ? ok('expiryInTime', 'expiry', 'expired pushes are erased in time')
      : failure(
          'expiryLate',
          'expiry',
          `${expiry.waiting} expired pushes are not erased, the oldest for ${seconds(expiry.overdueMs)}`,
          advice,
        ),
    outbox.overdueMs <= noticesMaxMs
      ? ok('outboxInTime', 'outbox', `${outbox.waiting} notifications are waiting`)
      : failure(
          'outboxLate',
          'outbox',
          `${outbox.waiting} notifications are waiting, the oldest overdue for ${seconds(outbox.overdueMs)}`,
          advice,
        ),
    shredding.overdueMs <= shreddingMaxMs
      ? ok('shreddingInTime', 'shredding', 'files of expired pushes are erased in time')
      : failure(
          'shreddingLate',
          'shredding',
          `${shredding.waiting} files are not erased, the oldest for ${seconds(shredding.overdueMs)}`,
          advice,
        ),
  ];
}

/** Without jobs of their own, web processes need a worker. One that runs leaves its mark every minute. */
async function checkRuns({ JOBS }: Config, { openBackend, domain }: Service): Promise<Finding> {
  const { jobs } = await (await openBackend()).repository.queryJobs();
  const lastRunAt = Math.max(0, ...jobs.map((job) => new Date(job.lastRunAt ?? 0).getTime()));
  const at = lastRunAt === 0 ? undefined : isoTime(lastRunAt);
  if (!JOBS && (await domain.clock()) - lastRunAt > runsMaxMs)
    return failure(
      'jobsNotRun',
      'jobs',
      at === undefined
        ? 'JOBS is off, and no process has ever run them'
        : `JOBS is off, and they last ran at ${at}`,
      'Run hushpush worker, or unset JOBS.',
    );
  return at === undefined
    ? ok('jobsNotYet', 'jobs', 'have not run yet')
    : ok('jobsRun', 'jobs', `last ran at ${at}`);
}

/** Whether a viewer has met a live push that cannot be decrypted. */
export async function checkPushes({ domain }: Service): Promise<Finding> {
  const damaged = await domain.pushes.listDamaged();
  const [first] = damaged;
  if (first === undefined) return ok('pushesIntact', 'pushes', 'no viewer has found a damaged one');
  const subject = damaged.length === 1 ? '1 live push is' : `${damaged.length} live pushes are`;
  const ids = damaged.slice(0, shownMax).map(({ id }) => id);
  return failure(
    'pushesDamaged',
    'pushes',
    `${subject} damaged and cannot be decrypted, as viewers have found since ${isoTime(first.foundAt)}: ${ids.join(', ')}`,
    'Look for what damaged the database, and restore pushes.payload or pushes.files_key of these rows from a backup, or have the pushes created again. No view of them was counted.',
  );
}

import type { Config } from '../../config.ts';
import type { Backlog } from '../../domain/index.ts';
import type { Service } from '../../service.ts';
import { isoTime, minuteMs } from '../../time.ts';
import { type Finding, report } from './finding.ts';

const runsMaxMs = 2 * minuteMs;
const expiryMaxMs = minuteMs;
const noticesMaxMs = 5 * minuteMs;
const shreddingMaxMs = 5 * minuteMs;

/** Whether the jobs keep up: what is late stays readable, or is not delivered. */
export async function checkJobs(config: Config, service: Service): Promise<Finding[]> {
  const { sweeps, notices, files } = service.domain;
  const expiry = await sweeps.overdue();
  const outbox = await notices.backlog();
  const shredding = await files.overdue();
  return [
    await checkRuns(config, service),
    expiry.overdueMs <= expiryMaxMs ? report('expiryInTime') : report('expiryLate', late(expiry)),
    outbox.overdueMs <= noticesMaxMs
      ? report('outboxInTime', { count: outbox.waiting })
      : report('outboxLate', late(outbox)),
    shredding.overdueMs <= shreddingMaxMs
      ? report('shreddingInTime')
      : report('shreddingLate', late(shredding)),
  ];
}

/** Without jobs of their own, web processes need a worker. One that runs leaves its mark every minute. */
async function checkRuns({ JOBS }: Config, { openBackend, domain }: Service): Promise<Finding> {
  const { jobs } = await (await openBackend()).repository.queryJobs();
  const lastRunAt = Math.max(0, ...jobs.map((job) => new Date(job.lastRunAt ?? 0).getTime()));
  const at = lastRunAt === 0 ? null : isoTime(lastRunAt);
  if (!JOBS && (await domain.clock()) - lastRunAt > runsMaxMs) return report('jobsNotRun', { at });
  return at === null ? report('jobsNotYet') : report('jobsRun', { at });
}

function late({ waiting, overdueMs }: Backlog) {
  return { count: waiting, seconds: Math.round(overdueMs / 1000) };
}

import type { Service } from '../../service.ts';
import { minuteMs } from '../../time.ts';
import { type Finding, failure, ok } from './finding.ts';

const expiryMaxMs = minuteMs;
const noticesMaxMs = 5 * minuteMs;
const shreddingMaxMs = 5 * minuteMs;

const advice = 'Run hushpush worker, or hushpush start without JOBS=off; look for failing jobs in its log.';

/** Whether the jobs keep up: what is late stays readable, or is not delivered. */
export async function checkJobs({ domain: { sweeps, notices, files } }: Service): Promise<Finding[]> {
  const expiry = await sweeps.overdue();
  const outbox = await notices.backlog();
  const shredding = await files.overdue();
  return [
    expiry.overdueMs <= expiryMaxMs
      ? ok('expiry', 'expired pushes are erased in time')
      : failure(
          'expiry',
          `${expiry.waiting} expired pushes are not erased, the oldest for ${seconds(expiry.overdueMs)}`,
          advice,
        ),
    outbox.overdueMs <= noticesMaxMs
      ? ok('outbox', `${outbox.waiting} notices are waiting`)
      : failure(
          'outbox',
          `${outbox.waiting} notices are waiting, the oldest overdue for ${seconds(outbox.overdueMs)}`,
          advice,
        ),
    shredding.overdueMs <= shreddingMaxMs
      ? ok('shredding', 'files of expired pushes are shredded in time')
      : failure(
          'shredding',
          `${shredding.waiting} files are not shredded, the oldest for ${seconds(shredding.overdueMs)}`,
          advice,
        ),
  ];
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

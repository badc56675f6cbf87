import type { Service } from '../../service.ts';
import { minuteMs } from '../../time.ts';
import { type Finding, report } from './finding.ts';

const expiryMaxMs = minuteMs;
const noticesMaxMs = 5 * minuteMs;
const shreddingMaxMs = 5 * minuteMs;

/** Whether the jobs keep up: what is late stays readable, or is not delivered. */
export async function checkJobs({ domain: { sweeps, notices, files } }: Service): Promise<Finding[]> {
  const expiry = await sweeps.overdue();
  const outbox = await notices.backlog();
  const shredding = await files.overdue();
  return [
    expiry.overdueMs <= expiryMaxMs ? report('expiryInTime') : report('expiryLate', late(expiry)),
    outbox.overdueMs <= noticesMaxMs
      ? report('outboxInTime', { count: outbox.waiting })
      : report('outboxLate', late(outbox)),
    shredding.overdueMs <= shreddingMaxMs
      ? report('shreddingInTime')
      : report('shreddingLate', late(shredding)),
  ];
}

function late({ waiting, overdueMs }: { waiting: number; overdueMs: number }) {
  return { count: waiting, seconds: Math.round(overdueMs / 1000) };
}

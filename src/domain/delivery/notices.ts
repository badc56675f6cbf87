import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import { measureBacklog, type Observer } from '../base/index.ts';
import { createLinkRequestFinder } from '../chat/index.ts';
import type { Outbox } from '../outbox/index.ts';
import { createDeliverableCheck } from './deliverable.ts';
import { createDelivery } from './delivery.ts';
import { createNoticeReader, type NoticeSubjects } from './noticeReader.ts';
import { createNoticeQueue } from './queue.ts';
import { createRates } from './rates.ts';

type NoticesDependencies = Omit<NoticeSubjects, 'linkRequests'> & {
  database: Database;
  outbox: Outbox;
  observer: Observer;
};

const retentionMs = 7 * dayMs;

/** The notices of pushes and requests: their delivery, their backlog, and the retention of their log. */
export function createNotices({ database, outbox, observer, ...subjects }: NoticesDependencies) {
  const { deleteInBatches, dialect, select } = database;
  const queue = createNoticeQueue(database);
  const { deliverDue } = createDelivery({
    queue,
    rates: createRates(database),
    checkDeliverable: createDeliverableCheck(database),
    readNotice: createNoticeReader({ ...subjects, linkRequests: createLinkRequestFinder(database) }),
    observer,
  });

  /** The notices that wait, those that are not due yet among them. */
  const backlog = () =>
    measureBacklog(database, { table: 'notices', dueAt: 'due_at', condition: 'due_at IS NOT NULL' });

  /** How many notices wait although they were due, and are older than each of these ages in milliseconds. */
  async function waitingSince(agesMs: number[]): Promise<number[]> {
    const counts = agesMs.map(
      (ms, index) => `COUNT(CASE WHEN created_at < ${dialect.now} - ${ms} THEN 1 END) AS age${index}`,
    );
    const [row = {}] = await select<Record<string, number>>(
      `SELECT ${counts.join(', ')} FROM notices WHERE due_at IS NOT NULL AND (attempts > 0 OR due_at <= ${dialect.now})`,
      {},
    );
    return agesMs.map((_, index) => Number(row[`age${index}`]));
  }

  /** Deletes notices that ended a week ago. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('notices', 'ended_at', `${dialect.now} - ${retentionMs}`, isStopping);

  return {
    deliverDue,
    backlog,
    waitingSince,
    purge,
    releaseFromFuture: queue.releaseFromFuture,
    onWritten: outbox.onWritten,
  };
}

import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { AccountActs, AccountMails, SecurityLog } from '../accounts/index.ts';
import { measureBacklog, type Observer } from '../base/index.ts';
import { createLinkRequestFinder } from '../chat/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Pushes } from '../pushes/index.ts';
import type { RequestLinks, Requests } from '../requests/index.ts';
import { createDeliverableCheck } from './deliverable.ts';
import { createDelivery } from './delivery.ts';
import { createNoticeReader } from './noticeReader.ts';
import { createNoticeQueue } from './queue.ts';
import { createRates } from './rates.ts';

type NoticesDependencies = {
  database: Database;
  keyring: Keyring;
  outbox: Outbox;
  acts: Pick<AccountActs, 'maybeFind'>;
  securityLog: Pick<SecurityLog, 'maybeSignIn'>;
  requests: Pick<Requests, 'maybeFind' | 'unansweredOf'>;
  pushes: Pick<Pushes, 'openersOf' | 'maybeMailed' | 'maybeCode'>;
  accountMails: AccountMails;
  requestLinks: Pick<RequestLinks, 'maybeMailed'>;
  observer: Observer;
};

const retentionMs = 7 * dayMs;

/** The notices of pushes and requests: their delivery, their backlog, and the retention of their log. */
export function createNotices({
  database,
  keyring,
  outbox,
  acts,
  securityLog,
  requests,
  pushes,
  accountMails,
  requestLinks,
  observer,
}: NoticesDependencies) {
  const { deleteInBatches, dialect, select } = database;
  const queue = createNoticeQueue(database);
  const { deliverDue } = createDelivery({
    queue,
    rates: createRates(database),
    checkDeliverable: createDeliverableCheck(database),
    readNotice: createNoticeReader(keyring, {
      requests,
      acts,
      securityLog,
      linkRequests: createLinkRequestFinder(database),
      pushes,
      accountMails,
      requestLinks,
    }),
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

import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import { measureBacklog } from '../backlog.ts';
import { createLinkRequestFinder } from '../chat/linkRequest.ts';
import type { Observer } from '../observer.ts';
import type { Pushes } from '../pushes/pushes.ts';
import type { Requests } from '../requests/requests.ts';
import { createDeliverableCheck } from './deliverable.ts';
import { createDelivery } from './delivery.ts';
import { createNoticeReader } from './noticeReader.ts';
import type { Outbox } from './outbox.ts';
import { createNoticeQueue } from './queue.ts';

type NoticesDependencies = {
  database: Database;
  keyring: Keyring;
  outbox: Outbox;
  requests: Pick<Requests, 'maybeFind' | 'unansweredOf'>;
  pushes: Pick<Pushes, 'openersOf'>;
  observer: Observer;
};

const retentionMs = 7 * dayMs;

/** The notices of pushes and requests: their delivery, their backlog, and the retention of their log. */
export function createNotices({
  database,
  keyring,
  outbox,
  requests,
  pushes,
  observer,
}: NoticesDependencies) {
  const { deleteInBatches, dialect } = database;
  const queue = createNoticeQueue(database);
  const { deliverDue } = createDelivery({
    queue,
    isDeliverable: createDeliverableCheck(database),
    readNotice: createNoticeReader(keyring, {
      requests,
      linkRequests: createLinkRequestFinder(database),
      pushes,
    }),
    observer,
  });

  /** The notices that wait, those that are not due yet among them. */
  const backlog = () =>
    measureBacklog(database, { table: 'notices', dueAt: 'due_at', condition: 'due_at IS NOT NULL' });

  /** Deletes notices that ended a week ago. */
  const purge = (isStopping?: () => boolean) =>
    deleteInBatches('notices', 'ended_at', `${dialect.now} - ${retentionMs}`, isStopping);

  return {
    deliverDue,
    backlog,
    purge,
    releaseFromFuture: queue.releaseFromFuture,
    onWritten: outbox.onWritten,
  };
}

import { type Database, inList, type Tx } from '../../database/database.ts';
import type { Outbox } from '../outbox/index.ts';
import { type ChatUser, type Platform, toRecipient } from '../people/index.ts';

type Dependencies = { database: Database; outbox: Outbox };

type DueRequest = {
  id: Buffer;
  groupId: Buffer;
  platform: Platform;
  requester: string;
  provider: string;
  isOver: number;
};

const groupsOfBatch = 20;

/** Reminds people of unanswered requests, and ends those that are overdue. */
export function createRequestSweep({ database: { select, transaction, dialect }, outbox }: Dependencies) {
  /** Recurring job. Requests that were sent together end together, so that their requester is notified once. */
  return async function sweep(isStopping = () => false): Promise<void> {
    for (let isMore = true; isMore && !isStopping(); ) {
      const groups = await select<{ groupId: Buffer }>(
        `SELECT DISTINCT group_id AS groupId FROM requests WHERE due_at <= ${dialect.now} LIMIT ${groupsOfBatch}`,
        {},
      );
      if (groups.length > 0) await transaction((tx) => sweepGroups(groups, tx));
      isMore = groups.length === groupsOfBatch;
    }
  };

  async function sweepGroups(groups: { groupId: Buffer }[], tx: Tx): Promise<void> {
    const { names, binds } = inList(groups.map(({ groupId }) => groupId));
    const due = await tx.select<DueRequest>(
      `SELECT id, group_id AS groupId, platform, requester, provider, expires_at <= ${dialect.now} AS isOver
       FROM requests WHERE group_id IN (${names}) AND due_at <= ${dialect.now} ORDER BY id ${dialect.forUpdate}`,
      binds,
    );
    await remind(
      due.filter(({ isOver }) => Number(isOver) === 0),
      tx,
    );
    await expire(
      due.filter(({ isOver }) => Number(isOver) === 1),
      tx,
    );
  }

  async function remind(requests: DueRequest[], tx: Tx): Promise<void> {
    if (requests.length === 0) return;
    const { names, binds } = inList(requests.map(({ id }) => id));
    await tx.execute(`UPDATE requests SET due_at = expires_at WHERE id IN (${names})`, binds);
    for (const request of requests)
      await outbox.send('request_reminder', request.id, [toRecipient(providerOf(request))], tx);
  }

  async function expire(requests: DueRequest[], tx: Tx): Promise<void> {
    if (requests.length === 0) return;
    const { names, binds } = inList(requests.map(({ id }) => id));
    await tx.execute(`UPDATE requests SET state = 'expired', due_at = NULL WHERE id IN (${names})`, binds);
    for (const request of requests)
      await outbox.send('request_expired', request.id, [toRecipient(providerOf(request))], tx);
    for (const { groupId, platform, requester } of oneOfEachGroup(requests))
      await outbox.send('request_expired', groupId, [toRecipient({ platform, address: requester })], tx);
  }
}

const providerOf = ({ platform, provider }: DueRequest): ChatUser => ({ platform, address: provider });

const oneOfEachGroup = (requests: DueRequest[]): DueRequest[] => [
  ...new Map(requests.map((request) => [request.groupId.toString('hex'), request])).values(),
];

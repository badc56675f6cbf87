import { type Database, inList } from '../../database/database.ts';
import { type Platform, toRecipient } from '../chat/chatUser.ts';
import type { Outbox } from '../notices/outbox.ts';

type Dependencies = { database: Database; outbox: Outbox };

type DueRequest = { id: Buffer; platform: Platform; requester: string; provider: string };

const batchSize = 200;

/** Ends requests that nobody answered in time. */
export function createRequestExpiry({ database: { transaction, dialect }, outbox }: Dependencies) {
  const selectDue = `SELECT id, platform, requester, provider FROM requests
    WHERE state = 'open' AND expires_at <= ${dialect.now} LIMIT ${batchSize} ${dialect.skipLocked}`;

  /** Recurring job. Notifies both people of each request. */
  return async function expireDue(isStopping = () => false): Promise<void> {
    for (let isMore = true; isMore && !isStopping(); )
      isMore = await transaction(async (tx) => {
        const due = await tx.select<DueRequest>(selectDue, {});
        if (due.length === 0) return false;
        const { names, binds } = inList(due.map(({ id }) => id));
        await tx.execute(`UPDATE requests SET state = 'expired' WHERE id IN (${names})`, binds);
        for (const { id, platform, requester, provider } of due) {
          const people = [requester, provider].map((address) => toRecipient({ platform, address }));
          await outbox.send('request_expired', id, people, tx);
        }
        return due.length === batchSize;
      });
  };
}

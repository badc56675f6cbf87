import { z } from 'zod';
import { DomainError } from '../../errors.ts';
import { dayMs, minuteMs } from '../../time.ts';
import { asMessage, parseInput } from '../base/index.ts';
import { decodePreferences } from '../outbox/index.ts';
import type { Caller, ClientInfo } from '../people/index.ts';
import type { PushDependencies } from './dependencies.ts';
import { reminderLeadMs } from './erasure.ts';
import { extensionOf, isLive, type ListedPush, type Push } from './push.ts';
import { shownTo } from './shown.ts';
import type { PushRow } from './tables.ts';

/** `expiry` is SQL over `$ms`. With `endsAt`, it is set only while the push ends then. */
type NewExpiry = { expiry: string; ms: number; remainingMs: number; endsAt?: number | undefined };

/** Sets a later end for live pushes of the caller. Throws `forbidden` for all others. An unread push gets a new reminder. */
export function createExtension({ database, audit, finder, settings }: PushDependencies) {
  const { transaction, dialect } = database;
  const { max } = settings.bounds.expireAfterDays;
  const longestMs = max * dayMs;
  const minutesMax = max * 24 * 60;
  const range = asMessage({ code: 'between', min: 1, max: minutesMax });
  const schema = z.object({
    minutes: z.coerce.number(range).int(range).min(1, range).max(minutesMax, range),
  });

  const extendFiles = `UPDATE files SET shred_at = (SELECT expires_at FROM pushes WHERE id = $id)
    WHERE push_id = $id AND label IS NOT NULL`;

  /** SQL for an end that exceeds neither what the service allows, from the creation, nor what the workspace does. */
  const atMost = (expiry: string) =>
    `${dialect.least}(${expiry}, created_at + ${longestMs}, COALESCE(expires_at_max, ${expiry}))`;

  /**
   * Sets the end to `minutes` from now. Throws `conflict` if that is sooner than the current end, later than
   * the rules of its workspace or the service allow, or if the push has ended.
   */
  async function setExpiry(urlToken: string, input: unknown, caller: Caller): Promise<ListedPush> {
    const { account, client } = caller;
    const row = await finder.requireOwned(urlToken, { account, client });
    const ms = parseInput(schema, input).minutes * minuteMs;
    if (row.expiresAtMax !== null && row.now + ms > row.expiresAtMax)
      throw new DomainError('conflict', 'expiryTooLate');
    if (row.now + ms > row.createdAt + longestMs)
      throw new DomainError('conflict', 'lifetimeTooLong', { values: { days: max } });
    const expiry = atMost(`${dialect.now} + $ms`);
    const isLater = await updateExpiry(row, { expiry, ms, remainingMs: ms }, client);
    if (!isLater) throw new DomainError('conflict', 'expiryNotLater');
    return shownTo(caller, finder.present(await finder.requireRow(urlToken, client), urlToken, account));
  }

  /**
   * Adds `extensionMs` to the end, and returns the push with the time added. That is 0 if the push may not live longer,
   * or if `endsAt` is given and the push ends at another time by now.
   */
  async function extend(
    urlToken: string,
    { account, client }: Caller,
    endsAt?: number,
  ): Promise<Push & { extendedMs: number }> {
    const row = await finder.requireOwned(urlToken, { account, client });
    const ms = extensionOf(row, longestMs);
    const expiry = atMost('expires_at + $ms');
    const isExtended =
      ms > 0 &&
      (await updateExpiry(row, { expiry, ms, remainingMs: row.expiresAt + ms - row.now, endsAt }, client));
    const push = finder.present(await finder.requireRow(urlToken, client), urlToken, account);
    return { ...push, extendedMs: isExtended ? ms : 0 };
  }

  async function updateExpiry(
    { id, notify, viewsUsed, fileCount }: PushRow,
    { expiry, ms, remainingMs, endsAt }: NewExpiry,
    client: ClientInfo,
  ): Promise<boolean> {
    const ifUnchanged = endsAt === undefined ? '' : 'AND expires_at = $endsAt';
    const leadMs = decodePreferences(notify).reminder && viewsUsed === 0 ? reminderLeadMs(remainingMs) : 0;
    return transaction(async (tx) => {
      // MySQL assigns from left to right, so due_at must come first: it reads the old end.
      const changed = await tx.execute(
        `UPDATE pushes SET due_at = ${expiry} - $leadMs, expires_at = ${expiry}, updated_at = ${dialect.now}
         WHERE id = $id AND ${isLive(dialect.now)} AND expires_at < ${expiry} ${ifUnchanged}`,
        { id, ms, leadMs, endsAt: endsAt ?? null },
      );
      if (changed !== 1) return false;
      if (fileCount > 0) await tx.execute(extendFiles, { id });
      await audit.record(id, 'edit', client, tx);
      return true;
    });
  }

  return { setExpiry, extend };
}

import { timingSafeEqual } from 'node:crypto';
import type { Database, Tx } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { dayMs } from '../../time.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Account, ChatUser, NoticeAddress } from '../people/index.ts';
import type { Identities } from './identities/identities.ts';
import { type LinkRequest, type LinkRequestFinder, linkRequestNotFound } from './linkRequest.ts';
import type { LinkRequestRow } from './tables.ts';

/** A confirmed link stays for as long as its notices may wait. */
const noticeRetentionMs = 7 * dayMs;
const triesMax = 3;

type Dependencies = {
  database: Database;
  identities: Identities;
  outbox: Outbox;
  finder: Pick<LinkRequestFinder, 'maybeFind'>;
};
type Confirmation = 'confirmed' | 'wrong code';
type LockedRow = LinkRequestRow & { now: number };

/** Confirms link requests, in the chat. */
export function createLinkConfirmation({ database, identities, outbox, finder }: Dependencies) {
  const { transaction, dialect } = database;

  /**
   * Confirms a request with the code that its browser shows. Throws `invalid` (field `code`) for another code, and ends
   * the request at the third; throws `not_found` if it has ended, and like `identities.link`.
   */
  async function confirm(chatUser: ChatUser, given: string, code: string): Promise<LinkRequest> {
    const id = Buffer.from(given, 'hex');
    const result = await transaction(async (tx): Promise<Confirmation> => {
      const row = await lock(chatUser, id, tx);
      if (!isSameCode(row.code, code)) {
        await tx.execute(
          row.tries + 1 < triesMax
            ? 'UPDATE link_requests SET tries = tries + 1 WHERE id = $id'
            : 'DELETE FROM link_requests WHERE id = $id',
          { id: row.id },
        );
        return 'wrong code';
      }
      await fulfil(row, tx);
      return 'confirmed';
    });
    if (result === 'wrong code')
      throw new DomainError('invalid', { problems: { code: [{ code: 'incorrect' }] } });
    const confirmed = await finder.maybeFind(id);
    if (confirmed === undefined) throw linkRequestNotFound();
    return confirmed;
  }

  /** As `confirm`, in a transaction, for a chat user whom the chat itself vouches for: they type no code. */
  const linkRequested = async (chatUser: ChatUser, id: Buffer, tx: Tx): Promise<void> =>
    fulfil(await lock(chatUser, id, tx), tx);

  async function fulfil(row: LockedRow, tx: Tx): Promise<void> {
    await tx.execute(`UPDATE link_requests SET state = 'confirmed', expires_at = $expiresAt WHERE id = $id`, {
      id: row.id,
      expiresAt: row.accountId === null ? row.expiresAt : row.now + noticeRetentionMs,
    });
    if (row.accountId !== null) await link(row, { id: row.accountId }, tx);
  }

  /** Links the user, and tells the other addresses of the account. */
  async function link({ id, ...row }: LinkRequestRow, account: Pick<Account, 'id'>, tx: Tx): Promise<void> {
    const chatUser = { platform: row.platform, address: row.address };
    const others = await tx.select<NoticeAddress>(
      `SELECT messenger, address FROM recipients
       WHERE account_id = $accountId AND NOT (messenger = $platform AND address = $address)`,
      { accountId: account.id, ...chatUser },
    );
    await identities.linkWithin(chatUser, account, tx, row.name);
    await identities.setNameWithin(chatUser, row.name, tx);
    await outbox.send('linked', id, others, tx);
  }

  async function lock({ platform, address }: ChatUser, id: Buffer, tx: Tx): Promise<LockedRow> {
    const [row] = await tx.select<LockedRow>(
      `SELECT id, platform, address, name, account_id AS accountId, code, tries, expires_at AS expiresAt, ${dialect.now} AS now
       FROM link_requests WHERE id = $id AND platform = $platform AND address = $address
         AND state = 'open' AND expires_at > ${dialect.now} ${dialect.forUpdate}`,
      { id, platform, address },
    );
    if (row === undefined) throw linkRequestNotFound();
    return row;
  }

  return { confirm, linkRequested };
}

function isSameCode(code: string, typed: string): boolean {
  const given = Buffer.from(typed.replaceAll(/\s/g, '').slice(0, 20));
  const expected = Buffer.from(code);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

import { DomainError } from '../../errors.ts';
import { type Caller, type ClientInfo, requireScope, type TokenlessCaller } from '../people/index.ts';
import type { SpentNonces } from './claim/nonces.ts';
import type { PushDependencies } from './dependencies.ts';
import { erasure } from './erasure.ts';
import { isLive, isOwner, type ListedPush, type Push } from './push.ts';
import { shownTo } from './shown.ts';
import type { PushRow } from './tables.ts';

export type Expiration = ReturnType<typeof createExpiration>;

/** Expires pushes by hand. */
export function createExpiration(dependencies: PushDependencies & { spentNonces: SpentNonces }) {
  const { database, audit, outbox, grants, finder, spentNonces, pushRecipients, settings } = dependencies;
  const { transaction, dialect } = database;

  /**
   * Expires a push now; none of its views is given again. A second call changes nothing. Allowed for the owner, and for anybody if viewers may delete
   * the push. An API token that only creates may expire what it created, and nothing else.
   */
  async function expire(urlToken: string, caller: TokenlessCaller): Promise<Push>;
  async function expire(urlToken: string, caller: Caller): Promise<ListedPush>;
  async function expire(urlToken: string, caller: Caller): Promise<ListedPush> {
    const { account, client, token } = caller;
    const row = await finder.requireRow(urlToken, client);
    if (token?.scope === 'create' && !finder.isCreatedBy(row, caller)) requireScope(token.scope, 'full');
    const isOwned = isOwner(account, row);
    if (!isOwned && !row.deletableByViewer)
      throw new DomainError(account === null ? 'unauthenticated' : 'forbidden', 'notDeletableByViewers');
    await expireRow(row.push, isOwned ? 'burned' : 'deleted', client);
    const expired = await finder.requireRow(urlToken, client);
    const recipients = isOwned ? await pushRecipients.ofPush(row.id) : [];
    return shownTo(caller, finder.present(expired, urlToken, account, { recipients }));
  }

  /** Expires a push that the client may expire: `burned` by whoever created it, or `deleted` by a viewer. */
  async function expireRow(push: PushRow, event: 'burned' | 'deleted', client: ClientInfo): Promise<void> {
    const { id, fileCount, viewsUsed } = push;
    await transaction(async (tx) => {
      // A statement's clock stops when it starts. Wait for the lock first, or the end would be dated before the wait.
      await tx.select(`SELECT id FROM pushes WHERE id = $id ${dialect.forUpdate}`, { id });
      const expired = await tx.execute(
        `UPDATE pushes SET deleted = TRUE, ${erasure(dialect, settings)}
         WHERE id = $id AND ${isLive(dialect.now)}`,
        { id },
      );
      if (fileCount > 0) await grants.revoke(id, tx);
      if (expired === 0) return spentNonces.stopRepeats(id, tx);
      await audit.record(id, 'expire', client, tx);
      await outbox.write(event, push, viewsUsed, tx);
    });
  }

  return { expire, expireRow };
}

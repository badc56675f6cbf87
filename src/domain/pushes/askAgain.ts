import { isUrlToken } from '../../crypto/tokens.ts';
import { bitsFor } from '../outbox/index.ts';
import type { ClientInfo } from '../people/index.ts';
import type { PushDependencies } from './dependencies.ts';
import { pushNotFound } from './push.ts';
import { type PushRow, pushColumns, toPushRow } from './tables.ts';

/** Requests for a new link to an ended push, if its owner allows them and would receive the notice. */
export function createAskAgain({ database, limits, audit, outbox, finder }: PushDependencies) {
  const { select, transaction, dialect } = database;
  const askable = `id = $id AND (notify & ${bitsFor('asked_again')}) <> 0
    AND (expired_on IS NOT NULL OR expires_at <= ${dialect.now})
    AND EXISTS (SELECT 1 FROM recipients r WHERE r.account_id = pushes.account_id)`;
  const selectPush = `SELECT ${pushColumns(dialect.now)} FROM pushes WHERE ${askable} ${dialect.forUpdate}`;

  /** Whether the holder of a link may ask. Link previewers may not. */
  async function canAskAgain(urlToken: string, { isPreviewer }: ClientInfo): Promise<boolean> {
    if (!isUrlToken(urlToken) || isPreviewer()) return false;
    const row = await finder.maybeRow(urlToken);
    return (
      row !== undefined && (await select(`SELECT 1 FROM pushes WHERE ${askable}`, { id: row.id })).length > 0
    );
  }

  /**
   * Asks the sender for a new link. Only the first call has an effect. Throws `not_found` if asking is not allowed,
   * and `too_many` if the client asks too often.
   */
  async function askAgain(urlToken: string, client: ClientInfo): Promise<void> {
    await limits.consume('askAgain', { client });
    const { id } = await finder.requireRow(urlToken, client);
    await transaction(async (tx) => {
      const [row] = await tx.select<PushRow>(selectPush, { id });
      if (row === undefined) throw pushNotFound();
      if (await audit.has(row.id, 'asked_again', tx)) return;
      await audit.record(row.id, 'asked_again', client, tx);
      await outbox.write('asked_again', toPushRow(row), row.viewsUsed, tx);
    });
  }

  return { canAskAgain, askAgain };
}

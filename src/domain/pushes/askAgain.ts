import { urlTokenDigest } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Audit, Visit } from '../audit/audit.ts';
import type { Outbox } from '../notices/outbox.ts';
import { bitsFor } from '../notices/preferences.ts';
import { pushColumns, withBooleans } from './columns.ts';
import type { PushRow } from './push.ts';

type Parts = { database: Database; keyring: Keyring; audit: Audit; outbox: Outbox };

/** Asking for a push that is over: possible where its owner allows it and would hear of it. */
export function createAskAgain({ database, keyring, audit, outbox }: Parts) {
  const { rows, unitOfWork, dialect } = database;
  const isAskable = `token_digest = $digest AND (notify & ${bitsFor('asked_again')}) <> 0
    AND (expired_on IS NOT NULL OR expires_at <= ${dialect.now})
    AND EXISTS (SELECT 1 FROM recipients r WHERE r.account_id = pushes.account_id)`;

  /** Whether somebody who has the link may ask. */
  async function canAsk(urlToken: string): Promise<boolean> {
    const digest = urlTokenDigest(keyring, urlToken);
    return (await rows(`SELECT 1 FROM pushes WHERE ${isAskable}`, { digest })).length > 0;
  }

  /** Tells the owner that somebody asks, once for ever; says whether somebody may, whoever did first. */
  async function ask(urlToken: string, visit: Visit): Promise<boolean> {
    const digest = urlTokenDigest(keyring, urlToken);
    let isTold = false;
    const mayAsk = await unitOfWork(async (transaction) => {
      isTold = false;
      const [row] = await rows<PushRow>(
        `SELECT ${pushColumns(dialect.now)} FROM pushes WHERE ${isAskable} ${dialect.forUpdate}`,
        { digest },
        { transaction },
      );
      if (row === undefined) return false;
      const { id, viewsUsed } = row;
      if (await audit.has(id, 'asked_again', transaction)) return true;
      await audit.record(id, 'asked_again', visit, transaction);
      isTold = await outbox.write('asked_again', withBooleans(row), viewsUsed, transaction);
      return true;
    });
    if (isTold) outbox.announce();
    return mayAsk;
  }

  return { canAsk, ask };
}

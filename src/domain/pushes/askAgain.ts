import { urlTokenDigest } from '../../crypto/cipher.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Audit, ClientInfo } from '../audit/audit.ts';
import type { Outbox } from '../notices/outbox.ts';
import { bitsFor } from '../notices/preferences.ts';
import { pushColumns, withBooleans } from './columns.ts';
import type { PushRow } from './push.ts';

type Dependencies = { database: Database; keyring: Keyring; audit: Audit; outbox: Outbox };

/** Asking for a push that is over: possible where its owner allows it and would hear of it. */
export function createAskAgain({ database, keyring, audit, outbox }: Dependencies) {
  const { select, transaction, dialect } = database;
  const askable = `token_digest = $digest AND (notify & ${bitsFor('asked_again')}) <> 0
    AND (expired_on IS NOT NULL OR expires_at <= ${dialect.now})
    AND EXISTS (SELECT 1 FROM recipients r WHERE r.account_id = pushes.account_id)`;

  /** Whether somebody who has the link may ask. */
  async function canAsk(urlToken: string): Promise<boolean> {
    const digest = urlTokenDigest(keyring, urlToken);
    return (await select(`SELECT 1 FROM pushes WHERE ${askable}`, { digest })).length > 0;
  }

  /** Tells the owner that somebody asks, once for ever; says whether somebody may, whoever did first. */
  async function ask(urlToken: string, client: ClientInfo): Promise<boolean> {
    const digest = urlTokenDigest(keyring, urlToken);
    return transaction(async (tx) => {
      const [row] = await tx.select<PushRow>(
        `SELECT ${pushColumns(dialect.now)} FROM pushes WHERE ${askable} ${dialect.forUpdate}`,
        { digest },
      );
      if (row === undefined) return false;
      const { id, viewsUsed } = row;
      if (await audit.has(id, 'asked_again', tx)) return true;
      await audit.record(id, 'asked_again', client, tx);
      await outbox.write('asked_again', withBooleans(row), viewsUsed, tx);
      return true;
    });
  }

  return { canAsk, ask };
}

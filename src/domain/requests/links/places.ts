import { openLabel, seal } from '../../../crypto/cipher.ts';
import { newId } from '../../../crypto/ids.ts';
import { idempotencyDigest } from '../../../crypto/pepper.ts';
import type { Tx } from '../../../database/database.ts';
import { DomainError } from '../../../errors.ts';
import { decodePreferences, encodePreferences } from '../../outbox/index.ts';
import type { Account } from '../../people/index.ts';
import { type FoundLink, isOpenLink, linkNotFound, type RequestLinkDependencies } from './link.ts';
import { type SealedKey, sealAnswerKey } from './sealed.ts';

/** What whoever answers keeps. It opens nothing. */
export type Receipt = { receipt: string };

/** An answer that is stored: its receipt, and the name that came with it. */
type Sent = Receipt & { name: string | null; formId: string; sealed: SealedKey | null; digest: string };

/** The answer that a form sent before. `digest` tells whether it was the same; undefined for one that an earlier release stored. */
export type Earlier = Receipt & { digest: string | undefined };

type TakenPlace = { row: FoundLink; account: Account; pushId: Buffer; sent: Sent };

/** The places that a link has for answers. */
export function createAnswerPlaces({ database, keyring, outbox }: RequestLinkDependencies) {
  const { select, dialect } = database;

  const digestOf = ({ id }: FoundLink, formId: string) =>
    idempotencyDigest(keyring, `request link ${id.toString('hex')}`, formId);

  /** What a form sent before. */
  async function maybeSent(row: FoundLink, formId: string): Promise<Earlier | undefined> {
    const [sent] = await select<{ id: Buffer; label: Buffer }>(
      'SELECT id, label FROM request_answers WHERE sent_digest = $digest',
      { digest: digestOf(row, formId) },
    );
    if (sent === undefined) return undefined;
    const json = openLabel(keyring, sent.label, { id: sent.id, field: 'request_answer' });
    const [receipt, , digest] = JSON.parse(json) as [string, string | null, string | undefined];
    return { receipt, digest };
  }

  /** Takes a place, in the transaction that creates the push. The row of the link is locked from here on: one after the other. */
  async function take({ row, account, pushId, sent }: TakenPlace, tx: Tx): Promise<void> {
    const taken = await tx.execute(
      `UPDATE request_links SET answers_used = answers_used + 1
       WHERE id = $id AND ${isOpenLink(dialect.now)}`,
      { id: row.id },
    );
    if (taken !== 1) throw linkNotFound();
    const id = newId();
    const into = `INTO request_answers (id, link_id, push_id, sent_digest, label, sealed_key, created_at)
      VALUES ($id, $linkId, $pushId, $sentDigest, $label, $sealedKey, ${dialect.now})`;
    const added = await tx.execute(dialect.insertIgnore('sent_digest', into), {
      ...{ id, linkId: row.id, pushId, sentDigest: digestOf(row, sent.formId) },
      label: seal(keyring, JSON.stringify([sent.receipt, sent.name, sent.digest]), {
        id,
        field: 'request_answer',
      }),
      sealedKey: sealAnswerKey(keyring, id, sent.sealed),
    });
    if (added !== 1) throw new DomainError('conflict', 'alreadyDone');
    const notify = encodePreferences({ ...decodePreferences(account.notify), reminder: true });
    await outbox.write('answered', { id: pushId, accountId: account.id, notify }, 0, tx);
  }

  return { maybeSent, take };
}

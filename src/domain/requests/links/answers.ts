import { maybeOpenLabel } from '../../../crypto/cipher.ts';
import type { Database } from '../../../database/database.ts';
import { type Account, type ListCaller, seesLinks, textFor } from '../../people/index.ts';
import { openPushLabel, type Push } from '../../pushes/index.ts';
import type { RequestLinkDependencies } from './link.ts';
import { openAnswerKey, type SealedKey } from './sealed.ts';

/** An answer as the owner of its link sees it. It is a push of theirs. */
export type RequestAnswer = {
  /** The code that whoever answered has, too. */
  receipt: string | null;
  /** Who they say they are. */
  name: string | null;
  /** Opens the push. Null for a caller who may not see links. */
  urlToken: string | null;
  /** If it was sealed before it was sent: its id, and its key, which only whoever asked can open. */
  sealed: SealedKey | null;
  /** Whether it still waits to be opened. */
  isWaiting: boolean;
  createdAt: number;
  expiresAt: number;
};

/** Reads the answers to a link that the caller may see. */
export function createAnswerReader({ database, keyring }: RequestLinkDependencies) {
  const { select, dialect } = database;
  const tokenOf = (id: Buffer, label: Buffer) => openPushLabel(keyring, { id, label }).urlToken;

  return async function readAnswers(caller: ListCaller, linkId: string): Promise<RequestAnswer[]> {
    const found = await select<AnswerRow>(
      `SELECT a.id, a.label, a.sealed_key AS sealedKey, a.created_at AS createdAt,
         p.id AS pushId, p.label AS pushLabel, p.expires_at AS expiresAt, p.expired_on IS NULL AND p.expires_at > ${dialect.now} AS isWaiting
       FROM request_answers a JOIN pushes p ON p.id = a.push_id WHERE a.link_id = $linkId ORDER BY a.created_at, a.id`,
      { linkId: Buffer.from(linkId, 'hex') },
    );
    return found.map(({ id, label, pushId, pushLabel, sealedKey, createdAt, expiresAt, isWaiting }) => {
      const json = maybeOpenLabel(keyring, label, { id, field: 'request_answer' });
      const [receipt, name] =
        json === undefined ? [null, null] : (JSON.parse(json) as [string, string | null]);
      const urlToken = seesLinks(caller) && json !== undefined ? tokenOf(pushId, pushLabel) : null;
      return {
        receipt,
        name: textFor(caller, name),
        urlToken,
        sealed: openAnswerKey(keyring, id, sealedKey),
        isWaiting: Number(isWaiting) === 1,
        createdAt,
        expiresAt,
      };
    });
  };
}

/** Reads the id of the link that a push of an account answers; undefined if it answers none. */
export const createAnsweredReader =
  ({ select }: Pick<Database, 'select'>) =>
  async ({ id: accountId }: Account, { id }: Pick<Push, 'id'>): Promise<string | undefined> => {
    const [row] = await select<{ linkId: Buffer }>(
      `SELECT l.id AS linkId FROM request_answers a JOIN request_links l ON l.id = a.link_id
       WHERE a.push_id = $pushId AND l.account_id = $accountId`,
      { pushId: Buffer.from(id, 'hex'), accountId },
    );
    return row?.linkId.toString('hex');
  };

type AnswerRow = {
  id: Buffer;
  label: Buffer;
  sealedKey: Buffer | null;
  createdAt: number;
  pushId: Buffer;
  pushLabel: Buffer;
  expiresAt: number;
  isWaiting: number;
};

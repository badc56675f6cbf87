import type { Database, Tx } from '../../database/database.ts';
import type { Outbox } from '../outbox/index.ts';
import { accountNameOf, type ChatUser, toRecipient } from '../people/index.ts';
import type { createRequestFinder } from './find.ts';
import { openCondition, requestNotFound, type SecretRequest } from './request.ts';
import type { RequestState } from './tables.ts';

type Dependencies = {
  database: Database;
  outbox: Outbox;
  finder: Pick<ReturnType<typeof createRequestFinder>, 'find' | 'ofGroup'>;
};

const isSame = (one: ChatUser, other: ChatUser) => accountNameOf(one) === accountNameOf(other);

/** Ends requests. A request is provided, declined or cancelled once. */
export function createRequestEnding({ database, outbox, finder }: Dependencies) {
  const isOpen = openCondition(database);

  /** By the provider. The requester is notified. */
  const decline = (id: string, provider: ChatUser) => end(id, provider, 'declined');

  /** By the requester. The provider is notified. */
  const cancel = (id: string, requester: ChatUser) => end(id, requester, 'cancelled');

  async function end(
    id: string,
    chatUser: ChatUser,
    state: 'declined' | 'cancelled',
  ): Promise<SecretRequest> {
    const request = await finder.find(id);
    const { requester, provider } = request;
    const [actor, other] = state === 'declined' ? [provider, requester] : [requester, provider];
    if (!isSame(actor, chatUser)) throw requestNotFound();
    await database.transaction(async (tx) => {
      await close(id, state, tx);
      await outbox.send(state, Buffer.from(id, 'hex'), [toRecipient(other)], tx);
    });
    return { ...request, state };
  }

  /** By the requester: all that are open of those sent together. Their providers are notified. */
  async function cancelAll(groupId: string, requester: ChatUser): Promise<SecretRequest[]> {
    const requests = (await finder.ofGroup(groupId)).filter((request) =>
      isSame(request.requester, requester),
    );
    return database.transaction(async (tx) => {
      const ended: SecretRequest[] = [];
      for (const request of requests) {
        if ((await endOpen(request.id, 'cancelled', tx)) !== 1) continue;
        await outbox.send('cancelled', Buffer.from(request.id, 'hex'), [toRecipient(request.provider)], tx);
        ended.push({ ...request, state: 'cancelled' });
      }
      if (ended.length === 0) throw requestNotFound();
      return ended;
    });
  }

  /** For a request that no message can bring to its provider. The requester is notified, once. */
  async function endUndelivered(id: string): Promise<void> {
    const { requester } = await finder.find(id);
    await database.transaction(async (tx) => {
      if ((await endOpen(id, 'undelivered', tx)) === 1)
        await outbox.send('undelivered', Buffer.from(id, 'hex'), [toRecipient(requester)], tx);
    });
  }

  /** Throws `not_found` if the request is no longer open. */
  async function close(id: string, state: Exclude<RequestState, 'open'>, tx: Tx): Promise<void> {
    if ((await endOpen(id, state, tx)) !== 1) throw requestNotFound();
  }

  /** Returns how many requests it ended. */
  const endOpen = (id: string, state: Exclude<RequestState, 'open'>, tx: Tx): Promise<number> =>
    tx.execute(`UPDATE requests SET state = $state, due_at = NULL WHERE id = $id AND ${isOpen}`, {
      id: Buffer.from(id, 'hex'),
      state,
    });

  /** For a request whose push was withdrawn. */
  async function reopen(id: string, tx: Tx): Promise<void> {
    await tx.execute(
      "UPDATE requests SET state = 'open', due_at = expires_at WHERE id = $id AND state = 'provided'",
      { id: Buffer.from(id, 'hex') },
    );
  }

  return { decline, cancel, cancelAll, endUndelivered, close, reopen };
}

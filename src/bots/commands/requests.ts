import type { ChatCaller, ChatUser, Domain } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cardsOf } from '../language.ts';

/** Commands about requests for a secret. */
export const createRequestCommands = (chat: Domain['chat']) => ({
  async request(caller: ChatCaller, provider: ChatUser, reason: string | null): Promise<Card> {
    await chat.admit(caller);
    const { chatUser, workspace } = caller;
    const request = await chat.requests.create(chatUser, provider, { reason }, workspace);
    return cardsOf(caller).requestSent(request);
  },

  /** For the provider of a request. */
  async decline(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).requestEnded.declined(await chat.requests.decline(requestId, caller.chatUser));
  },

  /** For the requester. */
  async cancel(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).requestEnded.cancelled(await chat.requests.cancel(requestId, caller.chatUser));
  },

  /** An open request of the caller's. */
  async showRequest(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    const request = (await chat.requests.list(caller.chatUser)).find(({ id }) => id === requestId);
    return request === undefined ? cardsOf(caller).notFound : cardsOf(caller).pendingRequest(request);
  },
});

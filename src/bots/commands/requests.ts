import { bindingWorkspace, type ChatCaller, type Domain } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cardsOf } from '../language.ts';

/** What every recipient is asked for, and for how long. */
export type RequestInput = { reason?: string | null | undefined; dueInMinutes?: number | undefined };

/** Commands about requests for a secret. */
export const createRequestCommands = (chat: Domain['chat']) => ({
  /** Asks people by their addresses in the caller's chat: all, or none. */
  async request(caller: ChatCaller, providers: string[], input: RequestInput): Promise<Card> {
    await chat.admit(caller);
    const { chatUser } = caller;
    const { platform } = chatUser;
    const asked = providers.map((address) => ({ platform, address }));
    return cardsOf(caller).requestsSent(
      await chat.requests.create(chatUser, asked, input, bindingWorkspace(caller)),
    );
  },

  /** For the provider of a request. */
  async decline(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).requestEnded.declined(await chat.requests.decline(requestId, caller.chatUser));
  },

  /** For the requester. */
  async cancel(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).requestEnded.cancelled([await chat.requests.cancel(requestId, caller.chatUser)]);
  },

  /** For the requester: all that are open of those sent together. */
  async cancelAll(caller: ChatCaller, groupId: string): Promise<Card> {
    await chat.admit(caller);
    return cardsOf(caller).requestEnded.cancelled(await chat.requests.cancelAll(groupId, caller.chatUser));
  },

  /** An open request of the caller's. */
  async showRequest(caller: ChatCaller, requestId: string): Promise<Card> {
    await chat.admit(caller);
    const request = (await chat.requests.list(caller.chatUser)).find(({ id }) => id === requestId);
    return request === undefined ? cardsOf(caller).notFound : cardsOf(caller).pendingRequest(request);
  },
});

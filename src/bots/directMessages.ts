import type { ChatMessage, ChatUser, Domain } from '../domain/index.ts';
import type { Card } from './card.ts';
import type { Cards } from './cards/cards.ts';
import type { ExplainFailure } from './failure.ts';

/** The direct messages with one person. A `key` is the same for every attempt at one message. */
export type DirectMessages = {
  /** The language tag of the person, if it is known. */
  locale: string | undefined;
  send(card: Card, key: string, below?: ChatMessage): Promise<ChatMessage>;
  edit(message: ChatMessage, card: Card): Promise<unknown>;
  /** Called with the error of a failed call. */
  onError?(error: unknown): Promise<void>;
};

/** How a chat opens direct messages, and what its errors mean. */
export type ChatTransport = {
  /** Undefined where the app is no longer installed. */
  maybeOpen(address: string): Promise<DirectMessages | undefined>;
  explain: ExplainFailure;
};

/** A chat user, with cards in their language. */
export type Addressee = { directMessages: DirectMessages; chatUser: ChatUser; cards: Cards };

type Dependencies = { chat: Pick<Domain['chat'], 'messages' | 'identities'>; transport: ChatTransport };

export type MessageThreads = ReturnType<typeof createMessageThreads>;

/** Keeps one message per person about a push or a request (`about` is its id), so that it can be edited later. */
export function createMessageThreads({ chat, transport }: Dependencies) {
  /** Sends a new message, and marks its reader as reachable. */
  async function post(
    { directMessages, chatUser }: Addressee,
    about: string,
    card: Card,
    key: string,
  ): Promise<ChatMessage> {
    const sent = await directMessages.send(card, key);
    await Promise.all([
      chat.messages.save(about, chatUser, sent),
      chat.identities.setReachable(chatUser, true),
    ]);
    return sent;
  }

  /**
   * Sends a new message, so that its reader is notified, in the place of the one that they have. Of that, `earlier` is what
   * stays. Its buttons still work where it cannot be edited.
   */
  async function repost(
    addressee: Addressee,
    about: string,
    { card, earlier }: { card: Card; earlier: Card },
    key: string,
  ): Promise<void> {
    const known = await chat.messages.maybeFind(about, addressee.chatUser);
    await post(addressee, about, card, key);
    if (known !== undefined)
      await maybeEdit(addressee, known, { ...earlier, buttons: [] }).catch(() => undefined);
  }

  /** Edits the existing message, or sends a new one. Returns its location. */
  async function show(addressee: Addressee, about: string, card: Card, key: string): Promise<ChatMessage> {
    const known = await chat.messages.maybeFind(about, addressee.chatUser);
    return (known && (await maybeEdit(addressee, known, card))) ?? post(addressee, about, card, key);
  }

  /** Edits the existing message, if it still exists. */
  async function editIfPresent(addressee: Addressee, about: string, card: Card): Promise<void> {
    const known = await chat.messages.maybeFind(about, addressee.chatUser);
    if (known !== undefined) await maybeEdit(addressee, known, card);
  }

  /** Returns the message that was edited; undefined where it no longer exists. */
  async function maybeEdit(
    { directMessages }: Addressee,
    { channel, message }: ChatMessage,
    card: Card,
  ): Promise<ChatMessage | undefined> {
    try {
      await directMessages.edit({ channel, message }, card);
      return { channel, message };
    } catch (error) {
      if (!transport.explain(error)?.isLost) throw error;
      return undefined;
    }
  }

  const hasMessage = async ({ chatUser }: Addressee, about: string): Promise<boolean> =>
    (await chat.messages.maybeFind(about, chatUser)) !== undefined;

  return { post, repost, show, editIfPresent, maybeEdit, hasMessage };
}

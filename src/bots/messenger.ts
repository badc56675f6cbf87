import type {
  ChatMessage,
  ChatUser,
  Delivery,
  Domain,
  Messenger,
  Notice,
  Platform,
  PushNotice,
  RequestNotice,
} from '../domain/index.ts';
import { type Card, textCard } from './card.ts';
import { cards } from './cards/cards.ts';

/** Somebody whom a chat lets us write to directly. A `key` is the same for every attempt at one message. */
export type DirectMessages = {
  send(card: Card, key: string): Promise<ChatMessage>;
  edit(message: ChatMessage, card: Card): Promise<void>;
  /** Says something below a message. */
  reply(message: ChatMessage, card: Card, key: string): Promise<void>;
  /** Told what became of a call to them. */
  onError?(error: unknown): Promise<void>;
};

/** How a chat takes messages to people, and what its errors mean. */
type ChatTransport = {
  /** Undefined where the app is not installed any more. */
  maybeOpen(address: string): Promise<DirectMessages | undefined>;
  /** Whether a message that was to be edited is not there any more. */
  isLost(error: unknown): boolean;
  /** Whether no message will ever reach this person. */
  isUnreachable(error: unknown): boolean;
  /** What a failed call means for the notice that it was made for. */
  toDelivery(error: unknown): Delivery;
};

type Dependencies = {
  platform: Platform;
  /** As people call it. */
  name: string;
  domain: Pick<Domain, 'pushes' | 'chat'>;
  linkTo: (urlToken: string) => string;
  transport: ChatTransport;
};

type Addressee = { directMessages: DirectMessages; chatUser: ChatUser };

/**
 * Brings notices to people in a chat, as direct cards. Whoever made a push has one message about it, edited in place,
 * with a line below for everything that happened. Somebody whom no message reaches is marked, until one does.
 */
export function createChatMessenger({ platform, name, domain, linkTo, transport }: Dependencies): Messenger {
  const { pushes, chat } = domain;
  const anonymous = { account: null, client: { ip: '', userAgent: name, referrer: '', isPreviewer: false } };

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    const chatUser = { platform, address };
    const directMessages = await transport.maybeOpen(address);
    if (directMessages === undefined)
      return { outcome: 'never', reason: `${name} has not installed us there` };
    try {
      await notify({ directMessages, chatUser }, notice);
      return { outcome: 'sent' };
    } catch (error) {
      await directMessages.onError?.(error);
      if (transport.isUnreachable(error)) {
        await chat.identities.setReachable(chatUser, false);
        if (notice.event === 'shared') await notifyOwnerOfUnreachable(notice, address);
      }
      return transport.toDelivery(error);
    }
  }

  function notify(addressee: Addressee, notice: Notice): Promise<void> {
    if ('request' in notice) return notifyOfRequest(addressee, notice);
    if (notice.event === 'shared') return deliverPush(addressee, notice);
    return notifyOwner(addressee, notice);
  }

  /** An attempt that may have reached them, though we did not hear so, is not repeated where we know that it did. */
  async function deliverPush(addressee: Addressee, { id, push, attempt }: PushNotice): Promise<void> {
    if (attempt > 1 && (await chat.messages.maybeFind(push.id, addressee.chatUser)) !== undefined) return;
    const [sender] = await chat.identities.ownersOf(push.id, platform);
    const state = await pushes.preview(push.urlToken, anonymous);
    const card = cards.received(sender?.address, state, linkTo(push.urlToken));
    await post(addressee, push.id, card, id);
  }

  async function notifyOwner(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { push, event } = notice;
    const isNew =
      event !== 'burned' || (await chat.messages.maybeFind(push.id, addressee.chatUser)) !== undefined;
    if (!isNew) return; // they did it themselves
    const at = await showStatus(addressee, notice);
    if (event === 'composed') return;
    const buttons =
      event === 'about_to_expire'
        ? cards.buttons.reminder(push.id)
        : event === 'asked_again'
          ? [cards.buttons.newPush(push.id)]
          : [];
    const card = { ...textCard(cards.eventLine(notice)), buttons };
    await addressee.directMessages.reply(at, card, `${notice.id} line`);
  }

  async function notifyOwnerOfUnreachable(notice: PushNotice, address: string): Promise<void> {
    const link = linkTo(notice.push.urlToken);
    for (const chatUser of await chat.identities.ownersOf(notice.push.id, platform)) {
      const directMessages = await transport.maybeOpen(chatUser.address);
      if (directMessages === undefined) continue;
      try {
        const at = await showStatus({ directMessages, chatUser }, notice);
        const card = cards.unreachable(address, notice.push, link);
        await directMessages.reply(at, card, `${notice.id} unreachable`);
      } catch (error) {
        if (!transport.isUnreachable(error)) throw error;
        await chat.identities.setReachable(chatUser, false);
      }
    }
  }

  async function notifyOfRequest(
    addressee: Addressee,
    { id, event, request, attempt }: RequestNotice,
  ): Promise<void> {
    const { requestEnded } = cards;
    if (event === 'declined') await post(addressee, request.id, requestEnded.wasDeclined(request), id);
    else if (event === 'cancelled') await show(addressee, request.id, requestEnded.wasCancelled(request), id);
    else if (attempt === 1 || (await chat.messages.maybeFind(request.id, addressee.chatUser)) === undefined)
      await post(addressee, request.id, cards.requested(request), id);
  }

  /** Shows an owner how a push stands now. */
  async function showStatus(addressee: Addressee, { id, push }: PushNotice): Promise<ChatMessage> {
    const state = await pushes.preview(push.urlToken, anonymous);
    return show(
      addressee,
      push.id,
      cards.pushStatus({ ...state, name: push.name }, linkTo(push.urlToken)),
      id,
    );
  }

  /** Edits the one message that somebody has about something, or sends it; gives where it stands. */
  async function show(addressee: Addressee, about: string, card: Card, key: string): Promise<ChatMessage> {
    const known = await chat.messages.maybeFind(about, addressee.chatUser);
    if (known === undefined) return post(addressee, about, card, key);
    try {
      await addressee.directMessages.edit(known, card);
      return known;
    } catch (error) {
      if (!transport.isLost(error)) throw error;
      return post(addressee, about, card, key);
    }
  }

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

  return { deliver };
}

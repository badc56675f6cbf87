import type {
  ChatMessage,
  Delivery,
  Domain,
  LinkNotice,
  Messenger,
  Notice,
  Platform,
  PushNotice,
  RequestNotice,
} from '../domain/index.ts';
import { type Button, textCard } from './card.ts';
import { cards } from './cards/cards.ts';
import { type Addressee, type ChatTransport, createMessageThreads } from './directMessages.ts';

type Dependencies = {
  platform: Platform;
  /** The name of the chat, for people. */
  name: string;
  domain: Pick<Domain, 'pushes' | 'chat'>;
  linkTo: (urlToken: string) => string;
  transport: ChatTransport;
};

/**
 * Delivers notices as direct messages. The owner of a push has one message about it, edited in place, with a line below it
 * for each event. People whom no message reaches are marked until one does.
 */
export function createChatMessenger({ platform, name, domain, linkTo, transport }: Dependencies): Messenger {
  const { pushes, chat } = domain;
  const { post, show, hasMessage } = createMessageThreads({ chat, transport });
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
    if ('link' in notice) return notifyOfLink(addressee, notice);
    if (notice.event === 'shared') return deliverPush(addressee, notice);
    return notifyOwner(addressee, notice);
  }

  /** A retry sends nothing when an earlier attempt arrived and only its response was lost. */
  async function deliverPush(addressee: Addressee, { id, push, attempt }: PushNotice): Promise<void> {
    if (attempt > 1 && (await hasMessage(addressee, push.id))) return;
    const [sender] = await chat.identities.ownersOf(push.id, platform);
    const state = await pushes.preview(push.urlToken, anonymous);
    await post(addressee, push.id, cards.received(sender?.address, state, linkTo(push.urlToken)), id);
  }

  async function notifyOwner(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { id, push, event } = notice;
    if (event === 'burned' && !(await hasMessage(addressee, push.id))) return; // they did it themselves
    const message = await showStatus(addressee, notice);
    if (event === 'composed') return;
    const card = { ...textCard(cards.eventLine(notice)), buttons: buttonsFor(notice) };
    await addressee.directMessages.reply(message, card, `${id} line`);
  }

  function buttonsFor({ event, push }: PushNotice): Button[] {
    if (event === 'about_to_expire') return cards.buttons.reminder(push.id);
    return event === 'asked_again' ? [cards.buttons.newPush(push.id)] : [];
  }

  /** Gives every owner of a push a sentence to hand over by another way. */
  async function notifyOwnerOfUnreachable(notice: PushNotice, address: string): Promise<void> {
    const link = linkTo(notice.push.urlToken);
    for (const chatUser of await chat.identities.ownersOf(notice.push.id, platform)) {
      const directMessages = await transport.maybeOpen(chatUser.address);
      if (directMessages === undefined) continue;
      try {
        const message = await showStatus({ directMessages, chatUser }, notice);
        const card = cards.unreachable(address, notice.push, link);
        await directMessages.reply(message, card, `${notice.id} unreachable`);
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
    const { requestEnded, requested } = cards;
    if (event === 'declined') await post(addressee, request.id, requestEnded.wasDeclined(request), id);
    else if (event === 'cancelled') await show(addressee, request.id, requestEnded.wasCancelled(request), id);
    else if (attempt === 1 || !(await hasMessage(addressee, request.id)))
      await post(addressee, request.id, requested(request), id);
  }

  async function notifyOfLink(addressee: Addressee, { id, event, link, attempt }: LinkNotice): Promise<void> {
    if (attempt > 1 && (await hasMessage(addressee, link.id))) return;
    const card = event === 'linked' ? cards.linked(link) : cards.linkRequested(link);
    await post(addressee, link.id, card, id);
  }

  /** Shows an owner the push as it is now. */
  async function showStatus(addressee: Addressee, { id, push }: PushNotice): Promise<ChatMessage> {
    const state = await pushes.preview(push.urlToken, anonymous);
    const card = cards.pushStatus({ ...state, name: push.name }, linkTo(push.urlToken));
    return show(addressee, push.id, card, id);
  }

  return { deliver };
}

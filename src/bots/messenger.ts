import {
  type AccountNotice,
  chatClientOf,
  type Delivery,
  type Domain,
  isAccountEvent,
  type LinkNotice,
  type MailNotice,
  type Messenger,
  type Notice,
  type Platform,
  type PushNotice,
  type TestNotice,
} from '../domain/index.ts';
import { platforms } from '../platforms.ts';
import { type Addressee, type ChatTransport, createMessageThreads } from './directMessages.ts';
import { toDelivery } from './failure.ts';
import { cardsOf } from './language.ts';
import { createOwnerNotices } from './notices/owner.ts';
import { createRecipientNotices } from './notices/recipient.ts';
import { createRequestNotices } from './notices/requests.ts';

type Dependencies = {
  platform: Platform;
  domain: Pick<Domain, 'pushes' | 'chat'>;
  linkTo: (urlToken: string) => string;
  transport: ChatTransport;
};

/** What chats get notices of. */
type ChatNotice = Exclude<Notice, TestNotice | MailNotice>;

/** Delivers notices as direct messages. People that no message reaches are marked until one does. */
export function createChatMessenger({ platform, domain, linkTo, transport }: Dependencies): Messenger {
  const { pushes, chat } = domain;
  const { name } = platforms[platform];
  const { identities, requests } = chat;
  const threads = createMessageThreads({ chat, transport });
  const anonymous = { account: null, client: chatClientOf({ platform }) };
  const preview = (urlToken: string) => pushes.preview(urlToken, anonymous);
  const owner = createOwnerNotices({ domain, threads, preview, linkTo });
  const recipient = createRecipientNotices({ platform, pushes, identities, threads, preview, linkTo });
  const deliverRequest = createRequestNotices(threads);

  async function deliver(address: string, notice: Notice): Promise<Delivery> {
    if (notice.event === 'test') return { outcome: 'never', reason: 'tests are for webhooks' };
    if ('mail' in notice || 'change' in notice || 'requestLink' in notice)
      return { outcome: 'never', reason: 'only sent by mail' };
    const addressee = await maybeAddressee(address, notice);
    if (addressee === undefined) return { outcome: 'never', reason: `${name} has not installed us there` };
    try {
      await notify(addressee, notice);
      return { outcome: 'sent' };
    } catch (error) {
      await addressee.directMessages.onError?.(error);
      const failure = transport.explain(error);
      if (failure?.isUnreachable) await onUnreachable(address, notice);
      return toDelivery(name, failure);
    }
  }

  /** Undefined where the app is not installed. */
  async function maybeAddressee(address: string, notice: ChatNotice): Promise<Addressee | undefined> {
    const directMessages = await transport.maybeOpen(address);
    if (directMessages === undefined) return undefined;
    const locale = directMessages.locale ?? (await maybeLocaleOfSender(notice));
    return { directMessages, chatUser: { platform, address }, cards: cardsOf({ locale }) };
  }

  /** A recipient whose language is unknown gets messages in the sender's language. */
  async function maybeLocaleOfSender(notice: ChatNotice): Promise<string | undefined> {
    if ('link' in notice || isAccountNotice(notice)) return undefined;
    const [sender] =
      'push' in notice ? await identities.ownersOf(notice.push.id, platform) : [notice.request.requester];
    return sender && identities.maybeLocale(sender);
  }

  function notify(addressee: Addressee, notice: ChatNotice): Promise<void> {
    if ('request' in notice) return deliverRequest(addressee, notice);
    if ('link' in notice) return deliverLinkRequest(addressee, notice);
    if (isAccountNotice(notice)) return deliverToAccount(addressee, notice);
    switch (notice.event) {
      case 'shared':
        return recipient.deliverLink(addressee, notice);
      case 'reminded':
        return recipient.deliverReminder(addressee, notice);
      case 'opened':
      case 'ended':
      case 'withdrawn':
        return recipient.deliverEnd(addressee, notice);
      default:
        return owner.deliver(addressee, notice);
    }
  }

  /** Notifies senders and requesters that messages do not reach a recipient. */
  async function onUnreachable(address: string, notice: ChatNotice): Promise<void> {
    await identities.setReachable({ platform, address }, false);
    if (notice.event === 'shared' || notice.event === 'reminded') await notifyOwners(notice, address);
    if (notice.event === 'requested' || notice.event === 'request_reminder')
      await requests.endUndelivered(notice.request.id);
  }

  async function notifyOwners(notice: PushNotice, address: string): Promise<void> {
    for (const chatUser of await identities.ownersOf(notice.push.id, platform)) {
      const addressee = await maybeAddressee(chatUser.address, notice);
      if (addressee === undefined) continue;
      try {
        await owner.reportUnreachable(addressee, notice, address);
      } catch (error) {
        if (!transport.explain(error)?.isUnreachable) throw error;
        await identities.setReachable(chatUser, false);
      }
    }
  }

  async function deliverLinkRequest(addressee: Addressee, notice: LinkNotice): Promise<void> {
    const { id, event, link, attempt } = notice;
    if (attempt > 1 && (await threads.hasMessage(addressee, link.id))) return;
    const { cards } = addressee;
    const card = event === 'linked' ? cards.linked(link) : cards.linkRequested(link);
    await threads.post(addressee, link.id, card, id);
  }

  async function deliverToAccount(
    { directMessages, chatUser, cards }: Addressee,
    notice: AccountNotice,
  ): Promise<void> {
    const card =
      notice.event === 'new_browser'
        ? cards.newBrowser(notice.signIn, chatUser)
        : cards.accountAct(notice.act, chatUser);
    await directMessages.send(card, notice.id);
  }

  return { deliver };
}

const isAccountNotice = (notice: ChatNotice): notice is AccountNotice => isAccountEvent(notice.event);

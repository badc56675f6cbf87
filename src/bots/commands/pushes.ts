import type { ChatCaller, Domain, Push } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import type { PushWithRecipients } from '../cards/push.ts';
import { cardsOf } from '../language.ts';

type Dependencies = { domain: Pick<Domain, 'chat' | 'pushes'>; linkTo: (urlToken: string) => string };

const auditListMax = 15;

/** Commands about one push of the caller's, by its id. */
export function createPushCommands({ domain: { chat, pushes }, linkTo }: Dependencies) {
  const withRecipients = async (push: Push): Promise<PushWithRecipients> => ({
    ...push,
    recipients: (await pushes.recipientsOf([push.id])).get(push.id) ?? [],
  });

  async function show(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.preview(await pushes.requireUrlToken(admitted.account, pushId), admitted);
    return cardsOf(caller).pushStatus(await withRecipients(push), linkTo(push.urlToken));
  }

  async function expire(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.expire(await pushes.requireUrlToken(admitted.account, pushId), admitted);
    return cardsOf(caller).pushStatus(await withRecipients(push), linkTo(push.urlToken));
  }

  async function extend(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const urlToken = await pushes.requireUrlToken(admitted.account, pushId);
    const { extendedMs, ...push } = await pushes.extend(urlToken, admitted);
    return cardsOf(caller).extended(await withRecipients(push), linkTo(push.urlToken), extendedMs);
  }

  async function audit(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const urlToken = await pushes.requireUrlToken(admitted.account, pushId);
    const [push, { rows, earlier }] = await Promise.all([
      pushes.preview(urlToken, admitted),
      pushes.recentAuditLog(urlToken, auditListMax, admitted),
    ]);
    return cardsOf(caller).audit(await withRecipients(push), rows, earlier);
  }

  /** Sends the link of a push to more people. */
  async function share(caller: ChatCaller, pushId: string, recipients: string[]): Promise<Card> {
    const { account } = await chat.admit(caller);
    const { platform } = caller.chatUser;
    const people = recipients.map((address) => ({ platform, address }));
    await chat.access.requireMaySend(caller, people);
    await pushes.share(account, pushId, people);
    return cardsOf(caller).shared(recipients);
  }

  /** A card for all members of a channel, by its address. */
  async function shareInChannel(caller: ChatCaller, pushId: string, address: string): Promise<Card> {
    const { platform, address: sender } = caller.chatUser;
    const push = await pushes.shareInChannel(await chat.admit(caller), pushId, { platform, address });
    return cardsOf(caller).sharedInChannel(sender, push);
  }

  /** A link for a bound recipient, or for a member of a channel where the push was shared. Everybody else is refused. */
  async function openBound(caller: ChatCaller, pushId: string, channel?: string): Promise<Card> {
    await chat.admit(caller);
    await chat.access.requireMayOpen(caller);
    return cardsOf(caller).boundLink(linkTo(await pushes.openBound(pushId, caller.chatUser, channel)));
  }

  return { show, expire, extend, audit, share, shareInChannel, openBound };
}

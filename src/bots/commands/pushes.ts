import type { ChatCaller, Domain } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cards } from '../cards/cards.ts';

type Dependencies = { domain: Pick<Domain, 'chat' | 'pushes'>; linkTo: (urlToken: string) => string };

const auditListMax = 15;

/** Commands about one push of the caller's, by its id. */
export function createPushCommands({ domain: { chat, pushes }, linkTo }: Dependencies) {
  async function show(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.preview(await pushes.requireUrlToken(admitted.account, pushId), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  async function expire(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.expire(await pushes.requireUrlToken(admitted.account, pushId), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  async function extend(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const push = await pushes.extend(await pushes.requireUrlToken(admitted.account, pushId), admitted);
    return cards.pushStatus(push, linkTo(push.urlToken));
  }

  async function audit(caller: ChatCaller, pushId: string): Promise<Card> {
    const admitted = await chat.admit(caller);
    const urlToken = await pushes.requireUrlToken(admitted.account, pushId);
    const [push, { rows, earlier }] = await Promise.all([
      pushes.preview(urlToken, admitted),
      pushes.recentAuditLog(urlToken, auditListMax, admitted),
    ]);
    return cards.audit(push, rows, earlier);
  }

  /** Sends the link of a push to more people. */
  async function share(caller: ChatCaller, pushId: string, recipients: string[]): Promise<Card> {
    const { account } = await chat.admit(caller);
    const messenger = caller.chatUser.platform;
    await pushes.share(
      account,
      pushId,
      recipients.map((address) => ({ messenger, address })),
    );
    return cards.shared(recipients);
  }

  return { show, expire, extend, audit, share };
}

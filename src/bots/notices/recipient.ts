import type { Domain, Platform, PushNotice } from '../../domain/index.ts';
import type { Addressee, MessageThreads } from '../directMessages.ts';

type Dependencies = {
  platform: Platform;
  identities: Pick<Domain['chat']['identities'], 'ownersOf'>;
  threads: MessageThreads;
  preview: (urlToken: string) => ReturnType<Domain['pushes']['preview']>;
  linkTo: (urlToken: string) => string;
};

/** The one message of a recipient about a push. */
export function createRecipientNotices({ platform, identities, threads, preview, linkTo }: Dependencies) {
  /** Sends the link. A retry sends nothing when an earlier attempt arrived and only its response was lost. */
  async function deliverLink(addressee: Addressee, { id, push, attempt }: PushNotice): Promise<void> {
    if (attempt > 1 && (await threads.hasMessage(addressee, push.id))) return;
    const [sender] = await identities.ownersOf(push.id, platform);
    const state = await preview(push.urlToken);
    if (state.expiredOn !== null) return; // it ended before it could be sent
    const card = addressee.cards.received(sender?.address, state, linkTo(push.urlToken));
    await threads.post(addressee, push.id, card, id);
  }

  /** Says in the message that its link no longer works. */
  async function deliverEnd(addressee: Addressee, { push, event }: PushNotice): Promise<void> {
    const owners = await identities.ownersOf(push.id, platform);
    if (owners.some(({ address }) => address === addressee.chatUser.address)) return; // sent to themselves
    const state = await preview(push.urlToken);
    const isWithdrawn = event === 'withdrawn';
    const card = addressee.cards.receivedEnd(owners[0]?.address, state, { isWithdrawn });
    await threads.editIfPresent(addressee, push.id, card);
  }

  return { deliverLink, deliverEnd };
}

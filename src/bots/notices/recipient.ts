import type { Domain, Platform, Push, PushNotice, PushRecipient } from '../../domain/index.ts';
import type { Access } from '../cards/received.ts';
import type { Addressee, MessageThreads } from '../directMessages.ts';

type Dependencies = {
  platform: Platform;
  pushes: Pick<Domain['pushes'], 'recipientsOf'>;
  identities: Pick<Domain['chat']['identities'], 'ownersOf'>;
  threads: MessageThreads;
  preview: (urlToken: string) => Promise<Push>;
  linkTo: (urlToken: string) => string;
};

/** The one message of a recipient about a push. */
export function createRecipientNotices(dependencies: Dependencies) {
  const { platform, pushes, identities, threads, preview, linkTo } = dependencies;

  /** Sends the link. A retry sends nothing when an earlier attempt arrived and only its response was lost. */
  async function deliverLink(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { id, push, attempt } = notice;
    if (attempt > 1 && (await threads.hasMessage(addressee, push.id))) return;
    const [sender] = await identities.ownersOf(push.id, platform);
    const { state, recipient } = await stateFor(addressee, notice);
    if (state.expiredOn !== null) return; // it ended before it could be sent
    const card = addressee.cards.received(sender?.address, state, accessOf(notice, recipient));
    await threads.post(addressee, push.id, card, id);
  }

  /** Sends the link again, unless the push has ended or was opened meanwhile. */
  async function deliverReminder(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { id, push } = notice;
    const [sender] = await identities.ownersOf(push.id, platform);
    const { state, recipient } = await stateFor(addressee, notice);
    if (state.expiredOn !== null || recipient === undefined || recipient.openedAt !== null) return;
    const access = accessOf(notice, recipient);
    const { received, reminded } = addressee.cards;
    const earlier = received(sender?.address, state, access);
    await threads.repost(addressee, push.id, { card: reminded(sender?.address, state, access), earlier }, id);
  }

  const accessOf = ({ push }: PushNotice, recipient: PushRecipient | undefined): Access =>
    recipient?.isBound ? { pushId: push.id } : { link: linkTo(recipient?.urlToken ?? push.urlToken) };

  /** Says in the message how the push ended for its reader. */
  async function deliverEnd(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { push, event } = notice;
    const owners = await identities.ownersOf(push.id, platform);
    if (owners.some(({ address }) => address === addressee.chatUser.address)) return; // sent to themselves
    const { state, recipient } = await stateFor(addressee, notice);
    const ended = { ...state, isBound: recipient?.isBound ?? false };
    const isWithdrawn = event === 'withdrawn';
    const card = addressee.cards.receivedEnd(owners[0]?.address, ended, { isWithdrawn });
    await threads.editIfPresent(addressee, push.id, card);
  }

  /** The push with the views of a recipient, or with its own where the recipient has no link of theirs. */
  async function stateFor({ chatUser }: Addressee, { push }: PushNotice) {
    const [state, recipients] = await Promise.all([preview(push.urlToken), pushes.recipientsOf([push.id])]);
    const recipient = recipients
      .get(push.id)
      ?.find(({ address, platform }) => address === chatUser.address && platform === chatUser.platform);
    return { state: recipient ? withViewsOf(recipient, state) : state, recipient };
  }

  return { deliverLink, deliverReminder, deliverEnd };
}

const withViewsOf = ({ viewsMax, viewsUsed }: PushRecipient, state: Push): Push => ({
  ...state,
  viewsMax,
  viewsUsed,
});

import { burstMs, type ChatMessage, type Domain, type Push, type PushNotice } from '../../domain/index.ts';
import type { PushWithRecipients } from '../cards/push.ts';
import type { Addressee, MessageThreads } from '../directMessages.ts';

type Dependencies = {
  domain: Pick<Domain, 'pushes' | 'chat'>;
  threads: MessageThreads;
  preview: (urlToken: string) => Promise<Push>;
  linkTo: (urlToken: string) => string;
};

/**
 * The messages of a push's owner: one about the push, edited in place, with a line below it for each event, or for many
 * of the same kind.
 */
export function createOwnerNotices({ domain: { pushes, chat }, threads, preview, linkTo }: Dependencies) {
  async function deliver(addressee: Addressee, notice: PushNotice): Promise<void> {
    const { push, event } = notice;
    if (event === 'burned' && !(await threads.hasMessage(addressee, push.id))) return; // they did it themselves
    const state = await stateOf(notice);
    const message = await showStatus(addressee, notice, state);
    if (event !== 'composed') await addLine(addressee, message, { notice, state });
  }

  /** Gives an owner a text to pass on to a recipient who gets no messages. */
  async function reportUnreachable(owner: Addressee, notice: PushNotice, person: string): Promise<void> {
    const state = await stateOf(notice);
    const message = await showStatus(owner, notice, state);
    const { urlToken, ...views } = state.recipients.find(({ address }) => address === person) ?? notice.push;
    const card = owner.cards.unreachable(person, views, urlToken === null ? undefined : linkTo(urlToken));
    await owner.directMessages.send(card, `${notice.id} unreachable`, message);
  }

  /** Shows an owner the push as it is now. */
  const showStatus = (addressee: Addressee, { id, push }: PushNotice, state: PushWithRecipients) =>
    threads.show(addressee, push.id, addressee.cards.pushStatus(state, linkTo(push.urlToken)), id);

  /** Posts a line below the message about a push, or counts a burst of the same event in the newest line. */
  async function addLine(
    addressee: Addressee,
    message: ChatMessage,
    { notice, state }: { notice: PushNotice; state: PushWithRecipients },
  ): Promise<void> {
    const { id, push, event, startedAt, happenedAt } = notice;
    const { directMessages, chatUser, cards } = addressee;
    const isLastView = event === 'viewed' && push.viewsUsed >= push.viewsMax;
    const lineEvent = isLastView ? 'expired_by_views' : event; // the same line tells of both
    const last = await chat.messages.maybeLine(push.id, chatUser);
    if (last?.event === lineEvent && (last.happenedAt >= happenedAt || event === 'expired_by_views')) return;
    const burst = last?.event === event && startedAt - last.happenedAt < burstMs ? last : undefined;
    const times = notice.times + (burst?.times ?? 0);
    const openers = burst ? await openersOf(notice, times) : notice.openers;
    const card = cards.event({ ...notice, openers }, state, { times });
    const line =
      (burst && (await threads.maybeEdit(addressee, burst, card))) ??
      (await directMessages.send(card, `${id} line`, message));
    await chat.messages.saveLine(push.id, chatUser, { ...line, event: lineEvent, times, happenedAt });
  }

  /** Who used the last views of a push, as many as a line tells of. */
  const openersOf = async ({ event, push: { id, viewsUsed } }: PushNotice, count: number) =>
    event === 'viewed' ? pushes.openersOf(id, { last: viewsUsed, count }) : [];

  /** The push as its owner knows it. */
  async function stateOf({ push: { id, urlToken, name } }: PushNotice): Promise<PushWithRecipients> {
    const [state, recipients] = await Promise.all([preview(urlToken), pushes.recipientsOf([id])]);
    return { ...state, name, recipients: recipients.get(id) ?? [] };
  }

  return { deliver, reportUnreachable };
}

import type { RequestNotice } from '../../domain/index.ts';
import type { Addressee, MessageThreads } from '../directMessages.ts';

/** The messages of the two people of a request. */
export function createRequestNotices({ post, repost, show, hasMessage, editIfPresent }: MessageThreads) {
  async function deliver(addressee: Addressee, notice: RequestNotice): Promise<void> {
    const { id, event, request } = notice;
    const { wasDeclined, undelivered, wasCancelled } = addressee.cards.requestEnded;
    if (event === 'requested') await deliverRequest(addressee, notice);
    else if (event === 'request_reminder') await deliverReminder(addressee, notice);
    else if (event === 'declined') await post(addressee, request.id, wasDeclined(request), id);
    else if (event === 'undelivered') await post(addressee, request.id, undelivered(request), id);
    else if (event === 'request_expired') await deliverExpiry(addressee, notice);
    else if (await hasMessage(addressee, request.id))
      await show(addressee, request.id, wasCancelled(request), id);
  }

  /** A retry sends nothing when an earlier attempt arrived; nor is a request sent that has ended meanwhile. */
  async function deliverRequest(addressee: Addressee, notice: RequestNotice): Promise<void> {
    const { id, request, attempt } = notice;
    const isSent = attempt > 1 && (await hasMessage(addressee, request.id));
    if (request.state !== 'open' || isSent) return;
    await post(addressee, request.id, addressee.cards.requested(request), id);
  }

  /** Asks again, unless the request has ended meanwhile. */
  async function deliverReminder(addressee: Addressee, { id, request }: RequestNotice): Promise<void> {
    if (request.state !== 'open') return;
    const { requested, requestReminder } = addressee.cards;
    const cards = { card: requestReminder(request), earlier: requested(request) };
    await repost(addressee, request.id, cards, id);
  }

  async function deliverExpiry(
    addressee: Addressee,
    { id, request, unanswered }: RequestNotice,
  ): Promise<void> {
    const { expired, wasExpired } = addressee.cards.requestEnded;
    const isRequester = request.requester.address === addressee.chatUser.address;
    if (isRequester) await post(addressee, request.id, expired(unanswered), id);
    else await editIfPresent(addressee, request.id, wasExpired(request));
  }

  return deliver;
}

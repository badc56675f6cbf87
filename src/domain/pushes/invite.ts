import type { Tx } from '../../database/database.ts';
import type { Outbox } from '../outbox/index.ts';
import { toRecipient } from '../people/index.ts';
import { type Invitation, type InviteOptions, isChatUser, type ReserveViews } from './reserveViews.ts';

type Dependencies = { reserveViews: ReserveViews; outbox: Pick<Outbox, 'send'> };

export type Invite = ReturnType<typeof createInvite>;

/** Makes pushes for recipients. */
export function createInvite({ reserveViews, outbox }: Dependencies) {
  /** Reserves views like `reserveViews`, and notifies everybody in a chat, also who is a recipient already. */
  return async function invite(
    pushId: Buffer,
    invitations: Invitation[],
    options: InviteOptions,
    tx: Tx,
  ): Promise<void> {
    await reserveViews(pushId, invitations, options, tx);
    await outbox.send('shared', pushId, invitations.filter(isChatUser).map(toRecipient), tx);
  };
}

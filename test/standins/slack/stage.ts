import type { ActionDetails, PendingAction } from './acts.ts';
import type { Ack, Deliver } from './delivery.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import type { Platform } from './platform.ts';
import type { Message, User, View } from './things.ts';

/** What people need to act upon: Slack, the way to the apps, and what they then have in their hands. */
export type Stage = {
  platform: Platform;
  deliver: Deliver;
  act(doing: ActionDetails): PendingAction;
  /** Something that Slack did not tell any app of. */
  noAct(user: User): PendingAction;
  seen(message: Message, by: User): SeenMessage;
  modal(view: View): Modal;
};

export const noAck: Ack = { status: undefined, body: undefined, ms: 0, error: undefined };

import type { ActionDetails, PendingAction } from './acts.ts';
import type { Ack, Deliver } from './delivery.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import type { Platform } from './platform.ts';
import type { Message, User, View } from './things.ts';

/** What the actions of users need: Slack, the delivery to apps, and how results are shown. */
export type Stage = {
  platform: Platform;
  deliver: Deliver;
  act(doing: ActionDetails): PendingAction;
  /** An action that Slack does not report to any app. */
  noAct(user: User): PendingAction;
  seen(message: Message, by: User): SeenMessage;
  modal(view: View): Modal;
};

export const noAck: Ack = { status: undefined, body: undefined, ms: 0, error: undefined };

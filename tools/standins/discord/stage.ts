import type { ActionDetails, PendingAction } from './acts.ts';
import type { Ack } from './delivery.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import type { Platform } from './platform.ts';
import type { Message, ModalView, User } from './things.ts';

/** What the actions of users need: Discord, the delivery to the app, and how results are shown. */
export type Stage = {
  platform: Platform;
  act(doing: ActionDetails): PendingAction;
  /** An action that Discord does not report to the app. */
  noAct(user: User): PendingAction;
  seen(message: Message, by: User): SeenMessage;
  modal(view: ModalView): Modal;
};

export const noAck: Ack = {
  status: undefined,
  response: undefined,
  body: undefined,
  ms: 0,
  error: undefined,
};

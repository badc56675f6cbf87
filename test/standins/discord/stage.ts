import type { ActionDetails, PendingAction } from './acts.ts';
import type { Ack } from './delivery.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import type { Platform } from './platform.ts';
import type { Message, ModalView, User } from './things.ts';

/** What people need to act upon: Discord, the way to the app, and what they then have in their hands. */
export type Stage = {
  platform: Platform;
  act(doing: ActionDetails): PendingAction;
  /** Something that Discord did not tell the app of. */
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

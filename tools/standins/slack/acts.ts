import type { Ack, DeliveryOptions, Payload } from './delivery.ts';
import { newTriggerId } from './ids.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import { noAck, type Stage } from './stage.ts';
import type { App, Arrival, Trigger, User, View } from './things.ts';

/** An action of a user. Awaited, it is the app's acknowledgement. Its methods wait for what the app shows next. */
export type PendingAction = Promise<Ack> & {
  /** The modal that the app opened, pushed or updated in response. */
  modal(): Promise<Modal>;
  /** The next message that the user sees, privately or not. */
  message(): Promise<SeenMessage>;
  /** The next edit of a message that the user sees. */
  edited(): Promise<SeenMessage>;
  /** Sends the same request again, as Slack does after a failure or by mistake. */
  again(retry?: DeliveryOptions['retry']): Promise<Ack>;
};

export type ActionDetails = {
  app: App;
  user: User;
  make(triggerId: string): Payload;
  manner?: DeliveryOptions | undefined;
  /** The modal that the action took place in. */
  view?: View;
  /** Processes the acknowledgement. */
  settle?(ack: Ack, triggerId: string): Ack;
};

/** Creates the actions of users. */
export function createActions(stage: Stage) {
  const { platform } = stage;
  const { world, clock, settings } = platform;

  function newTrigger({ app, user, view }: ActionDetails): string {
    const id = newTriggerId();
    const trigger: Trigger = {
      id,
      app,
      user,
      expiresAt: clock.now() + settings.triggerLifeMs,
      used: false,
      ...(view && { view }),
    };
    world.triggers.set(id, trigger);
    return id;
  }

  function act(doing: ActionDetails): PendingAction {
    const triggerId = newTrigger(doing);
    const payload = doing.make(triggerId);
    const before = world.arrivals.length;
    let failed: string | undefined;
    const acked = stage.deliver(doing.app, payload, doing.manner).then((ack) => {
      const settled = ack.error === undefined ? (doing.settle?.(ack, triggerId) ?? ack) : ack;
      failed = settled.error;
      clock.changed();
      return settled;
    });

    /** Waits for a value. Fails at once if Slack shows an error instead. */
    function expect<T>(what: string, find: () => T | undefined): Promise<T> {
      const findOrFail = () => {
        const found = find();
        if (found === undefined && failed !== undefined)
          throw new Error(`Slack showed ${failed} after ${payload.name}`);
        return found;
      };
      return clock.until(`${what} after ${payload.name}`, findOrFail, settings.patienceMs);
    }

    return withPeople(acked, doing.user, {
      modal: async () => {
        const isIt = (view: View) => view.triggerId === triggerId && view.isOpen && view.type === 'modal';
        return stage.modal(await expect('a modal', () => world.views.findLast(isIt)));
      },
      arrival: (how, user) => expect(`a message ${how}`, () => arrivalAfter(before, how, user)),
      again: (retry) => stage.deliver(doing.app, payload, retry ? { retry } : {}),
    });
  }

  function noAct(user: User): PendingAction {
    const never = () => Promise.reject(new Error('no app was told of this'));
    return withPeople(Promise.resolve(noAck), user, { modal: never, arrival: never, again: never });
  }

  function arrivalAfter(before: number, how: Arrival['how'], user: User): Arrival | undefined {
    return world.arrivals
      .slice(before)
      .find((one) => one.how === how && world.sees(user, one.message) && one.message.author !== user);
  }

  type Ways = Pick<PendingAction, 'modal' | 'again'> & {
    arrival(how: Arrival['how'], user: User): Promise<Arrival>;
  };

  function withPeople(acked: Promise<Ack>, user: User, { modal, again, arrival }: Ways): PendingAction {
    const message = async (how: Arrival['how']) => stage.seen((await arrival(how, user)).message, user);
    return Object.assign(acked, {
      modal,
      again,
      message: () => message('posted'),
      edited: () => message('edited'),
    });
  }

  return { act, noAct };
}

import type { Fields } from '../shared/json.ts';
import type { Ack, Deliver } from './delivery.ts';
import { newInteractionToken } from './ids.ts';
import type { SeenMessage } from './messages.ts';
import type { Modal } from './modals.ts';
import { interactionPayload } from './payloads.ts';
import { describe } from './responses.ts';
import type { Manner } from './signing.ts';
import { noAck, type Stage } from './stage.ts';
import type { Arrival, Interaction, ModalView, User } from './things.ts';

/** An action of a user. Awaited, it is the app's first response. Its methods wait for what the app shows next. */
export type PendingAction = Promise<Ack> & {
  /** The modal that the app opened in response. */
  modal(): Promise<Modal>;
  /** The next message that the user sees, privately or not. */
  message(): Promise<SeenMessage>;
  /** The next edit of the app's response, or of the message on which the user acted. */
  edited(): Promise<SeenMessage>;
  /** The choices of the autocompletion. */
  choices(): Promise<{ name: string; value: string | number }[]>;
  /** Sends the same request again with the same signature. Discord does not do this, but an attacker could. */
  again(): Promise<Ack>;
};

export type ActionDetails = Pick<Interaction, 'kind' | 'name' | 'user' | 'place' | 'owners'> & {
  data: Fields;
  manner?: Manner | undefined;
  source?: Interaction['source'];
  commandType?: number;
  optionType?: number | undefined;
  submitted?: ModalView;
};

/** Creates the actions of users. */
export function createActions(stage: Stage, deliver: Deliver) {
  const { platform } = stage;
  const { world, clock, settings } = platform;

  function newInteraction({
    kind,
    name,
    user,
    place,
    owners,
    source,
    commandType,
    optionType,
    submitted,
  }: ActionDetails): Interaction {
    return {
      ...{ kind, name, user, place, owners, source, commandType, optionType, submitted },
      ...{
        id: clock.nextId(),
        token: newInteractionToken(),
        at: clock.now(),
        followUps: [],
        followUpCount: 0,
      },
      ...{ response: undefined, original: undefined, modal: undefined, choices: undefined },
    };
  }

  function act(doing: ActionDetails): PendingAction {
    const interaction = newInteraction(doing);
    const payload = interactionPayload(platform, interaction, doing.data);
    const before = world.arrivals.length;
    const { ack, again } = deliver(interaction, payload, doing.manner ?? {});
    let failed: string | undefined;
    const acked = ack.then((given) => {
      failed = given.error;
      clock.changed();
      return given;
    });

    /** Waits for a value. Fails at once if Discord shows an error instead. */
    function expect<T>(what: string, find: () => T | undefined): Promise<T> {
      const findOrFail = () => {
        const found = find();
        if (found === undefined && failed !== undefined)
          throw new Error(`Discord showed “${failed}” after ${describe(interaction)}`);
        return found;
      };
      return clock.until(`${what} after ${describe(interaction)}`, findOrFail, settings.patienceMs);
    }

    return withPeople(acked, doing.user, {
      again,
      modal: async () => stage.modal(await expect('a modal', () => interaction.modal)),
      choices: async () =>
        (await expect('choices', () => interaction.choices)) as { name: string; value: string | number }[],
      arrival: (how) => expect(`a message ${how}`, () => arrivalAfter(before, how, interaction)),
    });
  }

  function noAct(user: User): PendingAction {
    const never = () => Promise.reject(new Error('the app was not told of this'));
    const ways = { modal: never, arrival: never, choices: never, again: never };
    return withPeople(Promise.resolve(noAck), user, ways);
  }

  function arrivalAfter(before: number, how: Arrival['how'], interaction: Interaction): Arrival | undefined {
    const { user, original, source } = interaction;
    const isExpected = ({ message }: Arrival) => how === 'posted' || message === (original ?? source);
    const arrivals = world.arrivals.slice(before).filter((one) => one.how === how && isExpected(one));
    return arrivals.find(({ message }) => world.sees(user, message) && message.author !== user);
  }

  type Ways = Pick<PendingAction, 'modal' | 'again' | 'choices'> & {
    arrival(how: Arrival['how']): Promise<Arrival>;
  };

  function withPeople(acked: Promise<Ack>, user: User, { arrival, ...ways }: Ways): PendingAction {
    const message = async (how: Arrival['how']) => stage.seen((await arrival(how)).message, user);
    return Object.assign(acked, {
      ...ways,
      message: () => message('posted'),
      edited: () => message('edited'),
    });
  }

  return { act, noAct };
}

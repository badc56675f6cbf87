import type { ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { CardError } from '../errorCard.ts';
import { cardsOf } from '../language.ts';
import { repeatable } from './repeatable.ts';

/** A button that was pressed. `channel` is the address of where its message is, if that is known. */
type Press = { caller: ChatCaller; value: string; channel?: string | undefined };

/** What a button does. Where its card goes is known before the work begins, since chats have to be told at once. */
export type PressPlan =
  | {
      /**
       * In the place of the message, or below it where the button belongs to one item of a list; below; aside, where a chat
       * has room for something that is only looked at; or for everybody in the channel.
       */
      shows: 'instead' | 'below' | 'publicly';
      run(press: Press): Promise<Card>;
    }
  | {
      shows: 'aside';
      title: 'audit' | 'allPushes' | 'nudge' | 'exportActivity';
      run(press: Press): Promise<Card>;
    }
  /** Asks before it does anything. Chats with a confirmation of their own draw that instead. */
  | { shows: 'question'; ask(press: Press): Card };

/** What each button does that opens no form, by its action. */
export function createPressPlans(commands: Commands): Record<string, PressPlan> {
  type Command = (caller: ChatCaller, value: string) => Promise<Card>;
  const instead = (command: Command): PressPlan => ({
    shows: 'instead',
    run: ({ caller, value }) => command(caller, value),
  });
  const remind = (time: 'hour' | 'day' | 'morning') =>
    instead((caller, value) => commands.remindLater(caller, value, time));
  const below = (command: Command): PressPlan => ({
    shows: 'below',
    run: ({ caller, value }) => command(caller, value),
  });

  return {
    [actions.askBurn]: { shows: 'question', ask: ({ caller, value }) => cardsOf(caller).confirmBurn(value) },
    [actions.burn]: instead(commands.expire),
    [actions.extend]: instead(commands.extend),
    [actions.decline]: instead(commands.decline),
    [actions.cancel]: instead(commands.cancel),
    [actions.cancelAll]: instead(commands.cancelAll),
    [actions.remindInAnHour]: remind('hour'),
    [actions.remindInADay]: remind('day'),
    [actions.remindInTheMorning]: remind('morning'),
    [actions.rejectLink]: instead(commands.rejectLink),
    [actions.show]: instead((caller, value) => commands.show(repeatable(caller), value)),
    [actions.listPage]: instead((caller, value) => commands.listPage(repeatable(caller), value)),
    [actions.remindLater]: below(commands.whenToRemind),
    [actions.showRequest]: below((caller, value) => commands.showRequest(repeatable(caller), value)),
    [actions.openBound]: {
      shows: 'below',
      run: ({ caller, value, channel }) => commands.openBound(caller, value, channel),
    },
    [actions.shareInChannel]: {
      shows: 'publicly',
      async run({ caller, value, channel }) {
        if (!channel) throw new CardError(cardsOf(caller).notInChannel);
        return commands.shareInChannel(caller, value, channel);
      },
    },
    [actions.audit]: {
      shows: 'aside',
      title: 'audit',
      run: ({ caller, value }) => commands.audit(repeatable(caller), value),
    },
    [actions.nudge]: {
      shows: 'aside',
      title: 'nudge',
      run: ({ caller, value }) => commands.nudge(caller, value),
    },
    [actions.listAll]: {
      shows: 'aside',
      title: 'allPushes',
      run: ({ caller }) => commands.list(repeatable(caller)),
    },
    [actions.exportActivity]: {
      shows: 'aside',
      title: 'exportActivity',
      run: ({ caller }) => commands.exportActivity(repeatable(caller)),
    },
  };
}

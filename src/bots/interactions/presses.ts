import type { ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { CardError } from '../errorCard.ts';
import { cardsOf } from '../language.ts';
import { hintedOutcomeOf, type Outcome, outcomeOf } from '../outcome.ts';
import { repeatable } from './repeatable.ts';

/** A button that was pressed. `channel` is the address of where its message is, if that is known. */
export type Press = { caller: ChatCaller; value: string; channel?: string | undefined };

/** What a button does. Where its card goes is known before the work begins, since chats have to be told at once. */
export type PressPlan =
  | RunningPlan
  /** Asks before it does anything. Chats with a confirmation of their own draw that instead. */
  | { shows: 'question'; ask(press: Press): Card };

type TitleAside = 'audit' | 'allPushes' | 'nudge' | 'exportActivity';

type RunningPlan =
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
      title: TitleAside;
      run(press: Press): Promise<Card>;
    };

/** What a press results in. A card in the place of a message also says where our messages do not reach the caller. */
export function outcomeOfPress(
  plan: RunningPlan,
  press: Press,
  { commands, onError }: { commands: Commands; onError: (error: unknown) => void },
): Promise<Outcome> {
  const work = plan.run(press);
  return plan.shows === 'instead'
    ? hintedOutcomeOf(press.caller, work, { commands, onError })
    : outcomeOf(press.caller, work, onError);
}

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
  const aside = (title: TitleAside, command: Command): PressPlan => ({
    ...{ shows: 'aside', title },
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
    [actions.audit]: aside('audit', (caller, value) => commands.audit(repeatable(caller), value)),
    [actions.nudge]: aside('nudge', commands.nudge),
    [actions.listAll]: aside('allPushes', (caller) => commands.list(repeatable(caller))),
    [actions.exportActivity]: aside('exportActivity', (caller) =>
      commands.exportActivity(repeatable(caller)),
    ),
  };
}

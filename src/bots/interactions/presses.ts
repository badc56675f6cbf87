import type { ChatCaller } from '../../domain/index.ts';
import { actions } from '../actions.ts';
import type { Card } from '../card.ts';
import type { Commands } from '../commands.ts';
import { CardError } from '../errorCard.ts';
import { cardsOf } from '../language.ts';
import { repeatable } from './repeatable.ts';

/** A button that was pressed. `channel` is the address of where its message is, if that is known. */
export type Press = { caller: ChatCaller; value: string; channel?: string | undefined };

/** What a button does. Where its card goes is known before the work begins, since chats have to be told at once. */
export type PressPlan =
  | { shows: CardPlace; title?: TitleAside; run(press: Press): Promise<Card> }
  /** Asks before it does anything. Chats with a confirmation of their own draw that instead. */
  | { shows: 'question'; ask(press: Press): Card };

/**
 * In the place of the message, or below it where the button belongs to one item of a list; below; aside, where a chat has
 * room for something that is only looked at, with a title; or for everybody in the channel.
 */
export type CardPlace = 'instead' | 'below' | 'aside' | 'publicly';

type TitleAside = 'audit' | 'allPushes' | 'nudge' | 'exportActivity';

/** What each button does that opens no form, by its action. */
export function createPressPlans(commands: Commands): Record<string, PressPlan> {
  type Command = (caller: ChatCaller, value: string) => Promise<Card>;
  const plan = (shows: CardPlace, command: Command, title?: TitleAside): PressPlan => ({
    shows,
    ...(title && { title }),
    run: ({ caller, value }) => command(caller, value),
  });
  const instead = (command: Command) => plan('instead', command);
  const below = (command: Command) => plan('below', command);
  const aside = (title: TitleAside, command: Command) => plan('aside', command, title);
  const remind = (time: 'hour' | 'day' | 'morning') =>
    instead((caller, value) => commands.remindLater(caller, value, time));

  return {
    [actions.askBurn]: { shows: 'question', ask: ({ caller, value }) => cardsOf(caller).confirmBurn(value) },
    [actions.burn]: instead(commands.expire),
    [actions.extend]: instead(commands.extend),
    [actions.decline]: instead(commands.decline),
    [actions.cancel]: instead(commands.cancel),
    [actions.cancelAll]: instead(commands.cancelAll),
    [actions.closeRequestLink]: instead(commands.closeRequestLink),
    [actions.remindInAnHour]: remind('hour'),
    [actions.remindInADay]: remind('day'),
    [actions.remindInTheMorning]: remind('morning'),
    [actions.rejectLink]: instead(commands.rejectLink),
    [actions.show]: instead((caller, value) => commands.show(repeatable(caller), value)),
    [actions.listPage]: instead((caller, value) => commands.listPage(repeatable(caller), value)),
    [actions.remindLater]: below(commands.whenToRemind),
    [actions.showRequest]: below((caller, value) => commands.showRequest(repeatable(caller), value)),
    [actions.showRequestLink]: below((caller, value) => commands.showRequestLink(repeatable(caller), value)),
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

import type { ChatCaller, Domain, ReminderTime } from '../../domain/index.ts';
import type { Card } from '../card.ts';
import { cardsOf } from '../language.ts';

/** Commands that remind recipients of a push that they have not opened. */
export function createReminderCommands({ chat, pushes }: Pick<Domain, 'chat' | 'pushes'>) {
  /** For the owner of a push. */
  async function nudge(caller: ChatCaller, pushId: string): Promise<Card> {
    const { account } = await chat.admit(caller);
    return cardsOf(caller).nudged(await pushes.nudge(account, pushId));
  }

  /** Asks a recipient when they want to be reminded. */
  async function whenToRemind(caller: ChatCaller, pushId: string): Promise<Card> {
    await chat.admit(caller);
    const timeZone = await timeZoneOf(caller);
    const times = await pushes.reminderChoices(pushId, caller.chatUser, timeZone);
    return cardsOf(caller).whenToRemind(pushId, times);
  }

  /** Sets the reminder of a recipient. */
  async function remindLater(caller: ChatCaller, pushId: string, time: ReminderTime): Promise<Card> {
    await chat.admit(caller);
    const timeZone = await timeZoneOf(caller);
    return cardsOf(caller).reminderSet(await pushes.remindLater(pushId, caller.chatUser, { time, timeZone }));
  }

  /** From the chat, or from the user's settings. */
  const timeZoneOf = async ({ chatUser, timeZone }: ChatCaller): Promise<string | undefined> =>
    timeZone ?? (await chat.settings.ofUser(chatUser)).timeZone;

  return { nudge, whenToRemind, remindLater };
}

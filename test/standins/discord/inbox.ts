import type { SeenMessage } from './messages.ts';
import type { Stage } from './stage.ts';
import type { Message, User } from './things.ts';

/** The messages that the bot wrote, where `belongs` says so, as this person sees them. */
export function createInbox(stage: Stage, user: User, what: string, belongs: (message: Message) => boolean) {
  const { world, clock, settings } = stage.platform;
  let read = 0;
  const all = () =>
    world.places
      .flatMap(({ messages }) => messages)
      .filter((message) => message.author.isBot && !message.isLoading && belongs(message))
      .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id)));
  const present = () => all().filter(({ deleted }) => !deleted);
  return {
    all: () => present().map((message) => stage.seen(message, user)),
    get count() {
      return present().length;
    },
    /** The newest. Throws when there is none. */
    last(): SeenMessage {
      const last = present().at(-1);
      if (!last) throw new Error(`${user.name} has no ${what}`);
      return stage.seen(last, user);
    },
    /** Waits for the one after the one that `next` gave last, or for the first. */
    async next(): Promise<SeenMessage> {
      const message = await clock.until(`${what} for ${user.name}`, () => all()[read], settings.patienceMs);
      read += 1;
      return stage.seen(message, user);
    },
  };
}

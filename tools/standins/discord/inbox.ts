import { createMessageInbox } from '../shared/inbox.ts';
import type { SeenMessage } from './messages.ts';
import type { Stage } from './stage.ts';
import type { Message, User } from './things.ts';

/** The bot's messages that `belongs` selects, as this user sees them. */
export function createInbox(stage: Stage, user: User, what: string, belongs: (message: Message) => boolean) {
  const { world, clock, settings } = stage.platform;
  return createMessageInbox<Message, SeenMessage>({
    all: () =>
      world.places
        .flatMap(({ messages }) => messages)
        .filter((message) => message.author.isBot && !message.isLoading && belongs(message))
        .toSorted((one, other) => Number(BigInt(one.id) - BigInt(other.id))),
    seen: (message) => stage.seen(message, user),
    until: (sought, look) => clock.until(sought, look, settings.patienceMs),
    what,
    reader: user.name,
  });
}

import { createMessageInbox } from '../shared/inbox.ts';
import type { SeenMessage } from './messages.ts';
import type { Stage } from './stage.ts';
import type { Message, User } from './things.ts';

/** The bots' messages that `belongs` selects, as this user sees them. */
export function createInbox(stage: Stage, user: User, what: string, belongs: (message: Message) => boolean) {
  const { world, clock, settings } = stage.platform;
  return createMessageInbox<Message, SeenMessage>({
    all: () =>
      world.conversations
        .flatMap(({ messages }) => messages)
        .filter((message) => message.author.isBot && belongs(message))
        .toSorted((one, other) => Number(one.ts) - Number(other.ts)),
    seen: (message) => stage.seen(message, user),
    until: (sought, look) => clock.until(sought, look, settings.patienceMs),
    what,
    reader: user.name,
  });
}

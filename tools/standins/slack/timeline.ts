import { type Appearance, timeText, versionsOf } from '../shared/timeline.ts';
import { linesOf, readable } from './content.ts';
import { buttonsOf } from './finding.ts';
import type { Platform } from './platform.ts';
import type { Message } from './things.ts';

/** All that bots said until now, in order, as people read it. */
export function timelineOf({ world }: Platform): Appearance[] {
  const nameOf = (id: string) => world.users.find((user) => user.id === id)?.name;
  const read = (text: string) => readable(withTimes(text), nameOf);
  return versionsOf(world.arrivals)
    .filter(({ message }) => message.author.isBot)
    .map(({ how, message, version: { text, blocks } }) => {
      const lines = linesOf(blocks);
      return {
        how,
        readers: readersOf(message),
        channel: message.conversation.kind === 'im' ? 'direct message' : `#${message.conversation.name}`,
        isReply: message.threadTs !== undefined,
        text: (lines.length > 0 ? lines : [text]).map(read).join('\n'),
        buttons: buttonsOf(blocks),
        banner: read(text),
      };
    });
}

function readersOf({ onlyFor, conversation: { kind, members } }: Message): string[] {
  if (onlyFor) return [onlyFor.name];
  return kind === 'im' ? [...members].filter(({ isBot }) => !isBot).map(({ name }) => name) : [];
}

/** https://docs.slack.dev/messaging/formatting-message-text/#date-formatting */
const withTimes = (text: string): string =>
  text.replaceAll(/<!date\^(\d+)\^[^>]*>/g, (_, seconds: string) => timeText(seconds));

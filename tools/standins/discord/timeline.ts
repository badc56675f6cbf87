import { type Appearance, timeText, versionsOf } from '../shared/timeline.ts';
import { buttonsOf, linesOf } from './content.ts';
import type { Platform } from './platform.ts';
import type { Message } from './things.ts';

/** All that the bot said until now, in order, as people read it. */
export function timelineOf({ world }: Platform): Appearance[] {
  const nameOf = (id: string) => world.users.find((user) => user.id === id)?.name;
  return versionsOf(world.arrivals)
    .filter(({ message }) => message.author.isBot)
    .map(({ how, message, version: { content, components } }) => {
      const text = withTimes(linesOf({ ...message, content, components }, nameOf).join('\n'));
      return {
        how,
        readers: readersOf(message),
        channel: message.place.kind === 'dm' ? 'direct message' : `#${message.place.name}`,
        isReply: false,
        text,
        buttons: buttonsOf(components),
        banner: text,
      };
    });
}

function readersOf({ onlyFor, place: { kind, members } }: Message): string[] {
  if (onlyFor) return [onlyFor.name];
  return kind === 'dm' ? [...members].filter(({ isBot }) => !isBot).map(({ name }) => name) : [];
}

/** https://docs.discord.com/developers/reference#message-formatting */
const withTimes = (text: string): string =>
  text.replaceAll(/<t:(\d+)(?::\w)?>/g, (_, seconds: string) => timeText(seconds));

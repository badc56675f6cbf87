import { type Appearance, versionsOf } from '../shared/timeline.ts';
import type { Platform } from './platform.ts';
import { buttonsIn, readable, textIn } from './seen.ts';
import type { Post } from './world.ts';

/** All that the bot said until now, in order, as people read it. */
export const timelineOf = ({ world, bot }: Platform): Appearance[] =>
  versionsOf(world.arrivals.map(({ how, post }) => ({ how, message: post })))
    .filter(({ message }) => message.author === bot || message.attachments.length > 0)
    .map(({ how, message, version }) => ({
      how,
      readers: readersOf(message),
      channel: message.channel.team === undefined ? 'direct message' : `#${message.channel.name}`,
      isReply: message.rootId !== '',
      text: textIn(version),
      buttons: buttonsIn(version),
      banner: readable(version.message.split('\n')[0] ?? ''),
    }));

function readersOf({ onlyFor, channel: { team, members } }: Post): string[] {
  if (onlyFor) return [onlyFor.username];
  return team === undefined ? [...members].filter(({ isBot }) => !isBot).map(({ username }) => username) : [];
}

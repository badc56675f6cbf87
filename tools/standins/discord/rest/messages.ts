import { type Fields, fieldsOf } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { presentMessage } from '../presenting.ts';
import type { Message, Place } from '../things.ts';
import { membersOf } from '../world.ts';
import { rewrite, write } from '../writing.ts';
import { Refused } from './refused.ts';
import type { Routes } from './route.ts';

const nonceLifeMs = 5 * 60_000;

/** https://docs.discord.com/developers/resources/message */
export const messages: Routes = {
  create_message: {
    method: 'POST',
    path: '/channels/{channel_id}/messages',
    run(platform, { params, body, files }) {
      const place = requirePlace(platform, params.channel_id);
      const fields = fieldsOf(body);
      const earlier = fields.enforce_nonce === true ? sameNonce(platform, place, fields.nonce) : undefined;
      if (earlier) return shown(platform, earlier);
      requireOpen(platform, place);
      return shown(platform, write(platform, { operation: 'create_message', place, body: fields, files }));
    },
  },
  get_message: {
    method: 'GET',
    path: '/channels/{channel_id}/messages/{message_id}',
    run: (platform, { params }) => shown(platform, requireMessage(platform, 'get_message', params)),
  },
  update_message: {
    method: 'PATCH',
    path: '/channels/{channel_id}/messages/{message_id}',
    run(platform, { params, body, files }) {
      const message = requireOwn(platform, 'update_message', params);
      rewrite(platform, message, { operation: 'update_message', body: fieldsOf(body), files });
      return shown(platform, message);
    },
  },
  delete_message: {
    method: 'DELETE',
    path: '/channels/{channel_id}/messages/{message_id}',
    run(platform, { params }) {
      platform.world.remove(requireOwn(platform, 'delete_message', params));
      return undefined;
    },
  },
};

export function shown({ world, clock }: Platform, message: Message): Fields {
  return presentMessage(message, clock, (id) => world.users.find((one) => one.id === id));
}

/** A place that the bot is in. */
export function requirePlace({ world }: Platform, id = ''): Place {
  const place = world.places.find((one) => one.id === id);
  if (!place) throw new Refused(10003, `a channel that there never was: ${id}`);
  if (!membersOf(place).has(world.app.bot))
    throw new Refused(50001, `a channel that the bot is not in: ${id}`);
  return place;
}

/** An app cannot know whether a user still accepts its messages, so this is not its mistake. */
function requireOpen({ world }: Platform, { kind, members }: Place): void {
  if (kind !== 'dm') return;
  const closed = [...members].find((one) => one !== world.app.bot && one.dmsRefusedWith !== undefined);
  if (closed?.dmsRefusedWith !== undefined) throw new Refused(closed.dmsRefusedWith);
}

function sameNonce({ clock }: Platform, { messages }: Place, nonce: unknown): Message | undefined {
  const since = clock.now() - nonceLifeMs;
  return messages.find((one) => one.nonce === nonce && Number(one.versions[0]?.at) > since);
}

function requireMessage(platform: Platform, operation: string, params: Record<string, string>): Message {
  const { messages } = requirePlace(platform, params.channel_id);
  const message = messages.find(
    ({ id, deleted, onlyFor }) => id === params.message_id && !deleted && !onlyFor,
  );
  if (!message) throw new Refused(10008, `${operation}: a message that is not there for the bot`);
  return message;
}

function requireOwn(platform: Platform, operation: string, params: Record<string, string>): Message {
  const message = requireMessage(platform, operation, params);
  if (message.author === platform.world.app.bot) return message;
  throw new Refused(50005, `${operation}: a message that somebody else wrote`);
}

import { type Fields, fieldsOf, listOf, parseJson, textOf } from '../shared/json.ts';
import { withIds } from './content.ts';
import { newSecret } from './ids.ts';
import type { Platform, ResponseUrl } from './platform.ts';
import { draftOf, requireValidMessage } from './webApi/chat.ts';
import { Refused } from './webApi/method.ts';

const lifeMs = 30 * 60_000;
const mostUses = 5;

type Place = Omit<ResponseUrl, 'expiresAt' | 'usesLeft'>;

/** Creates a URL that accepts five responses in the next 30 minutes. */
export function newResponseUrl({ responseUrls, clock, at }: Platform, place: Place): string {
  const id = newSecret();
  responseUrls.set(id, { ...place, expiresAt: clock.now() + lifeMs, usesLeft: mostUses });
  return `${at.url}/response/${id}`;
}

/** Processes a response to a response URL, and returns Slack's HTTP status and text. */
export function takeResponse(platform: Platform, id: string, body: string): { status: number; text: string } {
  const place = platform.responseUrls.get(id);
  const refuse = (status: number, error: string) => {
    platform.recordings.complain(`response_url: ${error}`);
    return { status, text: JSON.stringify({ ok: false, error }) };
  };
  if (!place) return refuse(404, 'no_such_url');
  if (place.expiresAt <= platform.clock.now()) return refuse(404, 'expired_url');
  if (place.usesLeft === 0) return refuse(404, 'used_url');
  const message = parseJson(body);
  if (message === undefined) return refuse(400, 'invalid_payload');
  place.usesLeft -= 1;
  return answer(platform, place, fieldsOf(message), 'response_url');
}

/** Shows the response that an acknowledgement of a command contains. */
export function takeAcknowledgedMessage(platform: Platform, place: ResponseUrl, message: Fields) {
  return answer(platform, place, message, 'the acknowledgement of a command');
}

function answer(platform: Platform, place: ResponseUrl, message: Fields, where: string) {
  try {
    requireValidMessage(platform, where, 'response', message);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.complaint !== undefined) platform.recordings.complain(error.complaint);
    return { status: 400, text: JSON.stringify({ ok: false, error: error.code, ...error.more }) };
  }
  apply(platform, place, message);
  return { status: 200, text: 'ok' };
}

function apply({ world }: Platform, place: ResponseUrl, message: Fields): void {
  const { original } = place;
  if (message.delete_original === true && original) {
    world.remove(original);
    return;
  }
  if (message.replace_original === true && original && !original.deleted) {
    world.edit(original, textOf(message.text), withIds(listOf(message.blocks)));
    return;
  }
  const posted = world.post({
    ...draftOf(place.grant, place.conversation, message),
    onlyFor: message.response_type === 'in_channel' ? undefined : place.user,
    unfurlLinks: message.unfurl_links === undefined ? undefined : message.unfurl_links === true,
    unfurlMedia: message.unfurl_media === undefined ? undefined : message.unfurl_media === true,
  });
  place.original ??= posted;
}

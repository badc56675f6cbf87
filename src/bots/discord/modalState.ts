import { type FormId, type FormState, formIds } from '../form.ts';

/**
 * What a modal carries in its custom id: hidden from people, and 100 characters in all, so the values stand at fixed places:
 * views, lifetime, subject, draft, name. A `!` before the draft says that it is the text of a message.
 */
const format = /^(\d*),(\w*),(\w*),(!?)([\w-]*),([\s\S]*)$/;

/** The longest name that fits beside everything else. */
export const nameMax = 35;

/** The one thing that a form is about. */
const subjects = {
  [formIds.push]: 'requestId',
  [formIds.request]: undefined,
  [formIds.share]: 'pushId',
  [formIds.settings]: undefined,
  [formIds.rules]: undefined,
  [formIds.confirmLink]: 'linkId',
} as const satisfies Record<FormId, keyof FormState | undefined>;

export function encodeDiscordState(id: FormId, state: FormState): string {
  const { views = '', expires = '', draftToken = '', name = '', isFromMessage = false } = state;
  const subject = subjects[id] && state[subjects[id]];
  return `${views},${expires},${subject ?? ''},${isFromMessage ? '!' : ''}${draftToken},${name}`;
}

export function decodeDiscordState(id: FormId, text: string): FormState {
  const [, views = '', expires, subject, mark, draftToken, name] = format.exec(text) ?? [];
  return {
    views: Number(views) || undefined,
    expires: expires || undefined,
    draftToken: draftToken || undefined,
    isFromMessage: mark === '!',
    name: name || undefined,
    ...(subjects[id] && { [subjects[id]]: subject || undefined }),
  };
}

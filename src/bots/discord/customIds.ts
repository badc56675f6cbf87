import { type FormId, type FormState, formIds } from '../form.ts';

/** The custom id of a component or modal: at most 100 characters (docs.discord.com, “Components reference”). */
export const buildCustomId = (action: string, value = ''): string => `${action}:${value}`;

export function parseCustomId(id: string): { action: string; value: string } {
  const colon = id.indexOf(':');
  return { action: id.slice(0, colon), value: id.slice(colon + 1) };
}

/** The action of a select menu whose options are custom ids. */
export const selectAction = 'choose';

/**
 * What a modal carries in its custom id: hidden from people, and 100 characters in all, so the values stand at fixed places:
 * views, lifetime, subject, draft, name. A `!` before the draft says that it is the text of a message.
 */
const format = /^(\d*),(\w*),(\w*),(!?)([\w-]*),([\s\S]*)$/;

/** The longest name that fits beside everything else. */
export const nameMax = 35;

/** The one thing that a form is about. */
const subjects: Partial<Record<FormId, 'requestId' | 'pushId' | 'linkId'>> = {
  [formIds.push]: 'requestId',
  [formIds.share]: 'pushId',
  [formIds.confirmLink]: 'linkId',
};

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

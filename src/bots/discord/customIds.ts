/**
 * What a button, menu or modal says of itself when it is used: the act, and what it is about. Discord takes 100 characters
 * (docs.discord.com, “Components reference”).
 */
export type CustomId = { act: string; value: string };

export const writeId = (act: string, value = ''): string => `${act}:${value}`;

export function readId(id: string): CustomId {
  const colon = id.indexOf(':');
  return { act: id.slice(0, colon), value: id.slice(colon + 1) };
}

/** The act of a button that asks first. */
export const asking = (act: string): string => `${act}?`;
export const asked = (act: string): string | undefined => (act.endsWith('?') ? act.slice(0, -1) : undefined);

/** The act of a menu whose options are ids in turn. */
export const choosing = 'choose';

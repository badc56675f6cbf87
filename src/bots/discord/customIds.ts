/**
 * What a button, menu or modal says of itself when it is used: the act, and what it is about. Discord takes 100 characters
 * (docs.discord.com, “Components reference”).
 */
export type CustomId = { action: string; value: string };

export const buildCustomId = (action: string, value = ''): string => `${action}:${value}`;

export function parseCustomId(id: string): CustomId {
  const colon = id.indexOf(':');
  return { action: id.slice(0, colon), value: id.slice(colon + 1) };
}

/** The act of a button that asks first. */
export const confirmationOf = (action: string): string => `${action}?`;
export const maybeConfirmed = (action: string): string | undefined =>
  action.endsWith('?') ? action.slice(0, -1) : undefined;

/** The act of a menu whose options are ids in turn. */
export const selectAction = 'choose';

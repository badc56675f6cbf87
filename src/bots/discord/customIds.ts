/** What the custom id of a component or modal says: at most 100 characters (docs.discord.com, “Components reference”). */
export type CustomId = { action: string; value: string };

export const buildCustomId = (action: string, value = ''): string => `${action}:${value}`;

export function parseCustomId(id: string): CustomId {
  const colon = id.indexOf(':');
  return { action: id.slice(0, colon), value: id.slice(colon + 1) };
}

/** The action of a select menu whose options are custom ids. */
export const selectAction = 'choose';

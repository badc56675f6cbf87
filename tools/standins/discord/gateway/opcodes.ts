/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
export const op = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  ack: 11,
} as const;

/** Other opcodes that an app may send: presence, voice state, members, sounds, channel info. */
export const otherOps = [3, 4, 8, 31, 43];

/** Members, presences and message contents need a permission. */
export const privilegedIntents = (1 << 1) | (1 << 8) | (1 << 15);
export const knownIntents = 2 ** 26 - 1;

/** The intents that events need, of those that tests send. Interactions need none. */
export const intentOf: Record<string, number> = { GUILD_CREATE: 1 << 0, GUILD_DELETE: 1 << 0 };

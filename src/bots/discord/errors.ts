import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { Delivery } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';

/** Discord refuses the token: it is wrong, or was reset. */
export class InvalidToken extends Error {}

/** Codes of https://docs.discord.com/developers/topics/opcodes-and-status-codes#json-json-error-codes */
const codes = {
  unknownChannel: 10003,
  unknownMessage: 10008,
  unknownUser: 10013,
  unknownWebhook: 10015,
  unknownInteraction: 10062,
  alreadyAcknowledged: 40060,
  cannotMessage: 50007,
  invalidRecipients: 50033,
  noMutualGuilds: 50278,
};

const unreachable: unknown[] = [
  codes.cannotMessage,
  codes.noMutualGuilds,
  codes.unknownUser,
  codes.invalidRecipients,
];
const missing: unknown[] = [codes.unknownMessage, codes.unknownChannel];

/** Discord's own code for why it refused a call, if it did. */
const codeOf = (error: unknown) => (error instanceof DiscordAPIError ? error.code : undefined);

/** No message will ever reach this person: they take none, or none of ours. */
export const isUnreachable = (error: unknown): boolean => unreachable.includes(codeOf(error));
/** The message, or the channel that it was in, is not there any more. */
export const isMessageMissing = (error: unknown): boolean => missing.includes(codeOf(error));
/** An interaction that somebody answered already, such as we ourselves where the answer to that was lost. */
export const isAlreadyAcknowledged = (error: unknown): boolean => codeOf(error) === codes.alreadyAcknowledged;
/** Discord does not know yet that we answered: it can take a moment after an answer over HTTP. */
export const isWebhookUnknown = (error: unknown): boolean => codeOf(error) === codes.unknownWebhook;

/** Whether the same call may work soon: Discord, or the way to it, failed. A refusal stays one. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof DiscordAPIError || error instanceof InvalidToken || error instanceof RateLimitError);

export const invalidTokenPauseMs = 10 * minuteMs;

/** What a failed call means for the notice that it was made for. */
export function deliveryOf(error: unknown): Delivery {
  if (error instanceof RateLimitError)
    return { outcome: 'later', reason: 'Discord asks for patience', afterMs: error.retryAfter };
  if (error instanceof InvalidToken)
    return { outcome: 'later', reason: 'Discord refuses the token', afterMs: invalidTokenPauseMs };
  const code = codeOf(error);
  if (code === undefined) return { outcome: 'later', reason: 'Discord did not answer as it should' };
  const reason = `Discord said ${code}`;
  return isUnreachable(error) ? { outcome: 'never', reason } : { outcome: 'later', reason };
}

/** An error of Discord's as one that may be logged: they carry what was sent, and tokens in addresses. */
export function redacted(error: unknown): Error {
  if (error instanceof InvalidToken) return new Error('Discord refuses DISCORD_TOKEN');
  if (error instanceof DiscordAPIError) return new Error(`Discord said ${error.code} (${error.status})`);
  if (error instanceof RateLimitError) return new Error('Discord asks for patience');
  if (error instanceof HTTPError) return new Error(`Discord answered ${error.status}`);
  if (isNetworkError(error)) return new Error('Discord could not be reached');
  return error instanceof Error ? error : new Error('something that is no error was thrown');
}

function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || 'code' in error || error.message === 'fetch failed';
}

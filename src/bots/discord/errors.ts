import { RESTJSONErrorCodes as Code, DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import type { Delivery } from '../../domain/index.ts';
import { minuteMs } from '../../time.ts';

/** Discord refuses the token: it is wrong or was reset. */
export class InvalidToken extends Error {}

const unreachable: unknown[] = [
  Code.CannotSendMessagesToThisUser,
  Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  Code.UnknownUser,
  Code.InvalidRecipients,
];
const missing: unknown[] = [Code.UnknownMessage, Code.UnknownChannel];

/** The error code with which Discord refused a call, if it did. */
const maybeCode = (error: unknown) => (error instanceof DiscordAPIError ? error.code : undefined);

/** The user does not accept direct messages, or has blocked the app. Permanent. */
export const isDiscordUnreachable = (error: unknown): boolean => unreachable.includes(maybeCode(error));
/** The message or its channel was deleted. */
export const isDiscordMessageMissing = (error: unknown): boolean => missing.includes(maybeCode(error));
/** The interaction was answered before, perhaps by us when Discord's response was lost. */
export const isAlreadyAcknowledged = (error: unknown): boolean =>
  maybeCode(error) === Code.InteractionHasAlreadyBeenAcknowledged;
/** Discord has not processed our first response yet: over HTTP that can take a moment. */
export const isWebhookUnknown = (error: unknown): boolean => maybeCode(error) === Code.UnknownWebhook;

/** The user is not in the server, or there is no such user. */
export const isMemberUnknown = (error: unknown): boolean =>
  maybeCode(error) === Code.UnknownMember || maybeCode(error) === Code.UnknownUser;
/** The bot is not in the server. */
export const isServerUnknown = (error: unknown): boolean =>
  maybeCode(error) === Code.UnknownGuild || maybeCode(error) === Code.MissingAccess;

/** Whether the same call may work soon: Discord or the network failed. A refusal is final. */
export const isRetryable = (error: unknown): boolean =>
  !(error instanceof DiscordAPIError || error instanceof InvalidToken || error instanceof RateLimitError);

export const invalidTokenPauseMs = 10 * minuteMs;

/** How a failed call affects the notice that it was to deliver. */
export function discordDeliveryOf(error: unknown): Delivery {
  if (error instanceof RateLimitError)
    return { outcome: 'later', reason: 'Discord is rate limiting us', afterMs: error.retryAfter };
  if (error instanceof InvalidToken)
    return { outcome: 'later', reason: 'Discord refuses the token', afterMs: invalidTokenPauseMs };
  const code = maybeCode(error);
  if (code === undefined) return { outcome: 'later', reason: 'Discord did not respond as expected' };
  const reason = `Discord refused with ${code}`;
  return isDiscordUnreachable(error) ? { outcome: 'never', reason } : { outcome: 'later', reason };
}

/** An error that may be logged: Discord's own carry the request body, and tokens in URLs. */
export function redactDiscordError(error: unknown): Error {
  if (error instanceof InvalidToken) return new Error('Discord refuses DISCORD_TOKEN');
  if (error instanceof DiscordAPIError)
    return new Error(`Discord refused with ${error.code} (${error.status})`);
  if (error instanceof RateLimitError) return new Error('Discord is rate limiting us');
  if (error instanceof HTTPError) return new Error(`Discord responded with ${error.status}`);
  if (isNetworkError(error)) return new Error('Discord could not be reached');
  return error instanceof Error ? error : new Error('a value that is not an Error was thrown');
}

function isNetworkError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === 'AbortError' || 'code' in error || error.message === 'fetch failed';
}

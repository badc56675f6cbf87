import { RESTJSONErrorCodes as Code, DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { minuteMs } from '../../time.ts';
import type { ChatFailure } from '../failure.ts';

/** Discord refuses the token: it is wrong or was reset. */
export class InvalidToken extends Error {}

export const invalidTokenPauseMs = 10 * minuteMs;

/** Whether Discord refused a call with one of these codes. */
const isOneOf =
  (...codes: number[]) =>
  (error: unknown): boolean =>
    error instanceof DiscordAPIError && codes.includes(Number(error.code));

/** The user does not accept direct messages, or has blocked the app. Permanent. */
const isUnreachable = isOneOf(
  Code.CannotSendMessagesToThisUser,
  Code.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  Code.UnknownUser,
  Code.InvalidRecipients,
);
const isLost = isOneOf(Code.UnknownMessage, Code.UnknownChannel);
/** The interaction was answered before, perhaps by us when Discord's response was lost. */
export const isAlreadyAcknowledged = isOneOf(Code.InteractionHasAlreadyBeenAcknowledged);
/** Discord has not processed our first response yet: over HTTP that can take a moment. */
const isWebhookUnknown = isOneOf(Code.UnknownWebhook);
/** The user is not in the server, or there is no such user. */
export const isMemberUnknown = isOneOf(Code.UnknownMember, Code.UnknownUser);
/** The bot is not in the server. */
export const isServerUnknown = isOneOf(Code.UnknownGuild, Code.MissingAccess);

/** Whether the same call may work soon: Discord or the network failed. A refusal is final. */
export const isRetryable = (error: unknown): boolean =>
  isWebhookUnknown(error) ||
  !(error instanceof DiscordAPIError || error instanceof InvalidToken || error instanceof RateLimitError);

/** Discord's own errors carry the request body, and tokens in URLs. */
export function explainDiscordError(error: unknown): ChatFailure | undefined {
  if (error instanceof InvalidToken) return { reason: 'refuses DISCORD_TOKEN', afterMs: invalidTokenPauseMs };
  if (error instanceof RateLimitError) return { reason: 'is rate limiting us', afterMs: error.retryAfter };
  if (error instanceof DiscordAPIError)
    return {
      reason: `refused with ${error.code} (${error.status})`,
      isUnreachable: isUnreachable(error),
      isLost: isLost(error),
      isTokenRefused: [401, 403].includes(error.status),
    };
  if (error instanceof HTTPError) return { reason: `responded with ${error.status}` };
  if (!(error instanceof Error)) return undefined;
  const isOfNetwork = error.name === 'AbortError' || 'code' in error || error.message === 'fetch failed';
  return isOfNetwork ? { reason: 'could not be reached' } : undefined;
}

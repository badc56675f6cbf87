import { webApi } from '@slack/bolt';
import type { Delivery } from '../../domain/index.ts';

/** The error with which Slack refused a call, if it did. */
const maybeSlackError = (error: unknown): string | undefined =>
  error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;

const isOneOf =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    codes.includes(maybeSlackError(error) ?? '');

/** The code of an OAuth callback was used before, or is too old. */
export const isUnusableCode = isOneOf('invalid_code', 'code_already_used');

/** The token no longer works: the app was removed, or the token revoked. */
export const isInvalidToken = isOneOf(
  'account_inactive',
  'token_revoked',
  'token_expired',
  'invalid_auth',
  'not_authed',
  'team_access_not_granted',
  'org_login_required',
);

/** The message to be edited was deleted, or is no longer ours to edit. */
export const isSlackMessageMissing = isOneOf(
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
);

/** No message will ever reach this user. */
export const isSlackUnreachable = isOneOf(
  'user_not_found',
  'users_not_found',
  'user_not_visible',
  'user_disabled',
  'cannot_dm_bot',
  'channel_not_found',
  'messages_tab_disabled',
  'restricted_action',
  'is_archived',
  'not_in_channel',
  'no_permission',
  'missing_scope',
);

/** How a failed call affects the notice that it was to deliver. */
export function slackDeliveryOf(error: unknown): Delivery {
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { outcome: 'later', reason: 'Slack is rate limiting us', afterMs: error.retryAfter * 1_000 };
  const refusal = maybeSlackError(error);
  if (refusal === undefined) return { outcome: 'later', reason: 'Slack did not respond as expected' };
  const isFinal = isInvalidToken(error) || isSlackUnreachable(error);
  return { outcome: isFinal ? 'never' : 'later', reason: `Slack refused with ${refusal}` };
}

/** An error that may be logged: Slack's own carry the request body. */
export function redactSlackError(error: unknown): Error {
  const refusal = maybeSlackError(error);
  if (refusal !== undefined) return new Error(`Slack refused with ${refusal}`);
  if (error instanceof webApi.WebAPIRateLimitedError) return new Error('Slack is rate limiting us');
  if (error instanceof webApi.WebAPIHTTPError) return new Error(`Slack responded with ${error.statusCode}`);
  if (error instanceof webApi.WebAPIRequestError) return new Error('Slack could not be reached');
  return error instanceof Error ? error : new Error('a value that is not an Error was thrown');
}

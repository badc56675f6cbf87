import { webApi } from '@slack/bolt';
import type { Delivery } from '../../domain/index.ts';

/** The token no longer works: the app was removed, or the token revoked. */
const invalidTokenErrors = new Set([
  'account_inactive',
  'token_revoked',
  'token_expired',
  'invalid_auth',
  'not_authed',
  'team_access_not_granted',
  'org_login_required',
]);

const unusableCodes = new Set(['invalid_code', 'code_already_used']);

/** No message will ever reach this user. */
const unreachableErrors = new Set([
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
]);

/** The message to be edited was deleted, or is no longer ours to edit. */
const missingMessageErrors = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
]);

/** The error with which Slack refused a call, if it did. */
function maybeSlackError(error: unknown): string | undefined {
  return error instanceof webApi.WebAPIPlatformError ? error.data.error : undefined;
}

/** The code of an OAuth callback was used before, or is too old. */
export const isUnusableCode = (error: unknown): boolean => unusableCodes.has(maybeSlackError(error) ?? '');
export const isInvalidToken = (error: unknown): boolean =>
  invalidTokenErrors.has(maybeSlackError(error) ?? '');
export const isSlackMessageMissing = (error: unknown): boolean =>
  missingMessageErrors.has(maybeSlackError(error) ?? '');
export const isSlackUnreachable = (error: unknown): boolean =>
  unreachableErrors.has(maybeSlackError(error) ?? '');

/** How a failed call affects the notice that it was to deliver. */
export function slackDeliveryOf(error: unknown): Delivery {
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { outcome: 'later', reason: 'Slack is rate limiting us', afterMs: error.retryAfter * 1_000 };
  const refusal = maybeSlackError(error);
  if (refusal === undefined) return { outcome: 'later', reason: 'Slack did not respond as expected' };
  const reason = `Slack refused with ${refusal}`;
  return isInvalidToken(error) || isSlackUnreachable(error)
    ? { outcome: 'never', reason }
    : { outcome: 'later', reason };
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

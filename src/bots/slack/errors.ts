import { webApi } from '@slack/bolt';
import type { ChatFailure } from '../failure.ts';

/** Whether Slack refused a call with one of these errors. */
const isOneOf =
  (...codes: string[]) =>
  (error: unknown): boolean =>
    error instanceof webApi.WebAPIPlatformError && codes.includes(error.data.error);

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
const isLost = isOneOf('message_not_found', 'cant_update_message', 'edit_window_closed', 'channel_not_found');

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

/** What says nothing about the token. */
const isPassing = isOneOf(
  'ratelimited',
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
);

/** Slack's own errors carry the request body. */
export function explainSlackError(error: unknown): ChatFailure | undefined {
  if (error instanceof webApi.WebAPIPlatformError)
    return {
      reason: `refused with ${error.data.error}`,
      isLost: isLost(error),
      isUnreachable: isSlackUnreachable(error),
      isFinal: isInvalidToken(error),
      isTokenRefused: !isPassing(error),
    };
  if (error instanceof webApi.WebAPIRateLimitedError)
    return { reason: 'is rate limiting us', afterMs: error.retryAfter * 1_000 };
  if (error instanceof webApi.WebAPIHTTPError) return { reason: `responded with ${error.statusCode}` };
  return error instanceof webApi.WebAPIRequestError ? { reason: 'could not be reached' } : undefined;
}

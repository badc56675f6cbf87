import { accountNameOf, type ListedRequest, type SecretRequest } from '../../domain/index.ts';
import type { ListedRequestResponse, RequestResponse } from '../schemas/requests.ts';
import { isoTime } from './time.ts';

/** A request for a secret. */
export function presentRequest(request: SecretRequest): RequestResponse {
  const { id, requester, provider, reason, isUnreadable, state, createdAt, expiresAt } = request;
  return {
    id,
    requester: accountNameOf(requester),
    provider: accountNameOf(provider),
    reason,
    ...(isUnreadable && { unreadable: true as const }),
    state,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}

/** A request in a list of one of its two people. */
export function presentListedRequest({ otherName, ...request }: ListedRequest): ListedRequestResponse {
  return { ...presentRequest(request), other_name: otherName };
}

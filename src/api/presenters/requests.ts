import { accountNameOf, type ListedRequest, type SecretRequest } from '../../domain/index.ts';
import { isoTime } from '../../time.ts';
import type { ListedRequestResponse, RequestResponse, SentRequestsResponse } from '../schemas/requests.ts';

/** A request for a secret. */
export function presentRequest(request: SecretRequest): RequestResponse {
  const { id, groupId, requester, provider, reason, isUnreadable, state, createdAt, expiresAt } = request;
  return {
    id,
    group_id: groupId,
    requester: accountNameOf(requester),
    provider: accountNameOf(provider),
    reason,
    ...(isUnreadable && { unreadable: true as const }),
    state,
    created_at: isoTime(createdAt),
    expires_at: isoTime(expiresAt),
  };
}

/** Requests that were sent together. Most are to one person, so that the first is the response, with all in it. */
export function presentSentRequests(requests: [SecretRequest, ...SecretRequest[]]): SentRequestsResponse {
  return { ...presentRequest(requests[0]), requests: requests.map(presentRequest) };
}

/** A request in a list of one of its two people. */
export function presentListedRequest({ otherName, ...request }: ListedRequest): ListedRequestResponse {
  return { ...presentRequest(request), other_name: otherName };
}

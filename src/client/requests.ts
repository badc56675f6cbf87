import { isRecord } from './errors.ts';
import type { ListedSecretRequest, RequestedSecret, RequestParams, SentRequests } from './requestWire.ts';
import type { CallOptions, Transport } from './transport.ts';

const path = 'api/v1/requests.json';
const missing = 'There is no such request, or the server has no requests for secrets.';
const isRequest = (body: unknown) => isRecord(body) && typeof body.id === 'string';
const isList = (body: unknown) => isRecord(body) && Array.isArray(body.received) && Array.isArray(body.sent);

type RequestList = { received: ListedSecretRequest[]; sent: ListedSecretRequest[] };

/** Requests for secrets between people in chats. Only hushpush has them. */
export function createRequestCalls({ call }: Transport) {
  return {
    /** Lists the open requests that you received, and all that you sent: the newest 50 of each. */
    list: (options: CallOptions = {}) => call<RequestList>(path, isList, { ...options, missing }),

    /** Asks people for a secret, each with a request of their own. Their answers get to you in that chat. */
    create: (request: RequestParams, options: CallOptions = {}) =>
      call<SentRequests>(path, isRequest, {
        ...options,
        missing,
        method: 'POST',
        json: { request },
      }),

    /** Cancels an open request of yours. */
    cancel: (id: string, options: CallOptions = {}) =>
      call<RequestedSecret>(path, isRequest, { ...options, missing, method: 'DELETE', query: { id } }),
  };
}

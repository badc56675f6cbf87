import { isRecord } from './errors.ts';
import type { CallOptions, Transport } from './transport.ts';
import type { ListedSecretRequest, RequestedSecret } from './wire.ts';

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

    /** Asks somebody for a secret: `from` is `slack:TEAM:USER` or `discord:USER`. The answer gets to you in that chat. */
    create: (request: { from: string; reason?: string | undefined }, options: CallOptions = {}) =>
      call<RequestedSecret>(path, isRequest, {
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

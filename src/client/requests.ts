import { isRecord } from './errors.ts';
import { createRequestLinkCalls, type Features } from './requestLinks.ts';
import type { CallOptions, Transport } from './transport.ts';

/** Who is asked for a secret, for what, and how long they have. People are `slack:TEAM:USER` or `discord:USER`. */
export type RequestParams = {
  /** One person, or up to 25 in one workspace. Each gets a request of their own. */
  from: string | string[];
  reason?: string | undefined;
  /** 14 days if it is not set. */
  due_in_minutes?: number | undefined;
};

/** A request for a secret. */
export type RequestedSecret = {
  id: string;
  /** The same for all that were sent together. */
  group_id: string;
  requester: string;
  provider: string;
  reason: string | null;
  state: 'open' | 'provided' | 'declined' | 'cancelled' | 'undelivered' | 'expired';
  created_at: string;
  expires_at: string;
};

/** A request in a list, with the name of the other of the two if it is known. */
export type ListedSecretRequest = RequestedSecret & { other_name: string | null };

/** The first of the new requests, and all of them. */
export type SentRequests = RequestedSecret & { requests: RequestedSecret[] };

const path = 'api/v1/requests.json';
const missing = 'There is no such request, or the server has no requests for secrets.';
const isRequest = (body: unknown) => isRecord(body) && typeof body.id === 'string';
const isList = (body: unknown) => isRecord(body) && Array.isArray(body.received) && Array.isArray(body.sent);

type RequestList = { received: ListedSecretRequest[]; sent: ListedSecretRequest[] };

/** Requests for secrets between people in chats. Only hushpush has them. */
export function createRequestCalls(transport: Transport, features: Features) {
  const { call } = transport;
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

    ...createRequestLinkCalls(transport, features),

    /** Cancels an open request of yours. */
    cancel: (id: string, options: CallOptions = {}) =>
      call<RequestedSecret>(path, isRequest, { ...options, missing, method: 'DELETE', query: { id } }),
  };
}

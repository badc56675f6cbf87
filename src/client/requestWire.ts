/** The objects of the JSON API that are about requests for secrets, under the names that it uses. */

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

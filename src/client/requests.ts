import { ConnectionError, isRecord } from './errors.ts';
import { newIdempotencyKey } from './repetition.ts';
import type { CallOptions, Transport } from './transport.ts';
import { encodeForm } from './upload.ts';
import type { FileInput } from './wire.ts';

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

/** What a request link asks for, and its limits. Whoever has it answers without an account. */
export type RequestLinkParams = {
  /** Whoever has the link reads it, as they do the note. */
  title: string;
  note?: string | undefined;
  /** E-mail addresses that get the link in a mail, where the server sends any. */
  to?: string[] | undefined;
  /** `both` if it is not set. */
  accepts?: 'text' | 'files' | 'both' | undefined;
  files_bytes_max?: number | undefined;
  /** A week if it is not set. */
  expire_after_minutes?: number | undefined;
  /** How many answers it takes, at most 100: if it is not set, 1, or as many as there are addresses. */
  answers?: number | undefined;
  answers_expire_after_days?: number | undefined;
  allow_name?: boolean | undefined;
  passphrase?: string | undefined;
};

/** A request link of yours. Its link is null for a token that may not see links. */
export type RequestLinkObject = {
  id: string;
  url_token: string | null;
  html_url: string | null;
  title: string | null;
  note: string | null;
  accepts: 'text' | 'files' | 'both';
  files_bytes_max: number | null;
  allow_name: boolean;
  passphrase: string | null;
  answers: number;
  answers_used: number;
  answers_expire_after_days: number;
  state: 'open' | 'answered' | 'closed' | 'expired';
  /** What became of the mails with it, when it is created. */
  mails?: { address: string; state: 'waiting' | 'handed_over' | 'refused'; reason: string | null }[];
  created_at: string;
  expires_at: string;
};

/** An answer to a request link: a push of yours, which `html_url` opens once. */
export type RequestAnswerObject = {
  receipt: string | null;
  name: string | null;
  url_token: string | null;
  html_url: string | null;
  waiting: boolean;
  created_at: string;
  expires_at: string;
};

/** What is sent to a request link. */
export type AnswerParams = {
  payload?: string | undefined;
  name?: string | undefined;
  passphrase?: string | undefined;
  files?: FileInput[] | undefined;
};

type AnswerOptions = CallOptions & { onProgress?: (sentBytes: number) => void };

const path = 'api/v1/requests.json';
const linksPath = 'api/v1/request-links.json';
const missingLink = 'There is no such request link, or it takes no more answers.';
const tokenShape = /^[0-9a-z]{26}$/;
const missing = 'There is no such request, or the server has no requests for secrets.';
const isReceipt = (body: unknown) => isRecord(body) && typeof body.receipt === 'string';
const isRequest = (body: unknown) => isRecord(body) && typeof body.id === 'string';
const isList = (body: unknown) => isRecord(body) && Array.isArray(body.received) && Array.isArray(body.sent);

type RequestList = { received: ListedSecretRequest[]; sent: ListedSecretRequest[] };

/** Requests for secrets between people in chats. Only hushpush has them. */
export function createRequestCalls({ call, base }: Transport) {
  /** Links are built from the address that was asked, so that no answer can lead anybody elsewhere. */
  function withOwnLink<Linked extends { url_token: string | null }>(prefix: 'a' | 'p', linked: Linked) {
    const { url_token: token } = linked;
    if (token !== null && !tokenShape.test(token))
      throw new ConnectionError('foreign', `${base.href} does not answer as hushpush does.`);
    return { ...linked, html_url: token && `${base.href}${prefix}/${token}` };
  }

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

    /** Creates a link by which anybody can send you a secret, without an account. */
    createLink: async (request_link: RequestLinkParams, options: CallOptions = {}) =>
      withOwnLink(
        'a',
        await call<RequestLinkObject>(linksPath, isRequest, {
          ...options,
          missing,
          method: 'POST',
          json: { request_link },
        }),
      ),

    /** Lists your request links: all that are open, and the newest of the others. */
    listLinks: async (options: CallOptions = {}) =>
      (await call<RequestLinkObject[]>(linksPath, Array.isArray, { ...options, missing })).map((link) =>
        withOwnLink('a', link),
      ),

    /** Closes a request link. It takes no more answers; what was sent stays. */
    closeLink: async (id: string, options: CallOptions = {}) =>
      withOwnLink(
        'a',
        await call<RequestLinkObject>(linksPath, isRequest, {
          ...options,
          missing: missingLink,
          method: 'DELETE',
          query: { id },
        }),
      ),

    /** Lists the answers to a request link, the first first. */
    listAnswers: async (id: string, options: CallOptions = {}) =>
      (
        await call<RequestAnswerObject[]>('api/v1/request-links/answers.json', Array.isArray, {
          ...options,
          missing: missingLink,
          query: { id },
        })
      ).map((answer) => withOwnLink('p', answer)),

    /** Answers the request link with this token, which needs no account. Returns a receipt, which opens nothing. */
    answer: (token: string, { files = [], ...fields }: AnswerParams, options: AnswerOptions = {}) => {
      if (!tokenShape.test(token)) throw new TypeError('That is not the token of a request link.');
      const { onProgress, ...rest } = options;
      const { headers, ...body } =
        files.length === 0
          ? { json: { answer: fields } }
          : { ...encodeForm(fields, files, onProgress, 'answer'), isUnlimited: true };
      return call<{ receipt: string }>(`a/${token}.json`, isReceipt, {
        ...rest,
        ...body,
        missing: missingLink,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': newIdempotencyKey() },
      });
    },

    /** Cancels an open request of yours. */
    cancel: (id: string, options: CallOptions = {}) =>
      call<RequestedSecret>(path, isRequest, { ...options, missing, method: 'DELETE', query: { id } }),
  };
}

import { ConnectionError, isRecord } from './errors.ts';
import { newIdempotencyKey } from './repetition.ts';
import type {
  AnswerParams,
  OpenRequestObject,
  RequestAnswerObject,
  RequestLinkObject,
  RequestLinkParams,
  SealedLinkObject,
} from './requestLinkObjects.ts';
import { sealAnswer, sealLink } from './sealedAnswers.ts';
import type { CallOptions, Transport } from './transport.ts';
import { encodeForm } from './upload.ts';
import type { ServerFeature } from './wire.ts';

export type Features = { has: (feature: ServerFeature) => Promise<boolean> };

type AnswerOptions = CallOptions & { onProgress?: (sentBytes: number) => void };

const path = 'api/v1/request-links.json';
const missing = 'There is no such request link, or it takes no more answers.';
const unknown = 'There is no such request, or the server has no requests for secrets.';
const tokenShape = /^[0-9a-z]{26}$/;
const isLink = (body: unknown) => isRecord(body) && typeof body.id === 'string';
const isOpenRequest = (body: unknown) => isRecord(body) && typeof body.encrypted_by === 'string';
const isReceipt = (body: unknown) => isRecord(body) && typeof body.receipt === 'string';

/** Finds the token in a request link; a token alone is one, too. */
function tokenIn(link: string): string {
  const [, token = link] = /\/a\/(\w{26})(?![^?#\s])/.exec(link) ?? [];
  if (!tokenShape.test(token.toLowerCase())) throw new TypeError('That is no request link.');
  return token.toLowerCase();
}

/** Links by which anybody answers an account with a secret. Only hushpush has them. */
export function createRequestLinkCalls({ call, base }: Transport, { has }: Features) {
  /** Links are built from the address that was asked, so that no answer can lead anybody elsewhere. */
  function withOwnLink<Linked extends { url_token: string | null }>(prefix: 'a' | 'p', linked: Linked) {
    const { url_token: token } = linked;
    if (token !== null && !tokenShape.test(token))
      throw new ConnectionError('foreign', `${base.href} does not answer as hushpush does.`);
    return { ...linked, html_url: token && `${base.href}${prefix}/${token}` };
  }

  const read = (link: string, options: CallOptions = {}) =>
    call<OpenRequestObject>(`a/${tokenIn(link)}.json`, isOpenRequest, { ...options, missing });

  const createLink = async (request_link: RequestLinkParams, options: CallOptions = {}) =>
    withOwnLink(
      'a',
      await call<RequestLinkObject>(path, isLink, {
        ...options,
        missing: unknown,
        method: 'POST',
        json: { request_link },
      }),
    );

  return {
    /** Creates a link by which anybody can send you a secret, without an account. */
    createLink,

    /**
     * The same, with answers that are sealed where they are written: only the key that this returns opens them, or the
     * passphrase, if you give one. The server has neither. The error has the code `unsupported` if it knows no sealed answers.
     */
    createSealedLink: async (
      request_link: RequestLinkParams,
      { passphrase, ...options }: CallOptions & { passphrase?: string | undefined } = {},
    ): Promise<SealedLinkObject> => {
      if (!(await has('sealed-answers')))
        throw new ConnectionError('unsupported', `${base.host} knows no sealed answers.`);
      const { params, complete } = await sealLink(request_link, passphrase);
      const created = await createLink(params, options);
      if (created.public_keys !== params.public_keys)
        throw new ConnectionError('foreign', `${base.href} did not take the keys of the link.`);
      return complete(created, base.href);
    },

    /** Lists your request links: all that are open, and the newest of the others. */
    listLinks: async (options: CallOptions = {}) =>
      (await call<RequestLinkObject[]>(path, Array.isArray, { ...options, missing: unknown })).map((link) =>
        withOwnLink('a', link),
      ),

    /** Closes a request link. It takes no more answers; what was sent stays. */
    closeLink: async (id: string, options: CallOptions = {}) =>
      withOwnLink(
        'a',
        await call<RequestLinkObject>(path, isLink, {
          ...options,
          missing,
          method: 'DELETE',
          query: { id },
        }),
      ),

    /** Mails a request link to an address that it went to again, while it is open. */
    sendLinkAgain: async (id: string, recipient: string, options: CallOptions = {}) =>
      withOwnLink(
        'a',
        await call<RequestLinkObject>('api/v1/request-links/recipients.json', isLink, {
          ...options,
          missing:
            'There is no such open request link, no mail went to that address, or the server sends none.',
          method: 'POST',
          query: { id, recipient },
        }),
      ),

    /** Lists the answers to a request link, the first first. */
    listAnswers: async (id: string, options: CallOptions = {}) =>
      (
        await call<RequestAnswerObject[]>('api/v1/request-links/answers.json', Array.isArray, {
          ...options,
          missing,
          query: { id },
        })
      ).map((answer) => withOwnLink('p', answer)),

    /** Reads what a request link asks for, which needs no account. */
    read,

    /**
     * Answers a request link, or the one with this token, which needs no account. If the link promises keys after `#`, the answer
     * is sealed to them; if the server shows others, nothing is sent, and the error is a SealingError. Returns a receipt, which
     * opens nothing.
     */
    answer: async (link: string, params: AnswerParams, options: AnswerOptions = {}) => {
      const token = tokenIn(link);
      const { onProgress, ...rest } = options;
      const answerId = newIdempotencyKey();
      const sealed = link.includes('#')
        ? await sealAnswer(params, { link, keys: await read(link), place: { token, answerId } })
        : undefined;
      const { files = [], ...fields } = sealed?.params ?? params;
      const { headers, ...body } =
        files.length === 0
          ? { json: { answer: fields } }
          : { ...encodeForm(fields, files, onProgress, 'answer'), isUnlimited: true };
      const sent = await call<{ receipt: string }>(`a/${token}.json`, isReceipt, {
        ...rest,
        ...body,
        missing,
        method: 'POST',
        headers: { ...headers, 'idempotency-key': answerId },
      });
      if (sealed !== undefined && sent.receipt !== sealed.receipt)
        throw new ConnectionError(
          'foreign',
          `${base.host} returned the receipt of another answer. Ask whether ${sealed.receipt} arrived.`,
        );
      return sent;
    },
  };
}

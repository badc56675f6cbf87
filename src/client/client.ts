import { createCreationCall } from './creation.ts';
import { ConnectionError, isRecord } from './errors.ts';
import { createFeatureReader } from './features.ts';
import { urlTokenOf } from './links.ts';
import { iteratePages, iterateSearch } from './pages.ts';
import { createRequestCalls } from './requests.ts';
import { type CallOptions, type ClientOptions, createTransport, isPushBody } from './transport.ts';
import { createWebhookCalls } from './webhooks.ts';
import type { ActivityEntry, ListEntry, ListParams, PushObject, RetrievedPush } from './wire.ts';

export { decryptFile, decryptPush, encryptPush } from './encryptedPush.ts';
export { DecryptionError } from './encryption.js';
export { ConnectionError, type ConnectionProblem, type RefusalCode, RefusedError } from './errors.ts';
export { findKey } from './findKey.js';
export { type LinkParts, parsePushLink } from './links.ts';
export type * from './requestWire.ts';
export type { CallOptions, ClientOptions } from './transport.ts';
export { SignatureError, verifyWebhook, type WebhookEvent } from './webhookSignature.ts';
export type * from './webhookWire.ts';
export type * from './wire.ts';

export type PushClient = ReturnType<typeof createClient>;

/**
 * A client of one server that speaks version 1 of the Password Pusher API, such as hushpush. Everything it returns has the
 * names of the API. It throws a RefusedError when the server refuses, and a ConnectionError when there is no usable
 * response. It repeats nothing but creations, and those only where that is safe. A push is named by its link or its url
 * token.
 */
export function createClient(clientOptions: ClientOptions) {
  const transport = createTransport(clientOptions);
  const { base, call, callPage, send } = transport;
  const { version: readVersion, has } = createFeatureReader(transport);
  const create = createCreationCall(transport, { has, retryDelaysMs: clientOptions.retryDelaysMs });
  const pathOf = (push: string, end = '.json') => `p/${urlTokenOf(push)}${end}`;

  /** Returns the link of a push. It uses no view, and works for expired pushes, too. */
  async function preview(push: string, options: CallOptions = {}): Promise<string> {
    const isPreview = (body: unknown) => isRecord(body) && typeof body.url === 'string';
    const { url } = await call<{ url: string }>(pathOf(push, '/preview.json'), isPreview, options);
    return url;
  }

  /**
   * Retrieves the secret, which uses a view. Without the right passphrase the error has the code `passphrase`. It is sent
   * where no log keeps it, if the server reads it there.
   */
  async function retrieve(
    push: string,
    { passphrase, ...options }: CallOptions & { passphrase?: string | undefined } = {},
  ): Promise<RetrievedPush> {
    const header = passphraseHeader(passphrase);
    const isInHeader = header !== undefined && (await has('x-passphrase'));
    const where = isInHeader ? { headers: { 'x-passphrase': header } } : { query: { passphrase } };
    return call(pathOf(push), isPushBody, { ...options, ...where });
  }

  /** Expires a push now, and erases its secret. */
  async function expire(push: string, options: CallOptions = {}): Promise<PushObject> {
    return call(pathOf(push), isPushBody, { ...options, method: 'DELETE' });
  }

  /** Lets a push of yours live for some minutes from now. Only hushpush can. */
  async function extend(push: string, minutes: number, options: CallOptions = {}): Promise<PushObject> {
    const missing = 'There is no such push, or its server cannot extend pushes.';
    const json = { extension: { minutes } };
    return call(pathOf(push, '/extend.json'), isPushBody, { ...options, method: 'POST', json, missing });
  }

  /**
   * Your pushes, newest first, or those that you look for. A server that cannot filter and sort is not asked to: the error
   * has the code `unsupported`.
   */
  function list(
    state: 'active' | 'expired' = 'active',
    { kind, search, recipient, sort, ...options }: ListParams & CallOptions = {},
  ) {
    const filters = { kind, search, recipient, sort };
    const isPlain = Object.values(filters).every((value) => value === undefined);
    async function fetchPage(place: Record<string, string | number | undefined>) {
      if (!isPlain && !(await has('list-filters')))
        throw new ConnectionError('unsupported', `${base.host} cannot filter or sort lists.`);
      return callPage<ListEntry[]>(`p/${state}.json`, Array.isArray, {
        ...options,
        query: { ...filters, ...place },
      });
    }
    return search === undefined && recipient === undefined
      ? iteratePages<ListEntry>(async (page) => (await fetchPage({ page })).body)
      : iterateSearch<ListEntry>(fetchPage);
  }

  /** What happened to a push of yours, oldest first. */
  function activity(push: string, options: CallOptions = {}) {
    const isPage = (body: unknown) => isRecord(body) && Array.isArray(body.views);
    return iteratePages<ActivityEntry>(async (page) => {
      const found = await call<{ views: ActivityEntry[] }>(pathOf(push, '/audit.json'), isPage, {
        ...options,
        query: { page },
      });
      return found.views;
    });
  }

  /** Opens a file of a retrieved push, from a byte on. It is served for a few minutes after the retrieval. */
  async function download(
    file: { url: string | null },
    { fromByte = 0, ...options }: CallOptions & { fromByte?: number } = {},
  ): Promise<Response> {
    if (file.url === null) throw new TypeError('The file has no address: retrieve the push to get one.');
    const headers = { accept: '*/*', ...(fromByte > 0 && { range: `bytes=${fromByte}-` }) };
    return send(file.url, { ...options, headers, isUnlimited: true, isPublic: true });
  }

  /** Says which software the server runs. Needs no token. */
  async function version(options: CallOptions = {}) {
    return readVersion(options);
  }

  return {
    /** The address of the server. */
    server: base.href.replace(/\/$/, ''),
    create,
    preview,
    retrieve,
    expire,
    extend,
    list,
    activity,
    download,
    version,
    requests: createRequestCalls(transport),
    webhooks: createWebhookCalls(transport),
  };
}

/** A passphrase in UTF-8, as a header takes it; undefined if a header would change it. */
function passphraseHeader(passphrase = ''): string | undefined {
  if (passphrase.trim() !== passphrase || /^$|\p{Cc}/u.test(passphrase)) return undefined;
  return String.fromCharCode(...new TextEncoder().encode(passphrase));
}

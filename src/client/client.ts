import { createAccountCalls } from './account.ts';
import { createCreationCall } from './creation.ts';
import { ConnectionError, isRecord, RefusedError } from './errors.ts';
import { createFeatureReader } from './features.ts';
import { missingPush, parsePushLink, urlTokenOf } from './links.ts';
import { iteratePages, iterateSearch } from './pages.ts';
import { createRecipientCalls } from './recipients.ts';
import { newIdempotencyKey, sendRepeatedly } from './repetition.ts';
import { createRequestCalls } from './requests.ts';
import {
  type CallOptions,
  type ClientOptions,
  createTransport,
  isNamedPushBody,
  isPushBody,
  type RequestOptions,
} from './transport.ts';
import { createWebhookCalls } from './webhooks.ts';
import type {
  ActivityEntry,
  GrantedScope,
  ListEntry,
  ListParams,
  PushObject,
  RetrievedPush,
} from './wire.ts';

export type { SecurityLogEntry } from './account.ts';
export { type DeviceCode, signInByDevice } from './deviceSignIn.ts';
export { decryptFile, decryptPush, encryptPush, NotEncryptedError } from './encryptedPush.ts';
export { DecryptionError } from './encryption.js';
export { ConnectionError, type ConnectionProblem, type RefusalCode, RefusedError } from './errors.ts';
export { type ExchangedToken, exchangeToken, githubIdentity } from './exchange.ts';
export { findKey } from './findKey.js';
export { type LinkParts, parsePushLink } from './links.ts';
export type * from './requestLinkObjects.ts';
export type { ListedSecretRequest, RequestedSecret, RequestParams, SentRequests } from './requests.ts';
export { safeFilename } from './safeFilename.js';
export { openAnswers, opensByPasskey } from './sealedAnswers.ts';
export type { SealingError } from './sealing.js';
export type { CallOptions, ClientOptions } from './transport.ts';
export { SignatureError, verifyWebhook, type WebhookEvent } from './webhookSignature.ts';
export type { DeliveryEntry, RegisteredWebhook, RotatedWebhookSecret } from './webhooks.ts';
export type * from './wire.ts';

export type PushClient = ReturnType<typeof createClient>;

type RetrievalOptions = CallOptions & {
  passphrase?: string | undefined;
  /**
   * On hushpush, retrievals with the same key within a minute are one view; 16 to 255 visible characters. Without it, each
   * call has a random one.
   */
  idempotencyKey?: string | undefined;
};

/**
 * A client of one server that speaks version 1 of the Password Pusher API, such as hushpush. Everything it returns has the
 * names of the API. It throws a RefusedError when the server refuses, and a ConnectionError when there is no usable
 * response. It repeats nothing but creations and retrievals, and those only where that is safe. A push is named by its link or its url
 * token; with a token of hushpush also by its `url_token_sha256`, except to retrieve it.
 */
export function createClient(clientOptions: ClientOptions) {
  const transport = createTransport(clientOptions);
  const { base, hasToken, call, callPage, links, send, knownScope } = transport;
  const { version: readVersion, has } = createFeatureReader(transport);
  const { retryDelaysMs } = clientOptions;
  const { create, requireMail } = createCreationCall(transport, { has, retryDelaysMs });
  const pathOf = (push: string, end = '.json') => `p/${urlTokenOf(push)}${end}`;
  const callForPush = async (path: string, request: RequestOptions) =>
    links.requireOwnLinks(await call<PushObject>(path, isPushBody, request));

  /**
   * Returns the link of a push; null for a token that may not open it. It uses no view, and works for expired pushes, too.
   */
  async function preview(push: string, options: CallOptions = {}): Promise<string | null> {
    const isPreview = (body: unknown) =>
      isRecord(body) && (typeof body.url === 'string' || body.url === null);
    const { url } = await call<{ url: string | null }>(pathOf(push, '/preview.json'), isPreview, options);
    links.requireOwn(url);
    const name = urlTokenOf(push);
    const urlToken = /^[0-9a-f]{64}$/.test(name) && url ? parsePushLink(url)?.urlToken : name;
    return url && links.linkTo(urlToken ?? name, url);
  }

  /**
   * Opens a push: returns its secret, which uses a view. Without the right passphrase the error has the code
   * `passphrase`. It is sent where no log keeps it, if the server reads it there. If the response is lost, it is sent again
   * on hushpush, which counts one view for it.
   */
  async function retrieve(
    push: string,
    { passphrase, idempotencyKey = newIdempotencyKey(), ...options }: RetrievalOptions = {},
  ): Promise<RetrievedPush> {
    const header = passphraseHeader(passphrase);
    const isInHeader = header !== undefined && (await has('x-passphrase'));
    const headers = { 'idempotency-key': idempotencyKey, ...(isInHeader && { 'x-passphrase': header }) };
    const query = isInHeader ? {} : { passphrase };
    const request = { ...options, headers, query, missing: missingPush(push) };
    const retrieved = await sendRepeatedly(() => call<RetrievedPush>(pathOf(push), isPushBody, request), {
      honorsKeys: () => has('repeatable-retrieval'),
      delaysMs: clientOptions.retryDelaysMs,
      signal: options.signal,
    });
    return links.withOwnLinks(retrieved); // what a view gave is not thrown away over a link
  }

  /** Expires a push now, and erases its secret. */
  async function expire(push: string, options: CallOptions = {}): Promise<ListEntry> {
    const request = { ...options, method: 'DELETE' } as const;
    return links.requireOwnLinks(await call<ListEntry>(pathOf(push), isNamedPushBody, request));
  }

  /** Lets a push of yours live for some minutes from now. Only hushpush can. */
  async function extend(push: string, minutes: number, options: CallOptions = {}): Promise<PushObject> {
    const missing = 'There is no such push, or its server cannot extend pushes.';
    const json = { extension: { minutes } };
    return callForPush(pathOf(push, '/extend.json'), { ...options, method: 'POST', json, missing });
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
      const page = await callPage<ListEntry[]>(`p/${state}.json`, Array.isArray, {
        ...options,
        query: { ...filters, ...place },
      });
      return { ...page, body: page.body.map(links.requireOwnLinks) };
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

  /**
   * Opens a file of a retrieved push, from a byte on. It is served for a few minutes after the retrieval. The request has no
   * token, and goes to this server alone.
   */
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

  /** Says what the API token may do; undefined without a token, and where the server does not say. */
  async function tokenScope(options: CallOptions = {}): Promise<GrantedScope | undefined> {
    if (!hasToken) return undefined;
    if (knownScope() === null) await list('active', options).next().catch(ignoreForbidden);
    return scopes.find((scope) => scope === knownScope());
  }

  return {
    /** The address of the server. */
    server: base.href.replace(/\/$/, ''),
    create,
    requireMail,
    preview,
    retrieve,
    expire,
    extend,
    list,
    activity,
    download,
    version,
    tokenScope,
    account: createAccountCalls(transport),
    recipients: createRecipientCalls(transport),
    requests: createRequestCalls(transport, { has }),
    webhooks: createWebhookCalls(transport),
  };
}

/** A passphrase in UTF-8, as a header takes it; undefined if a header would change it. */
function passphraseHeader(passphrase = ''): string | undefined {
  if (passphrase.trim() !== passphrase || /^$|\p{Cc}/u.test(passphrase)) return undefined;
  return String.fromCharCode(...new TextEncoder().encode(passphrase));
}

const scopes: GrantedScope[] = ['full', 'create', 'read'];

/** A token that may not list was told so, and its scope with it. */
function ignoreForbidden(error: unknown): void {
  if (!(error instanceof RefusedError) || error.code !== 'forbidden') throw error;
}

import { ConnectionError, isRecord, toRefusedError } from './errors.ts';
import { createOwnLinks } from './ownLinks.ts';
import { maybeUrl } from './url.ts';

/** Where a server is, and who calls it. */
export type ClientOptions = {
  /** The address of the server, with its path if it has one. */
  server: string;
  /** An API token. Without one, the caller is anonymous. */
  token?: string | undefined;
  /** The address of the account, which versions of Password Pusher before 1.50 want beside the token. */
  email?: string | undefined;
  userAgent?: string | undefined;
  /** Replaces the global `fetch`, such as to go through a proxy. */
  fetch?: typeof fetch;
  /** How long to wait for a response; 30 seconds by default. It does not limit uploads and downloads. */
  timeoutMs?: number;
  /** How long to wait before each repetition of a creation or a retrieval; half a second, then two by default, and `[]` for none. */
  retryDelaysMs?: number[];
};

/** Ends a request early. */
export type CallOptions = { signal?: AbortSignal | undefined };

export type RequestOptions = CallOptions & {
  method?: 'GET' | 'POST' | 'DELETE';
  query?: Record<string, string | number | undefined>;
  json?: unknown;
  body?: BodyInit;
  headers?: Record<string, string>;
  /** Without the time limit for responses. */
  isUnlimited?: boolean;
  /** The error for a 404, if it is not a missing push. */
  missing?: string | undefined;
  /** Without the token, and through redirects that stay on the server. */
  isPublic?: boolean;
};

export type Transport = ReturnType<typeof createTransport>;

const defaultTimeoutMs = 30_000;
const redirectsMax = 5;

/**
 * Sends requests to one server. A redirect could carry a secret or a token somewhere else, so only downloads follow one, and
 * only to the same server. Browsers do not say where one leads, so there none is followed.
 */
export function createTransport(options: ClientOptions) {
  const base = baseOf(options.server);
  const links = createOwnLinks(base);
  const { timeoutMs = defaultTimeoutMs } = options;
  const identity = identityHeaders(options);
  const program = options.userAgent ? { 'user-agent': options.userAgent } : {};
  let tokenScope: string | null = null;

  function addressOf(path: string, query: RequestOptions['query'] = {}): URL {
    const address = new URL(path, base);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) address.searchParams.set(name, String(value));
    return address;
  }

  function initOf({ json, isPublic, ...request }: RequestOptions): RequestInit {
    const body = json === undefined ? request.body : JSON.stringify(json);
    return {
      method: request.method ?? 'GET',
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...program,
        ...(!isPublic && identity),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...request.headers,
      },
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && streaming),
    };
  }

  function readScope({ headers }: Response, { isPublic }: RequestOptions): void {
    if (!isPublic) tokenScope = headers.get('x-token-scope') ?? tokenScope;
  }

  /** The response to a request, whose status is 2xx. */
  async function send(path: string, request: RequestOptions = {}): Promise<Response> {
    const { query, signal, isUnlimited } = request;
    const signals = [signal, isUnlimited ? undefined : AbortSignal.timeout(timeoutMs)];
    const init = { ...initOf(request), signal: AbortSignal.any(signals.filter((one) => one !== undefined)) };
    let address = addressOf(path, query);
    for (let redirects = 0; ; redirects++) {
      links.requireOwn(address.href);
      const response = await (options.fetch ?? fetch)(address, init).catch(failedBy(signal));
      readScope(response, request);
      if (response.ok) return response;
      if (!isRedirect(response))
        throw toRefusedError(response, await readJson(response, signal), request.missing);
      const location = response.headers.get('location');
      if (!request.isPublic || location === null || redirects === redirectsMax)
        throw redirectError(base, location);
      await response.body?.cancel();
      address = new URL(location, address);
    }
  }

  /** Undefined if the body is not JSON. */
  async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
    return parseJson(await response.text().catch(failedBy(signal)));
  }

  const failedBy = (signal: AbortSignal | undefined) => (error: unknown) => {
    if (signal?.aborted) throw error;
    throw isUnexpectedRedirect(error) ? redirectError(base, null) : connectionError(base, error);
  };

  /** The response to a request, as JSON of the kind that `isExpected` recognizes, and the query of the page that follows. */
  async function callPage<T>(
    path: string,
    isExpected: (body: unknown) => boolean,
    request: RequestOptions = {},
  ): Promise<{ body: T; next: URLSearchParams | undefined }> {
    const response = await send(path, request);
    const body = await readJson(response, request.signal);
    if (isExpected(body)) return { body: body as T, next: maybeNextQuery(response) };
    throw new ConnectionError('foreign', `${base.href} does not answer as Password Pusher does.`);
  }

  /** The response to a request, as JSON of the kind that `isExpected` recognizes. */
  const call = async <T>(...request: Parameters<typeof callPage>): Promise<T> =>
    (await callPage<T>(...request)).body;

  /** What the server last said that the token may do. */
  const knownScope = () => tokenScope;

  return { base, links, hasToken: Boolean(options.token), send, call, callPage, knownScope };
}

/**
 * How a stream is sent. Otherwise `fetch` keeps a copy of all that it has sent, to repeat the request in another window or
 * after a redirect (Fetch, “HTTP-network-or-cache fetch”, step 8).
 */
const streaming = { duplex: 'half', redirect: 'error', window: null } as const;

const isUnexpectedRedirect = (error: unknown) =>
  (error as { cause?: { message?: string } }).cause?.message === 'unexpected redirect';

const isRedirect = ({ type, status }: Response) =>
  type === 'opaqueredirect' || (status >= 300 && status < 400);

/** Whether a response is about one push, with its link. */
export const isPushBody = (body: unknown) => isRecord(body) && typeof body.url_token === 'string';

/** The same with or without its link. */
export const isNamedPushBody = (body: unknown) =>
  isPushBody(body) || (isRecord(body) && typeof body.url_token_sha256 === 'string');

/** Where a `Link` leads to a next page (RFC 8288), its query. */
function maybeNextQuery({ headers }: Response): URLSearchParams | undefined {
  const [, address = ''] = /<([^>]*)>; rel="next"/.exec(headers.get('link') ?? '') ?? [];
  return maybeUrl(address)?.searchParams;
}

function baseOf(server: string): URL {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(server) ? server : `https://${server}`;
  const url = maybeUrl(text);
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new TypeError(`${server} is not the address of a server, such as https://push.example.com.`);
  return new URL(`${url.origin}${url.pathname.replace(/\/*$/, '/')}`);
}

function identityHeaders({ token, email }: ClientOptions): Record<string, string> {
  return {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(token && email && { 'x-user-email': email, 'x-user-token': token }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function connectionError(base: URL, error: unknown): ConnectionError {
  const { name, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return new ConnectionError('timeout', `${base.host} does not answer.`, error);
  const reason = cause?.code ?? cause?.message;
  return new ConnectionError(
    'unreachable',
    `${base.host} cannot be reached${reason ? ` (${reason})` : ''}.`,
    error,
  );
}

function redirectError(base: URL, location: string | null): ConnectionError {
  const target = location !== null && maybeUrl(location, base)?.origin;
  return new ConnectionError(
    'redirected',
    `${base.origin} sends its callers elsewhere${target ? `: use ${target} instead` : ''}.`,
  );
}

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressesOf, type Lookup, pinnedTo } from './addresses.ts';
import { NoResponseError, toNoResponseError } from './noResponse.ts';

/** What we use of a response. */
export type PostResponse = { status: number; retryAfter: string | undefined };

export type PostSettings = {
  lookup: Lookup;
  /** Whether addresses of this machine and of private networks are allowed. */
  allowPrivate: boolean;
  /** For the whole request, from DNS to the end of the response. */
  timeoutMs: number;
};

type PostRequest = { url: string; headers: Record<string, string>; body: string };

const responseBytesMax = 64 * 1024;

/**
 * Sends a POST over a connection of its own. Resolves to the response, whatever its status; does not follow redirects.
 * Throws NoResponseError when no response came in time, or the address is not allowed.
 */
export async function post(request: PostRequest, settings: PostSettings): Promise<PostResponse> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), settings.timeoutMs);
  try {
    return await exchange(request, settings, deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted)
      throw new NoResponseError(`no response within ${settings.timeoutMs / 1_000} s`);
    throw toNoResponseError(error);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(
  request: PostRequest,
  settings: PostSettings,
  signal: AbortSignal,
): Promise<PostResponse> {
  const url = new URL(request.url);
  const addresses = await Promise.race([addressesOf(url.hostname, settings), rejectOnAbort(signal)]);
  const response = await send(url, request, { lookup: pinnedTo(addresses), signal });
  await drain(response);
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
}

/** DNS lookups cannot be cancelled, only abandoned. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function send(
  url: URL,
  { headers, body }: PostRequest,
  connection: { lookup: LookupFunction; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const outgoing = request(url, { method: 'POST', headers, agent: false, ...connection });
    outgoing.on('response', resolve);
    outgoing.on('error', reject);
    // after 101 Switching Protocols neither of them is emitted
    outgoing.on('close', () => reject(new NoResponseError('closed without a response')));
    outgoing.end(body);
  });
}

/** Reads the response body up to a limit: a reset in the middle would be an error in the receiver's log. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > responseBytesMax) return;
    }
  } catch {
    // the status counts, however the body ends
  }
}

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressesOf, type Lookup, pinnedTo } from './addresses.ts';
import { NoResponseError, toNoResponseError } from './noResponse.ts';

/** What counts of an answer. */
export type PostResponse = { status: number; retryAfter: string | undefined };

export type PostSettings = {
  lookup: Lookup;
  /** Whether addresses of this machine and of private networks may be connected to. */
  allowPrivate: boolean;
  /** For all of it, from the name of the host to the end of the answer. */
  timeoutMs: number;
};

type PostRequest = { url: string; headers: Record<string, string>; body: string };

const responseBytesMax = 64 * 1024;

/**
 * Sends one POST over a connection of its own and gives its answer, whatever that says; redirects are not followed.
 * Throws Unanswered when none came in time, or the host may not be connected to.
 */
export async function post(request: PostRequest, settings: PostSettings): Promise<PostResponse> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), settings.timeoutMs);
  try {
    return await exchange(request, settings, deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted)
      throw new NoResponseError(`no answer within ${settings.timeoutMs / 1_000} s`);
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

/** Asking for a host name cannot be called off, only left alone. */
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
    // after 101 Switching Protocols there is neither
    outgoing.on('close', () => reject(new NoResponseError('closed without an answer')));
    outgoing.end(body);
  });
}

/** Lets the other side say what it has to say, within bounds: a reset in the middle is a failure in its log. The status stands. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > responseBytesMax) return;
    }
  } catch {
    // cut short by the other side, or by the deadline
  }
}

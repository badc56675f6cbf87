import http, { type Agent, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { type Address, addressesOf, type Lookup, pinnedTo } from './addresses.ts';
import { NoResponseError, noTunnel, toNoResponseError } from './noResponse.ts';

/** What we use of a response. Of a body beyond 64 KiB, `text` has the beginning. */
export type OutgoingResponse = { status: number; retryAfter: string | undefined; text: string };

export type OutgoingSettings = {
  lookup: Lookup;
  /** Whether addresses of this machine and of private networks are allowed. */
  allowPrivate: boolean;
  /** For the whole request, from DNS to the end of the response. */
  timeoutMs: number;
  /** The agent of a proxy for an address, where requests do not go out directly. */
  agentOf?: (url: URL) => Agent | undefined;
};

/** A POST if it has a body, else a GET. */
type OutgoingRequest = { url: string; headers: Record<string, string>; body?: string };

const responseBytesMax = 64 * 1024;

/**
 * Sends a request to an address that others named, over a connection of its own. Resolves to the response, whatever its status; does not follow redirects.
 * Throws NoResponseError when no response came in time, or the address is not allowed.
 */
export async function sendOutgoing(
  request: OutgoingRequest,
  settings: OutgoingSettings,
): Promise<OutgoingResponse> {
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
  request: OutgoingRequest,
  settings: OutgoingSettings,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const url = new URL(request.url);
  const addresses = await Promise.race([addressesOf(url.hostname, settings), rejectOnAbort(signal)]);
  const response = await send(url, request, { ...routeOf(url, addresses, settings), signal });
  const text = await drain(response);
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'], text };
}

/**
 * How to reach addresses that were checked. A proxy is asked for one of them, if possible of IPv4, and not for the name, which
 * might lead it elsewhere.
 */
function routeOf(url: URL, addresses: Address[], { agentOf, timeoutMs }: OutgoingSettings): RequestOptions {
  const agent = agentOf?.(url);
  if (agent === undefined) return { agent: false, lookup: pinnedTo(addresses) };
  const { address = '', family } = addresses.toSorted((a, b) => a.family - b.family)[0] ?? {};
  return { agent, hostname: family === 6 ? `[${address}]` : address, timeout: timeoutMs };
}

/** DNS lookups cannot be cancelled, only abandoned. */
function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function send(url: URL, { headers, body }: OutgoingRequest, route: RequestOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const own = { host: url.host, connection: 'close' }; // the name, also where a proxy is asked for an address
    const method = body === undefined ? 'GET' : 'POST';
    const outgoing = request(url, { method, headers: { ...headers, ...own }, ...route });
    outgoing.on('response', resolve);
    outgoing.on('error', (error) => reject(route.agent && !outgoing.socket ? noTunnel(error) : error));
    // after 101 Switching Protocols neither of them is emitted
    outgoing.on('close', () => reject(new NoResponseError('closed without a response')));
    outgoing.end(body);
  });
}

/** Reads the response body up to a limit: a reset in the middle would be an error in the receiver's log. */
async function drain(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      if (bytes > responseBytesMax) break;
    }
  } catch {
    // the status counts, however the body ends
  }
  return Buffer.concat(chunks).subarray(0, responseBytesMax).toString();
}

import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { addressesOf, type Lookup, pinnedTo } from './addresses.ts';
import { asUnanswered, Unanswered } from './noResponse.ts';

/** What counts of an answer. */
export type Answer = { status: number; retryAfter: string | undefined };

export type PostSettings = {
  lookup: Lookup;
  /** Whether addresses of this machine and of private networks may be connected to. */
  allowPrivate: boolean;
  /** For all of it, from the name of the host to the end of the answer. */
  timeoutMs: number;
};

type Message = { url: string; headers: Record<string, string>; body: string };

const answerBytesMax = 64 * 1024;

/**
 * Sends one POST over a connection of its own and gives its answer, whatever that says; redirects are not followed.
 * Throws Unanswered when none came in time, or the host may not be connected to.
 */
export async function post(message: Message, settings: PostSettings): Promise<Answer> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), settings.timeoutMs);
  try {
    return await exchange(message, settings, deadline.signal);
  } catch (error) {
    if (deadline.signal.aborted) throw new Unanswered(`no answer within ${settings.timeoutMs / 1_000} s`);
    throw asUnanswered(error);
  } finally {
    clearTimeout(timer);
  }
}

async function exchange(message: Message, settings: PostSettings, signal: AbortSignal): Promise<Answer> {
  const url = new URL(message.url);
  const addresses = await Promise.race([addressesOf(url.hostname, settings), endOf(signal)]);
  const response = await send(url, message, { lookup: pinnedTo(addresses), signal });
  await drain(response);
  return { status: response.statusCode ?? 0, retryAfter: response.headers['retry-after'] };
}

/** Asking for a host name cannot be called off, only left alone. */
function endOf(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

function send(
  url: URL,
  { headers, body }: Message,
  connection: { lookup: LookupFunction; signal: AbortSignal },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const req = request(url, { method: 'POST', headers, agent: false, ...connection });
    req.on('response', resolve);
    req.on('error', reject);
    // after 101 Switching Protocols there is neither
    req.on('close', () => reject(new Unanswered('closed without an answer')));
    req.end(body);
  });
}

/** Lets the other side say what it has to say, within bounds: a reset in the middle is a failure in its log. The status stands. */
async function drain(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += (chunk as Buffer).length;
      if (bytes > answerBytesMax) return;
    }
  } catch {
    // cut short by the other side, or by the deadline
  }
}

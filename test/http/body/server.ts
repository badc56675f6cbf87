import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Body, BodyError, type BodyOptions, readBody } from '../../../src/http/body/body.ts';

type Outcome = { body: Body } | { error: unknown };
type Exchange = { status: number | undefined; outcome: Outcome };

/**
 * How the server reads the bodies of a test, at once or a turn of the event loop later, and what it read so far. All are reset
 * before each test.
 */
export const reading = { options: {} as BodyOptions, isLate: false, outcomes: [] as Outcome[] };

export const canary = 'CANARY';
const statusOf = { malformed: 400, too_large: 413, unsupported_media_type: 415, timeout: 408, aborted: 400 };

let server: Server;
let agent: Agent;

function statusFor(error: unknown): number {
  return error instanceof BodyError ? statusOf[error.code] : 500;
}

export function port(): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

/** Sends each piece as one chunk, so that the parsers see exactly these chunks. After a number, waits for so many milliseconds. */
export async function post(
  headers: OutgoingHttpHeaders,
  ...pieces: (Buffer | string | number)[]
): Promise<Exchange> {
  reading.outcomes = [];
  const req = request({ port: port(), host: '127.0.0.1', method: 'POST', headers, agent });
  const answered = once(req, 'response');
  for (const piece of pieces) {
    if (typeof piece === 'number') await sleep(piece);
    else if (piece.length > 0) req.write(piece);
  }
  req.end();
  const [res]: IncomingMessage[] = await answered;
  if (res) await readText(res);
  const [outcome = { error: new Error('no outcome') }] = reading.outcomes;
  return { status: res?.statusCode, outcome };
}

export async function values(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<unknown> {
  return (await body(headers, ...pieces)).values;
}

export async function body(headers: OutgoingHttpHeaders, ...pieces: (Buffer | string)[]): Promise<Body> {
  const { outcome } = await post(headers, ...pieces);
  if ('error' in outcome) throw outcome.error;
  return outcome.body;
}

export async function refusal(
  headers: OutgoingHttpHeaders,
  ...pieces: (Buffer | string)[]
): Promise<BodyError> {
  const { outcome } = await post(headers, ...pieces);
  if ('body' in outcome) throw new Error(`accepted: ${JSON.stringify(outcome.body)}`);
  return requireBodyError(outcome.error);
}

export function requireBodyError(error: unknown): BodyError {
  if (!(error instanceof BodyError)) throw error;
  expect(error.message)
    .to.match(/^[A-Z][ -~]*\.$/)
    .and.not.include(canary);
  return error;
}

export const json = { 'content-type': 'application/json' };
export const form = { 'content-type': 'application/x-www-form-urlencoded' };
export const multipart = { 'content-type': 'multipart/form-data; boundary=B' };

/** A multipart body of parts, each with its headers and its content. */
export function parts(...list: [string, Buffer | string][]): Buffer {
  const pieces = list.flatMap(([head, content]) => [`--B\r\n${head}\r\n\r\n`, content, '\r\n']);
  return Buffer.concat([...pieces, '--B--\r\n'].map((piece) => Buffer.from(piece)));
}

export function named(name: string, content: Buffer | string): [string, Buffer | string] {
  const quoted = name.replaceAll(/["\\]/g, '\\$&');
  return [`Content-Disposition: form-data; name="${quoted}"`, content];
}

/** The same objects with ordinary prototypes, for comparisons. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** Calls a listener with the next request, before its body is read. */
export function onNextRequest(listener: (req: IncomingMessage) => void): void {
  server.once('request', listener);
}

/** Sends a request with any method, and waits for its response. */
export async function send(method: string, headers: OutgoingHttpHeaders, content: string): Promise<void> {
  const req = request({ port: port(), host: '127.0.0.1', method, headers, agent }).end(content);
  const [res]: IncomingMessage[] = await once(req, 'response');
  if (res) await readText(res);
}

/** Serves bodies to the tests of a `describe`. */
export function useBodyServer(): void {
  before(async () => {
    agent = new Agent({ keepAlive: true, maxSockets: 1 });
    server = createServer(async (req, res) => {
      if (reading.isLate) await nextTurn();
      const outcome = await readBody(req, { timeoutMs: 60_000, ...reading.options }).then(
        (body) => ({ body }),
        (error: unknown) => ({ error }),
      );
      reading.outcomes.push(outcome);
      res.statusCode = 'body' in outcome ? 200 : statusFor(outcome.error);
      res.end('answer');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  beforeEach(() => {
    reading.options = {};
    reading.isLate = false;
    reading.outcomes = [];
  });

  after(() => {
    agent.destroy();
    server.closeAllConnections();
    server.close();
  });
}

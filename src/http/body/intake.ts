import type { IncomingMessage } from 'node:http';
import { BodyError } from './errors.ts';

/** The size and time limits of a body, and how long the rest of a refused one is drained at least. */
export type IntakeLimits = { maxBytes: number; timeoutMs: number; lingerMs: number };

/** What a sink may do with the request that feeds it. The first call of `done` or `fail` settles it. */
export type Flow<T> = { pause(): void; resume(): void; done(value: T): void; fail(error: unknown): void };

/** Where the bytes go. After a failure, `abort` ends what is still running before the caller gets the error. */
export type Sink = { chunk(bytes: Buffer): void; end(): void; abort?(error: unknown): Promise<unknown> };

/** Pipes a request's body into a sink, within limits. */
export function receiveBody<T>(
  req: IncomingMessage,
  limits: IntakeLimits,
  open: (flow: Flow<T>) => Sink,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (Number(req.headers['content-length']) > limits.maxBytes) {
      discardRest(req, limits.lingerMs);
      return reject(tooLarge());
    }
    const deadline = performance.now() + limits.timeoutMs;
    const timer = setTimeout(
      () => fail(new BodyError('timeout', 'The body took too long.')),
      limits.timeoutMs,
    );
    let received = 0;
    let isSettled = false;

    function settle(): boolean {
      if (isSettled) return false;
      isSettled = true;
      clearTimeout(timer);
      return true;
    }
    function done(value: T): void {
      if (settle()) resolve(value);
    }
    function fail(error: unknown): void {
      if (!settle()) return;
      req.off('data', take);
      discardRest(req, Math.max(limits.lingerMs, deadline - performance.now()));
      if (sink.abort) sink.abort(error).finally(() => reject(error));
      else reject(error);
    }
    function take(bytes: Buffer): void {
      received += bytes.length;
      if (received > limits.maxBytes) fail(tooLarge());
      else sink.chunk(bytes);
    }
    function end(): void {
      clearTimeout(timer);
      if (!isSettled) sink.end();
    }
    function abort(): void {
      if (!req.readableEnded)
        fail(new BodyError('aborted', 'The client disconnected before its body was complete.'));
    }

    const sink = open({ pause: () => req.pause(), resume: () => req.resume(), done, fail });
    req.on('data', take).once('end', end).on('error', abort).once('close', abort);
    if (req.destroyed) abort();
  });
}

/** Collects a request's whole body, within limits. */
export async function collect(req: IncomingMessage, limits: IntakeLimits): Promise<Buffer> {
  return maybeArrived(req, limits) ?? collectAsItArrives(req, limits);
}

/** A body that is in memory already, as short ones are that come with their headers. It needs no listeners and no timer. */
function maybeArrived(req: IncomingMessage, { maxBytes }: IntakeLimits): Buffer | undefined {
  const { readableLength: bytes, headers } = req;
  if (bytes === 0 || bytes > maxBytes || bytes !== Number(headers['content-length'])) return undefined;
  const body: Buffer | null = req.read();
  req.resume(); // to its end
  return body ?? undefined;
}

function collectAsItArrives(req: IncomingMessage, limits: IntakeLimits): Promise<Buffer> {
  return receiveBody(req, limits, (flow) => {
    const chunks: Buffer[] = [];
    return {
      chunk: (bytes) => void chunks.push(bytes),
      end: () => flow.done(joinChunks(chunks)),
    };
  });
}

/** Concatenates buffers; does not copy if there is only one. */
export function joinChunks(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  return first && chunks.length === 1 ? first : Buffer.concat(chunks);
}

const discarded = new WeakSet<IncomingMessage>();

/**
 * Drains the rest of a refused body: a connection that is closed with unread input is reset, and the client would never
 * see the response. Cuts the connection when that takes longer than `forMs`; only the first call for a request counts.
 */
export function discardRest(req: IncomingMessage, forMs: number): void {
  if (req.readableEnded || req.destroyed || discarded.has(req)) return;
  discarded.add(req);
  limitArrival(req, forMs);
  req.on('error', () => {}).resume();
}

/** Cuts the connection when the rest of a request takes longer to arrive. */
export function limitArrival(req: IncomingMessage, ms: number): void {
  const timer = setTimeout(() => req.destroy(), ms).unref();
  const stop = () => clearTimeout(timer);
  req.once('end', stop).once('close', stop);
}

/** The error for a body over its limit. */
export function tooLarge(): BodyError {
  return new BodyError('too_large', 'The body is too large.');
}

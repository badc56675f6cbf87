import type { IncomingMessage, ServerResponse } from 'node:http';

const bodyBytesMax = 1024 * 1024;

/** The bytes of a request, as signatures cover them; undefined if there are too many. */
async function maybeBody(req: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req) {
    length += chunk.length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const skewMaxSeconds = 300;

/** Whether a request was signed within five minutes, past or future, by the epoch seconds in its header. */
export const isFresh = (signedAt: string | string[] | undefined): boolean =>
  Math.abs(Date.now() / 1_000 - Number(signedAt ?? Number.NaN)) <= skewMaxSeconds;

/** A JSON object, which is taken for what it should be; undefined for anything else. */
export function maybeJsonObject<Expected extends object = object>(body: Buffer): Expected | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? (value as Expected) : undefined;
  } catch {
    return undefined;
  }
}

/** Gives the body of the response; undefined for a request that the chat did not send. */
export type MaybeWork = (
  body: Buffer,
  headers: IncomingMessage['headers'],
  /** Does something once the response is sent. */
  afterwards: (task: () => void) => void,
) => (() => Promise<object>) | undefined;

/** Handles requests with a response in JSON. `onFailure` gives that for work that failed. */
export const createJsonHandler =
  (maybeWork: MaybeWork, onFailure?: (error: unknown) => object) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const received = await maybeBody(req);
    if (received === undefined) return rejectRequest(req, res, 413);
    const work = maybeWork(received, req.headers, (task) => res.once('finish', task));
    if (work === undefined) return rejectRequest(req, res, 401);
    const body = await work().catch(onFailure);
    res.statusCode = 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(body));
  };

/** Responds without a body. */
export function rejectRequest(req: IncomingMessage, res: ServerResponse, status: number): void {
  if (!req.complete) res.setHeader('connection', 'close'); // or the server waits for the rest of it
  res.statusCode = status;
  res.end();
}

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

/** A JSON object; undefined for anything else. */
export function maybeJsonObject(body: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(body.toString());
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A response in JSON, and what is left to do once it is sent. */
export type JsonReply = { body: object; afterwards?: (() => void) | undefined };

/** `maybeWork` gives undefined for a request that the chat did not send. */
export const createJsonHandler =
  (
    maybeWork: (body: Buffer, headers: IncomingMessage['headers']) => (() => Promise<JsonReply>) | undefined,
  ) =>
  async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const received = await maybeBody(req);
    if (received === undefined) return rejectRequest(req, res, 413);
    const work = maybeWork(received, req.headers);
    if (work === undefined) return rejectRequest(req, res, 401);
    const { body, afterwards } = await work();
    res.statusCode = 200;
    res.setHeader('content-type', 'application/json');
    res.end(JSON.stringify(body), afterwards);
  };

/** Responds without a body. */
export function rejectRequest(req: IncomingMessage, res: ServerResponse, status: number): void {
  if (!req.complete) res.setHeader('connection', 'close'); // or the server waits for the rest of it
  res.statusCode = status;
  res.end();
}

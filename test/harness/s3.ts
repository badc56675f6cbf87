import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startFauxqs } from 'fauxqs';

/**
 * What goes wrong with a request: an error response, a dropped connection, or a connection dropped before or in the
 * middle of the response.
 */
export type Disturbance = { status: number; code: string } | 'cut' | 'unanswered' | 'half' | undefined;

export type S3Server = Awaited<ReturnType<typeof startS3>>;

const bucket = 'files';

/**
 * An S3 server with an empty bucket, behind a proxy that can disturb requests. The proxy also implements what the server
 * lacks: listing unfinished multipart uploads.
 */
export async function startS3() {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket(bucket);
  const unfinished = new Map<string, string>();
  const requests: string[] = [];
  const s3 = {
    bucket,
    /** Method and kind of each request, such as `PUT part`. */
    requests,
    unfinished,
    disturb: (_what: string): Disturbance => undefined,
    endpoint: '',
    stop,
  };

  const proxy = createServer((req, res) => {
    const kind = kindOf(req);
    requests.push(kind);
    const disturbance = s3.disturb(kind);
    if (disturbance === 'cut') req.socket.destroy();
    else if (disturbance === undefined && kind === 'GET uploads') listUnfinished(req, res);
    else if (typeof disturbance === 'object') respondWithError(req, res, disturbance);
    else forward(req, res, kind, disturbance);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  s3.endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;

  function forward(req: IncomingMessage, res: ServerResponse, kind: string, disturbance: Disturbance): void {
    const { method = '', url: path = '', headers } = req;
    const upstream = request({ host: '127.0.0.1', port: server.port, method, path, headers });
    upstream.on('error', () => res.destroy());
    upstream.on('response', async (response) => {
      const { statusCode = 0, headers } = response;
      if (disturbance === 'unanswered') return res.destroy();
      res.writeHead(statusCode, headers);
      if (disturbance === 'half') {
        response.once('data', (bytes) => res.write(bytes, () => res.destroy()));
        return;
      }
      if (kind !== 'POST uploads') return response.pipe(res);
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      const body = Buffer.concat(chunks);
      const id = /<UploadId>([^<]+)/.exec(body.toString())?.[1];
      if (id !== undefined) unfinished.set(id, keyOf(req));
      res.end(body);
    });
    if (kind === 'DELETE upload' || kind === 'POST upload') {
      upstream.on('response', ({ statusCode = 0 }) => {
        if (statusCode < 300)
          unfinished.delete(new URL(path, s3.endpoint).searchParams.get('uploadId') ?? '');
      });
    }
    req.pipe(upstream);
  }

  function listUnfinished(req: IncomingMessage, res: ServerResponse): void {
    const prefix = new URL(req.url ?? '', s3.endpoint).searchParams.get('prefix') ?? '';
    const uploads = [...unfinished].filter(([, key]) => key.startsWith(prefix));
    const listed = uploads.map(
      ([id, key]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>`,
    );
    res.setHeader('content-type', 'application/xml');
    res.end(
      `<ListMultipartUploadsResult><Bucket>${bucket}</Bucket>${listed.join('')}</ListMultipartUploadsResult>`,
    );
  }

  async function stop(): Promise<void> {
    proxy.closeAllConnections();
    proxy.close();
    await server.stop();
  }

  return s3;
}

function kindOf({ method, url = '' }: IncomingMessage): string {
  const { searchParams } = new URL(url, 'http://s3');
  if (searchParams.has('partNumber')) return `${method} part`;
  if (searchParams.has('uploadId')) return `${method} upload`;
  if (searchParams.has('uploads')) return `${method} uploads`;
  return `${method} ${searchParams.has('list-type') ? 'list' : 'object'}`;
}

function keyOf({ url = '' }: IncomingMessage): string {
  return decodeURIComponent(new URL(url, 'http://s3').pathname).split('/').slice(2).join('/');
}

async function respondWithError(
  req: IncomingMessage,
  res: ServerResponse,
  { status, code }: { status: number; code: string },
): Promise<void> {
  for await (const _ of req); // a client that is still sending would lose the response
  res.writeHead(status, { 'content-type': 'application/xml' });
  res.end(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
}

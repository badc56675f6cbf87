import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';

const headersMs = 10_000;
const graceMs = 30_000; // bodies have stricter limits of their own; this is the last resort
const drainMs = 25_000;

/** `uploadMs` is the longest time that any request may take to arrive. */
type ServerSettings = { host: string; port: number; uploadMs?: number };

/** Serves an app; resolves with its port when it listens. Cuts off slow and endless requests, and too many connections. */
export async function listen(
  app: Koa,
  { host, port, uploadMs = 120_000 }: ServerSettings,
): Promise<Listening> {
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false, // the app refuses it, in JSON
      headersTimeout: headersMs,
      requestTimeout: uploadMs + graceMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: 2_000,
    },
    app.callback(),
  );
  server.maxConnections = 2_000;
  server.on('clientError', refuseMalformed);
  server.on('connect', (_req, socket) => refuse(socket, '405 Method Not Allowed'));
  server.on('checkExpectation', (_req, res) => {
    if (res.socket) refuse(res.socket, '417 Expectation Failed');
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  });
  return { port: (server.address() as AddressInfo).port, drain: () => drain(server) };
}

/** `drain` stops accepting connections, lets requests finish for at most 25 s, and resolves when all are closed. */
export type Listening = { port: number; drain: () => Promise<void> };

async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), drainMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(cut);
}

const malformedStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Malformed HTTP never reaches the app, but gets a JSON response too. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  refuse(socket, malformedStatus[error.code ?? ''] ?? '400 Bad Request');
}

function refuse(socket: Duplex, status: string): void {
  const body = JSON.stringify({ error: status.slice(4) });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

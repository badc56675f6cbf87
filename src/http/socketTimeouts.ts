import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { discardRest } from './body/intake.ts';

export type SocketTimeouts = {
  /** How long the headers of a request may take. */
  headersMs: number;
  /** How long a peer may neither send nor read when it is its turn. */
  stallMs: number;
  /** How long a peer may take to close its side after ours. */
  graceMs: number;
  /** How long a connection may be idle between requests, and that of a trusted proxy, which holds a pool of them. */
  idleMs: number;
  proxyIdleMs: number;
  /** After `responseMs`, a peer that has read fewer bytes per second than this is cut off. */
  responseMs: number;
  responseBytesPerSecond: number;
  /** How often to look for headers and responses that take too long. */
  checkMs: number;
};

/** Together they free a socket within 15 s of the last sign of its peer, even on a busy machine. */
export const socketTimeouts: SocketTimeouts = {
  headersMs: 10_000,
  stallMs: 12_000,
  graceMs: 1_000,
  idleMs: 10_000,
  proxyIdleMs: 65_000, // longer than the 60 s for which most proxies keep theirs
  responseMs: 120_000,
  responseBytesPerSecond: 4 * 1024,
  checkMs: 1_000,
};

/** Whether a request is in progress, and if so, who is to send or read something next. */
export type Turn = 'idle' | 'ours' | 'theirs';

/** Of one connection. Each could hold a large response that nobody reads; a second may come before we know the first was sent. */
const pipelinedMax = 2;

/** A connection, how many requests are in progress on it, and the last of them, unless it is idle. */
type Connection = { running: number; exchange?: Exchange | undefined };

type Exchange = {
  req: IncomingMessage;
  res: ServerResponse;
  sending?: { since: number; bytes: number };
};

/**
 * The one place that frees sockets, whatever their peers do: those it refuses, those whose turn passed without a sign,
 * and those that read next to nothing. Node closes only its own side of a refused socket, and sets no limit to reading.
 */
export function freeSockets(server: Server, isProxy: (socket: Socket) => boolean, timeouts: SocketTimeouts) {
  /**
   * Those that have sent a request. They are not added for each request: a Map keeps links from each table that it
   * outgrew to the next, so that V8 would find past requests alive for long.
   */
  const connections = new Map<Duplex, Connection>();
  let isEnding = false;
  /** The last request on a connection that was responded to before all of it had arrived. */
  const respondedEarly = new WeakMap<Duplex, IncomingMessage>();

  /** Responds in JSON where no request reaches the app, unless it has already, and does not rely on the peer to close. */
  function refuse(socket: Duplex, status: string): void {
    socket.on('error', () => socket.destroy()); // Node has removed its own listener after CONNECT
    if (!socket.writable || connections.get(socket)?.exchange?.res.headersSent) return void socket.destroy();
    if (respondedEarly.get(socket)?.complete === false) socket.end();
    else socket.end(responseOf(status));
    setTimeout(() => socket.destroy(), timeouts.graceMs).unref();
  }

  function connectionOf(socket: Duplex): Connection {
    const known = connections.get(socket);
    if (known) return known;
    const connection = { running: 0 };
    connections.set(socket, connection);
    socket.once('close', () => connections.delete(socket));
    return connection;
  }

  function onRequest(req: IncomingMessage, res: ServerResponse): void {
    const { socket } = req;
    const connection = connectionOf(socket);
    connection.exchange = { req, res };
    connection.running += 1;
    if (connection.running > pipelinedMax) socket.destroy();
    if (isEnding) res.shouldKeepAlive = false;
    res.once('finish', () => {
      if (!req.complete) {
        respondedEarly.set(socket, req);
        discardRest(req, timeouts.stallMs);
      }
      if (isProxy(socket)) socket.setTimeout(timeouts.proxyIdleMs);
    });
    res.once('close', () => {
      connection.running -= 1;
      if (connection.running === 0) connection.exchange = undefined;
      if (!server.listening) server.closeIdleConnections();
    });
  }

  /** Nothing was sent or read for a while: by the peer, or by us, who may be waiting for the database. */
  function onTimeout(socket: Socket): void {
    const req = connections.get(socket)?.exchange?.req;
    if (req === undefined || socket.writableLength > 0) socket.destroy();
    else if (!req.complete && req.readableLength === 0 && !req.isPaused())
      refuse(socket, '408 Request Timeout');
    else socket.setTimeout(timeouts.stallMs);
  }

  function cutSlowReaders(): void {
    const now = performance.now();
    for (const [socket, { exchange }] of connections) {
      if (!exchange?.res.headersSent) continue;
      const bytes = (socket as Socket).bytesWritten - socket.writableLength;
      exchange.sending ??= { since: now, bytes };
      const ms = now - exchange.sending.since;
      const expected = (timeouts.responseBytesPerSecond * ms) / 1_000;
      const isSlow = socket.writableLength > 0 && bytes - exchange.sending.bytes < expected;
      if (ms > timeouts.responseMs && isSlow) socket.destroy();
    }
  }

  server.setTimeout(timeouts.stallMs, onTimeout);
  server.prependListener('request', onRequest);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy();
    else refuse(socket, malformedStatus[error.code ?? ''] ?? '400 Bad Request');
  });
  server.on('connect', (_req, socket) => refuse(socket, '405 Method Not Allowed'));
  server.on('checkExpectation', ({ socket }) => refuse(socket, '417 Expectation Failed'));
  const sweep = setInterval(cutSlowReaders, timeouts.checkMs).unref();
  server.once('close', () => clearInterval(sweep));

  return {
    turnOf(socket: Socket): Turn {
      const req = connections.get(socket)?.exchange?.req;
      if (req === undefined) return 'idle';
      return req.complete && socket.writableLength === 0 ? 'ours' : 'theirs';
    },
    /** Has the responses in progress, and all that follow, close their connections. */
    closeAfterResponses(): void {
      isEnding = true;
      for (const { exchange } of connections.values())
        if (exchange?.res.headersSent === false) exchange.res.shouldKeepAlive = false;
    },
  };
}

function responseOf(status: string): string {
  const body = JSON.stringify({ error: status.slice(4) });
  return (
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
    `Cache-Control: no-store\r\nConnection: close\r\n\r\n${body}`
  );
}

const malformedStatus: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type Koa from 'koa';
import { type ConnectionLimits, limitConnections } from './connectionLimits.ts';
import { freeSockets, type SocketTimeouts, socketTimeouts } from './socketTimeouts.ts';

const graceMs = 30_000; // bodies have stricter limits of their own; this is the last resort
const drainMs = 25_000;

export type ServerSettings = {
  host: string;
  port: number;
  /** The longest time that any request may take to arrive. */
  uploadMs?: number;
  connections?: ConnectionLimits;
  isProxy?: (socket: Socket) => boolean;
  timeouts?: SocketTimeouts;
};

/** Serves an app; resolves with its port when it listens. Cuts off slow and endless requests, and too many connections. */
export async function listen(
  app: Koa,
  {
    host,
    port,
    uploadMs = 120_000,
    connections = { perClient: 200, total: 2_000 },
    isProxy = () => false,
    timeouts = socketTimeouts,
  }: ServerSettings,
): Promise<Listening> {
  const handle = app.callback();
  const server = createServer(
    {
      maxHeaderSize: 16 * 1024,
      requireHostHeader: false, // the app refuses it, in JSON
      headersTimeout: timeouts.headersMs,
      requestTimeout: uploadMs + graceMs,
      keepAliveTimeout: timeouts.idleMs,
      connectionsCheckingInterval: timeouts.checkMs,
    },
    (req, res) => {
      if (!req.socket.destroyed) handle(req, res);
    },
  );
  const { turnOf, closeAfterResponses } = freeSockets(server, isProxy, timeouts);
  const openSockets = limitConnections(server, connections, { isProxy, turnOf });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port }, resolve);
  });

  async function drain(delayMs = 0): Promise<void> {
    closeAfterResponses();
    if (delayMs > 0) await sleep(delayMs);
    const cut = setTimeout(() => {
      for (const socket of openSockets()) socket.destroy();
    }, drainMs);
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    clearTimeout(cut);
  }

  return { port: (server.address() as AddressInfo).port, drain };
}

/**
 * `drain` serves for the delay, though each response ends its connection; then it accepts no more, lets requests finish for
 * at most 25 s, and resolves when all connections are closed.
 */
export type Listening = { port: number; drain: (delayMs?: number) => Promise<void> };

import type { WebSocket } from 'ws';
import type { Fields } from '../../shared/json.ts';
import { deflated, type Packing, plain, zlibStream } from './compression.ts';

/** A connection of the app. */
export type Connection = {
  socket: WebSocket;
  /** Whether it was opened at the gateway's URL or at the one for resuming. */
  pathname: string;
  /** Sends messages in order, compressed as the app asked. */
  send(message: Fields): void;
  deflates(): void;
  /** The number of messages from the app, and the start of the counted period. */
  received: { count: number; since: number };
  heartbeats: number;
};

type Opened = { pathname: string; compress: string | null };

export function createConnection(socket: WebSocket, { pathname, compress }: Opened): Connection {
  let packing: Packing = compress === 'zlib-stream' ? zlibStream() : plain;
  let last: Promise<void> = Promise.resolve();
  return {
    socket,
    pathname,
    send(message) {
      const packed = packing(JSON.stringify(message));
      last = last.then(async () => socket.send(await packed));
    },
    deflates() {
      packing = deflated;
    },
    received: { count: 0, since: Date.now() },
    heartbeats: 0,
  };
}

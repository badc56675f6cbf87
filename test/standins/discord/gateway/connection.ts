import type { WebSocket } from 'ws';
import type { Fields } from '../json.ts';
import { deflated, type Packing, plain, zlibStream } from './compression.ts';

/** A connection of the app. */
export type Connection = {
  socket: WebSocket;
  /** Sends one message after the other, packed as the app asked for. */
  say(message: Fields): void;
  deflates(): void;
  /** How much the app sent, and from when on it counts. */
  heard: { count: number; since: number };
  heartbeats: number;
};

export function createConnection(socket: WebSocket, compress: string | null): Connection {
  let packing: Packing = compress === 'zlib-stream' ? zlibStream() : plain;
  let last: Promise<void> = Promise.resolve();
  return {
    socket,
    say(message) {
      const packed = packing(JSON.stringify(message));
      last = last.then(async () => socket.send(await packed));
    },
    deflates() {
      packing = deflated;
    },
    heard: { count: 0, since: Date.now() },
    heartbeats: 0,
  };
}

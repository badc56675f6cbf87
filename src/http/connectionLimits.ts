import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { clientKey } from '../domain/index.ts';
import { plainAddress } from './client.ts';
import type { Turn } from './socketTimeouts.ts';

/** How many connections a process accepts: from one client, and in all. */
export type ConnectionLimits = { perClient: number; total: number };

type Dependencies = {
  /** A trusted proxy carries many clients, so only the limit for all applies to it. */
  isProxy: (socket: Socket) => boolean;
  turnOf: (socket: Socket) => Turn;
};

/**
 * Limits connections. Where there is no room for another, the client's own connection that has been idle for longest
 * makes room, or if the whole process is full, one of the client with the most connections. If none is idle, one makes
 * room whose client has yet to send its request or to read the response. If there is none of these either, the newcomer
 * is cut. Returns all open sockets. Node's `maxConnections` only refuses newcomers, and so lets peers that do nothing
 * shut everybody out.
 */
export function limitConnections(
  server: Server,
  { perClient, total }: ConnectionLimits,
  { isProxy, turnOf }: Dependencies,
): () => Socket[] {
  /** The sockets of each client; the one whose last request is longest ago comes first. */
  const clients = new Map<string, Set<Socket>>();
  const keys = new Map<Socket, string>();

  function add(socket: Socket, key: string): void {
    keys.set(socket, key);
    clients.set(key, (clients.get(key) ?? new Set()).add(socket));
    socket.once('close', () => remove(socket));
  }

  function remove(socket: Socket): void {
    const key = keys.get(socket);
    const own = clients.get(key ?? '');
    if (key === undefined || own === undefined) return;
    keys.delete(socket);
    own.delete(socket);
    if (own.size === 0) clients.delete(key);
  }

  /** The sockets among which one must make room for another of this client; undefined while there is room. */
  function crowd(socket: Socket, key: string): Set<Socket> | undefined {
    const own = clients.get(key);
    if (own !== undefined && own.size >= perClient && !isProxy(socket)) return own;
    if (keys.size < total) return undefined;
    return [...clients.values()].reduce((most, each) => (each.size > most.size ? each : most));
  }

  function victimOf(crowded: Set<Socket>): Socket | undefined {
    const sockets = [...crowded];
    const idle = sockets.find((each) => turnOf(each) === 'idle');
    return idle ?? sockets.find((each) => turnOf(each) === 'theirs' && !isProxy(each));
  }

  server.on('connection', (socket) => {
    const key = clientKey({ ip: plainAddress(socket.remoteAddress ?? '') });
    const crowded = crowd(socket, key);
    if (crowded !== undefined) {
      const victim = victimOf(crowded);
      if (victim === undefined) return void socket.resetAndDestroy();
      remove(victim);
      victim.resetAndDestroy();
    }
    add(socket, key);
  });

  server.on('request', ({ socket }) => {
    const own = clients.get(keys.get(socket) ?? '');
    if (own?.delete(socket)) own.add(socket);
  });

  return () => [...keys.keys()];
}

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import type { Fields } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { type Connection, createConnection } from './connection.ts';
import { intentOf, op } from './opcodes.ts';
import { createProtocol } from './protocol.ts';
import { createSessions } from './sessions.ts';

export type Gateway = ReturnType<typeof createGateway>;

/** The gateway: https://docs.discord.com/developers/events/gateway */
export function createGateway(platform: Platform, server: Server) {
  const { clock, settings } = platform;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = createSessions(clock, () => settings.sessionLifeMs);
  const connections = new Set<Connection>();
  const stats = { identifies: 0, resumes: 0, most: 0, refusals: 0, lastIdentifyAt: 0, isDeaf: false };
  const protocol = createProtocol(platform, { sessions, stats, endAll });

  server.on('upgrade', (req: IncomingMessage, stream: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'ws://discord.test');
    if (stats.refusals > 0) {
      stats.refusals -= 1;
      return void stream.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    }
    if (!['/gateway', '/resume'].includes(pathname)) return void stream.end('HTTP/1.1 404 Not Found\r\n\r\n');
    sockets.handleUpgrade(req, stream, head, (socket) => {
      const connection = createConnection(socket, { pathname, compress: searchParams.get('compress') });
      connections.add(connection);
      socket.on('error', () => {});
      socket.on('message', (data) => protocol.receive(connection, String(data)));
      socket.on('close', (code) => leave(connection, code));
      protocol.greet(connection, searchParams);
    });
  });

  /** An app that closes with 1000 or 1001 does not resume its session. */
  function leave(connection: Connection, code: number): void {
    connections.delete(connection);
    const session = sessions.of(connection);
    sessions.lose(connection);
    if (session && (code === 1000 || code === 1001)) sessions.end(session);
    clock.changed();
  }

  function endAll(code: number): void {
    sessions.clear();
    for (const { socket } of connections) socket.close(code);
  }

  const live = () => sessions.live().length;
  const tell = (message: Fields) => {
    for (const { send } of connections) send(message);
  };

  return {
    /** Sends an event to its sessions and returns their number. Disconnected ones receive it when they resume. */
    dispatch(event: string, data: Fields, guildId?: string): number {
      const hearing = sessions.hearing(guildId, intentOf[event]);
      for (const one of hearing) sessions.send(one, event, data);
      return hearing.length;
    },
    endAll,
    stats,
    live,
    /** Waits until `count` sessions are connected. */
    connected: (count = 1) =>
      clock.until(`session ${count}`, () => (live() === count ? count : undefined), settings.patienceMs),
    heartbeats: () => [...connections].reduce((sum, one) => sum + one.heartbeats, 0),
    /** Cuts all connections without a close frame. */
    drop(): void {
      for (const { socket } of connections) socket.terminate();
    },
    /** Closes all connections with one of Discord's codes. */
    close(code: number): void {
      for (const { socket } of connections) socket.close(code);
    },
    /** Asks the app to reconnect, as Discord does before a restart. */
    reconnect: () => tell({ op: op.reconnect, d: null }),
    /** Asks for an immediate heartbeat. */
    askHeartbeat: () => tell({ op: op.heartbeat, d: null }),
    /** Invalidates the sessions. They can be resumed if `d` is true. */
    invalidate(isResumable: boolean): void {
      if (!isResumable) sessions.clear();
      tell({ op: op.invalidSession, d: isResumable });
    },
    /** Forgets all sessions silently. None can be resumed. */
    forget: () => sessions.clear(),
    async stop(): Promise<void> {
      for (const { socket } of connections) socket.terminate();
      sockets.close();
      await once(sockets, 'close');
    },
  };
}

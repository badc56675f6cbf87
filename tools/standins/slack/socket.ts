import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Fields, fieldsOf, parseJson, textOf } from '../shared/json.ts';
import { newSecret } from './ids.ts';
import type { Platform } from './platform.ts';
import type { App } from './things.ts';

export type Sockets = ReturnType<typeof createSockets>;
export type Envelope = {
  type: 'slash_commands' | 'interactive' | 'events_api';
  payload: Fields;
  retry: Fields;
};

const pingMs = 5000;

/** The Socket Mode connections of all apps. */
export function createSockets(platform: Platform, server: Server) {
  const { clock, recordings, settings, tickets } = platform;
  const sockets = new WebSocketServer({ noServer: true });
  const connections: { app: App; socket: WebSocket; isGreeted: boolean }[] = [];
  const waiting = new Map<string, (payload: Fields) => void>();
  let turn = 0;

  server.on('upgrade', (req: IncomingMessage, stream: Duplex, head: Buffer) => {
    const ticket = new URL(req.url ?? '', 'http://slack.test').searchParams.get('ticket') ?? '';
    const app = tickets.get(ticket);
    if (!tickets.delete(ticket) || !app) return void stream.end('HTTP/1.1 404 Not Found\r\n\r\n');
    sockets.handleUpgrade(req, stream, head, (socket) => welcome(app, socket));
  });

  function welcome(app: App, socket: WebSocket) {
    const connection = { app, socket, isGreeted: false };
    connections.push(connection);
    const pings = setInterval(() => socket.ping('Ping from Slack'), pingMs).unref();
    socket.on('error', () => {});
    socket.on('message', (data) => receive(String(data)));
    socket.on('close', () => {
      clearInterval(pings);
      connections.splice(
        connections.findIndex((one) => one.socket === socket),
        1,
      );
      clock.changed();
    });
    const debug_info = { host: 'applink-1', build_number: 1, approximate_connection_time: 18_060 };
    const num_connections = of(app).length;
    sendMessage(socket, { type: 'hello', num_connections, debug_info, connection_info: { app_id: app.id } });
    socket.ping('Ping after hello');
    socket.once('pong', () => {
      connection.isGreeted = true;
      clock.changed();
    });
  }

  function receive(text: string) {
    const { envelope_id, payload } = fieldsOf(parseJson(text));
    const settle = waiting.get(textOf(envelope_id));
    recordings.sent.push({ where: 'a message over Socket Mode', text });
    if (settle) settle(fieldsOf(payload));
    else
      recordings.complain(
        'Socket Mode: an acknowledgement, late or repeated, of nothing that waited for one',
      );
  }

  const of = (app: App) => connections.filter((one) => one.app === app);
  const sendMessage = (socket: WebSocket, message: Fields) => socket.send(JSON.stringify(message));

  /** Sends an envelope over an app's connections in turn. Returns undefined without a response in time. */
  async function send(app: App, { type, payload, retry }: Envelope): Promise<Fields | undefined> {
    const open = of(app);
    const chosen = open[turn++ % Math.max(1, open.length)];
    if (!chosen) throw new Error('the app has no connection');
    const envelope_id = newSecret();
    const timeout = AbortSignal.timeout(settings.ackLimitMs);
    const answer = new Promise<Fields | undefined>((resolve) => {
      waiting.set(envelope_id, resolve);
      timeout.addEventListener('abort', () => resolve(undefined), { once: true });
      chosen.socket.once('close', () => resolve(undefined)).setMaxListeners(0);
    });
    sendMessage(chosen.socket, {
      envelope_id,
      type,
      payload,
      accepts_response_payload: type !== 'events_api',
      ...retry,
    });
    const answered = await answer;
    waiting.delete(envelope_id);
    return answered;
  }

  return {
    send,
    /** The number of an app's connections, including those that have not received the hello yet. */
    count: (app: App) => of(app).length,
    /** Waits until an app has `count` connections that have received the hello. */
    connected: (app: App, count = 1) =>
      clock.until(
        `connection ${count}`,
        () => (of(app).length === count && of(app).every(({ isGreeted }) => isGreeted) ? count : undefined),
        settings.patienceMs,
      ),
    /** Asks an app's oldest connection to disconnect, as Slack does after some hours or before a restart. */
    disconnect(app: App, reason: 'warning' | 'refresh_requested'): void {
      const [oldest] = of(app);
      if (oldest)
        sendMessage(oldest.socket, { type: 'disconnect', reason, debug_info: { host: 'applink-1' } });
    },
    /** Cuts an app's connections without a close frame. */
    cut: (app: App) => {
      for (const { socket } of of(app)) socket.terminate();
    },
    async close(): Promise<void> {
      for (const { socket } of connections) socket.terminate();
      sockets.close();
      await once(sockets, 'close');
    },
  };
}

import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { type Fields, fieldsOf, isFields, parseJson, textOf } from '../json.ts';
import type { Platform } from '../platform.ts';
import { presentUser } from '../presenting.ts';
import { type Connection, createConnection } from './connection.ts';
import { createSessions, type Session } from './sessions.ts';

/** https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-opcodes */
const op = {
  ...{
    dispatch: 0,
    heartbeat: 1,
    identify: 2,
    resume: 6,
    reconnect: 7,
    invalidSession: 9,
    hello: 10,
    ack: 11,
  },
} as const;
const otherOps = [3, 4, 8, 31, 43];
const privileged = (1 << 1) | (1 << 8) | (1 << 15);
const knownIntents = 2 ** 26 - 1;
const [mostPerMinute, longest] = [120, 4096];

export type Gateway = ReturnType<typeof createGateway>;

/** The gateway: https://docs.discord.com/developers/events/gateway */
export function createGateway(platform: Platform, server: Server) {
  const { clock, recordings, settings, startLimit, world, at } = platform;
  const sockets = new WebSocketServer({ noServer: true });
  const sessions = createSessions(clock, () => settings.sessionLifeMs);
  const connections = new Set<Connection>();
  const seen = { identifies: 0, resumes: 0, most: 0, refusals: 0, lastIdentifyAt: 0, isDeaf: false };

  server.on('upgrade', (req: IncomingMessage, stream: Duplex, head: Buffer) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'ws://discord.test');
    if (seen.refusals > 0) {
      seen.refusals -= 1;
      return void stream.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    }
    if (!['/gateway', '/resume'].includes(pathname)) return void stream.end('HTTP/1.1 404 Not Found\r\n\r\n');
    const wrong = faultOfQuery(searchParams);
    sockets.handleUpgrade(req, stream, head, (socket) => {
      const connection = createConnection(socket, searchParams.get('compress'));
      connections.add(connection);
      socket.on('error', () => {});
      socket.on('message', (data) => take(connection, String(data), pathname));
      socket.on('close', (code) => leave(connection, code));
      if (wrong) return refuse(connection, 4012, wrong);
      connection.say({ op: op.hello, s: null, t: null, d: { heartbeat_interval: settings.heartbeatMs } });
    });
  });

  /** An app that closes with 1000 or 1001 does not come back to its session. */
  function leave(connection: Connection, code: number): void {
    connections.delete(connection);
    const session = sessionOf(connection);
    sessions.lose(connection);
    if (session && (code === 1000 || code === 1001)) sessions.end(session);
    clock.changed();
  }

  function sessionOf(connection: Connection): Session | undefined {
    return sessions.live().find((one) => one.connection === connection);
  }

  function take(connection: Connection, text: string, pathname: string) {
    const { op: code, d } = fieldsOf(parseJson(text));
    recordings.sent.push({ where: `a message to the gateway with opcode ${code}`, text });
    const { heard } = connection;
    if (Date.now() - heard.since > 60_000) Object.assign(heard, { count: 0, since: Date.now() });
    heard.count += 1;
    if (heard.count > mostPerMinute) return refuse(connection, 4008, 'more than 120 messages in a minute');
    if (text.length > longest || code === undefined)
      return refuse(connection, 4002, 'a message it cannot read');
    if (code === op.heartbeat) return beat(connection, d);
    if (code === op.identify) return identify(connection, fieldsOf(d));
    if (code === op.resume) return resume(connection, fieldsOf(d), pathname);
    if (!otherOps.includes(Number(code)))
      return refuse(connection, 4001, `the opcode ${code}, which there is not`);
    if (!sessionOf(connection)) return refuse(connection, 4003, 'a message before IDENTIFY');
  }

  function beat(connection: Connection, sequence: unknown) {
    if (sequence !== null && typeof sequence !== 'number')
      return refuse(connection, 4002, 'a heartbeat without the last sequence');
    connection.heartbeats += 1;
    if (!seen.isDeaf) connection.say({ op: op.ack });
    clock.changed();
  }

  function identify(connection: Connection, d: Fields) {
    if (sessionOf(connection)) return refuse(connection, 4005, 'a second IDENTIFY');
    const { token, intents, properties, shard = [0, 1], compress } = d;
    if (token !== world.app.token) return turnAway(connection, 'IDENTIFY', token);
    const isKnown = typeof intents === 'number' && intents >= 0 && intents <= knownIntents;
    if (!isKnown) return refuse(connection, 4013, `intents that there are not: ${intents}`);
    if ((Number(intents) & privileged) !== 0)
      return refuse(connection, 4014, 'intents that the app is not allowed');
    if (!isFields(properties) || !isShard(shard))
      return refuse(connection, 4002, 'an IDENTIFY it cannot read');
    const sinceLast = Date.now() - seen.lastIdentifyAt;
    if (sinceLast < settings.identifyEveryMs) return invalidate(connection, false);
    if (startLimit.remaining === 0) return useUp();
    startLimit.remaining -= 1;
    seen.identifies += 1;
    seen.lastIdentifyAt = Date.now();
    if (compress === true) connection.deflates();
    const session = sessions.start(connection, { shard, intents: Number(intents) });
    seen.most = Math.max(seen.most, sessions.live().length);
    send(session, 'READY', ready(session));
    clock.changed();
  }

  /** Whoever begins more sessions than the day has loses them all, and the token. */
  function useUp(): void {
    recordings.complain(
      'an IDENTIFY more than the day has: all sessions end, and the token is worth nothing',
    );
    world.resetToken();
    endAll(4004);
  }

  function resume(connection: Connection, { token, session_id, seq }: Fields, pathname: string) {
    if (token !== world.app.token) return turnAway(connection, 'RESUME', token);
    if (pathname !== '/resume') recordings.complain('RESUME: not at the URL for it, resume_gateway_url');
    const session = sessions.find(session_id);
    if (!session) return invalidate(connection, false);
    if (typeof seq !== 'number' || seq > session.events.length)
      return refuse(connection, 4007, 'a wrong sequence');
    session.connection?.socket.close(4000);
    Object.assign(session, { connection, lostAt: undefined });
    seen.resumes += 1;
    seen.most = Math.max(seen.most, sessions.live().length);
    for (const event of session.events.slice(seq)) connection.say(event);
    send(session, 'RESUMED', {});
    clock.changed();
  }

  function ready({ id, shard }: Session): Fields {
    const guilds = world.guilds
      .filter(({ hasApp }) => hasApp)
      .map((one) => ({ id: one.id, unavailable: true }));
    return {
      ...{ v: 10, user: { ...presentUser(world.app.bot), verified: true }, guilds, session_id: id, shard },
      ...{ resume_gateway_url: `${at.gatewayUrl}/resume`, application: { id: world.app.id, flags: 0 } },
    };
  }

  function send(session: Session, t: string, d: Fields): void {
    const event = { op: op.dispatch, t, s: session.events.length + 1, d };
    session.events.push(event);
    session.connection?.say(event);
  }

  function invalidate({ say }: Connection, isResumable: boolean): void {
    say({ op: op.invalidSession, d: isResumable });
  }

  function refuse({ socket }: Connection, code: number, what: string): void {
    recordings.complain(`the gateway was sent ${what}: ${code}`);
    socket.close(code);
  }

  /** A token that was good once is no mistake of the app. */
  function turnAway({ socket }: Connection, what: string, token: unknown): void {
    if (!world.pastTokens.has(textOf(token)))
      recordings.complain(`${what} came with a token that is not the app’s`);
    socket.close(4004);
  }

  function endAll(code: number): void {
    sessions.clear();
    for (const { socket } of connections) socket.close(code);
  }

  const live = () => sessions.live().length;

  return {
    /** Sends an event to all whom it is for; those without a connection get it when they resume. Gives how many. */
    dispatch(event: string, data: Fields, guildId?: string): number {
      const hearing = sessions.hearing(guildId);
      for (const one of hearing) send(one, event, data);
      return hearing.length;
    },
    endAll,
    seen,
    live,
    /** Waits until so many sessions have a connection. */
    connected: (count = 1) =>
      clock.until(`session ${count}`, () => (live() === count ? count : undefined), settings.patienceMs),
    heartbeats: () => [...connections].reduce((sum, one) => sum + one.heartbeats, 0),
    /** Cuts all connections without a word. */
    drop: () => connections.forEach(({ socket }) => void socket.terminate()),
    /** Closes all connections with a code of Discord's. */
    close: (code: number) => connections.forEach(({ socket }) => void socket.close(code)),
    /** Asks the app to connect again, as before a restart. */
    reconnect: () => connections.forEach(({ say }) => void say({ op: op.reconnect, d: null })),
    /** Asks for a heartbeat at once. */
    askHeartbeat: () => connections.forEach(({ say }) => void say({ op: op.heartbeat, d: null })),
    /** Says that the sessions are no more; whoever is told that they can be resumed can do so. */
    invalidate(isResumable: boolean): void {
      if (!isResumable) sessions.clear();
      for (const one of connections) invalidate(one, isResumable);
    },
    /** Forgets all sessions without a word: nothing can be resumed. */
    forget: () => sessions.clear(),
    async stop(): Promise<void> {
      for (const { socket } of connections) socket.terminate();
      sockets.close();
      await once(sockets, 'close');
    },
  };
}

function faultOfQuery(query: URLSearchParams): string | undefined {
  const [version, encoding, compress] = [query.get('v'), query.get('encoding'), query.get('compress')];
  if (version !== '10') return `a connection for version ${version}`;
  if (encoding !== 'json') return `a connection with encoding ${encoding}`;
  return compress === null || compress === 'zlib-stream'
    ? undefined
    : `a connection with compress ${compress}`;
}

function isShard(shard: unknown): shard is [number, number] {
  return Array.isArray(shard) && shard.length === 2 && shard.every(Number.isInteger) && shard[0] < shard[1];
}

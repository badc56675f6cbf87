import { type Fields, fieldsOf, isFields, parseJson, textOf } from '../../shared/json.ts';
import type { Platform } from '../platform.ts';
import { presentUser } from '../presenting.ts';
import type { Connection } from './connection.ts';
import { knownIntents, op, otherOps, privilegedIntents } from './opcodes.ts';
import type { Session, Sessions } from './sessions.ts';

const [maxPerMinute, maxLength] = [120, 4096];

type GatewayStats = {
  identifies: number;
  resumes: number;
  most: number;
  lastIdentifyAt: number;
  isDeaf: boolean;
};
type Dependencies = { sessions: Sessions; stats: GatewayStats; endAll(code: number): void };

/** The messages between the gateway and an app: https://docs.discord.com/developers/events/gateway#connections */
export function createProtocol(platform: Platform, { sessions, stats, endAll }: Dependencies) {
  const { clock, recordings, settings, startLimit, world, at } = platform;

  function greet(connection: Connection, query: URLSearchParams) {
    const problem = faultOfQuery(query);
    if (problem) return refuse(connection, 4012, problem);
    connection.send({ op: op.hello, s: null, t: null, d: { heartbeat_interval: settings.heartbeatMs } });
  }

  function receive(connection: Connection, text: string) {
    const { op: code, d } = fieldsOf(parseJson(text));
    recordings.sent.push({ where: `a message to the gateway with opcode ${code}`, text });
    const { received } = connection;
    if (Date.now() - received.since > 60_000) Object.assign(received, { count: 0, since: Date.now() });
    received.count += 1;
    if (received.count > maxPerMinute) return refuse(connection, 4008, 'more than 120 messages in a minute');
    if (text.length > maxLength || code === undefined)
      return refuse(connection, 4002, 'a message it cannot read');
    if (code === op.heartbeat) return heartbeat(connection, d);
    if (code === op.identify) return identify(connection, fieldsOf(d));
    if (code === op.resume) return resume(connection, fieldsOf(d));
    if (!otherOps.includes(Number(code)))
      return refuse(connection, 4001, `the opcode ${code}, which there is not`);
    if (!sessions.of(connection)) return refuse(connection, 4003, 'a message before IDENTIFY');
  }

  function heartbeat(connection: Connection, sequence: unknown) {
    if (sequence !== null && typeof sequence !== 'number')
      return refuse(connection, 4002, 'a heartbeat without the last sequence');
    connection.heartbeats += 1;
    if (!stats.isDeaf) connection.send({ op: op.ack });
    clock.changed();
  }

  function identify(connection: Connection, d: Fields) {
    if (sessions.of(connection)) return refuse(connection, 4005, 'a second IDENTIFY');
    const { token, intents, shard = [0, 1], compress } = d;
    if (token !== world.app.token) return rejectToken(connection, 'IDENTIFY', token);
    const [code, problem] = faultOfIdentify(d) ?? [];
    if (code !== undefined && problem !== undefined) return refuse(connection, code, problem);
    if (Date.now() - stats.lastIdentifyAt < settings.identifyEveryMs) return invalidate(connection);
    if (startLimit.remaining === 0) return exhaustSessions();
    startLimit.remaining -= 1;
    stats.identifies += 1;
    stats.lastIdentifyAt = Date.now();
    if (compress === true) connection.deflates();
    const session = sessions.start(connection, {
      shard: shard as [number, number],
      intents: Number(intents),
    });
    stats.most = Math.max(stats.most, sessions.live().length);
    sessions.send(session, 'READY', ready(session));
    clock.changed();
  }

  /** An app that starts more sessions than a day allows loses all of them, and its token. */
  function exhaustSessions(): void {
    recordings.complain(
      'an IDENTIFY more than the day has: all sessions end, and the token is worth nothing',
    );
    world.resetToken();
    endAll(4004);
  }

  function resume(connection: Connection, { token, session_id, seq }: Fields) {
    if (token !== world.app.token) return rejectToken(connection, 'RESUME', token);
    const session = sessions.find(session_id);
    if (!session) return invalidate(connection);
    const isHere = session.connection === connection;
    if (connection.pathname !== '/resume' && !isHere)
      recordings.complain('RESUME: not at the URL for it, resume_gateway_url');
    if (typeof seq !== 'number' || seq > session.events.length)
      return refuse(connection, 4007, 'a wrong sequence');
    if (!isHere) session.connection?.socket.close(4000);
    Object.assign(session, { connection, lostAt: undefined });
    stats.resumes += 1;
    stats.most = Math.max(stats.most, sessions.live().length);
    for (const event of session.events.slice(seq)) connection.send(event);
    sessions.send(session, 'RESUMED', {});
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

  function invalidate({ send }: Connection): void {
    send({ op: op.invalidSession, d: false });
  }

  function refuse({ socket }: Connection, code: number, what: string): void {
    recordings.complain(`the gateway was sent ${what}: ${code}`);
    socket.close(code);
  }

  /** A former token is not the app's mistake. */
  function rejectToken({ socket }: Connection, what: string, token: unknown): void {
    if (!world.pastTokens.has(textOf(token)))
      recordings.complain(`${what} came with a token that is not the app’s`);
    socket.close(4004);
  }

  return { greet, receive };
}

function faultOfQuery(query: URLSearchParams): string | undefined {
  const [version, encoding, compress] = [query.get('v'), query.get('encoding'), query.get('compress')];
  if (version !== '10') return `a connection for version ${version}`;
  if (encoding !== 'json') return `a connection with encoding ${encoding}`;
  return compress === null || compress === 'zlib-stream'
    ? undefined
    : `a connection with compress ${compress}`;
}

function faultOfIdentify({ intents, properties, shard = [0, 1] }: Fields): [number, string] | undefined {
  const isKnown = typeof intents === 'number' && intents >= 0 && intents <= knownIntents;
  if (!isKnown) return [4013, `intents that there are not: ${intents}`];
  if ((intents & privilegedIntents) !== 0) return [4014, 'intents that the app is not allowed'];
  const isShard = Array.isArray(shard) && shard.length === 2 && shard.every(Number.isInteger);
  if (!isFields(properties) || !isShard) return [4002, 'an IDENTIFY it cannot read'];
  return shard[0] < shard[1] && shard[0] >= 0 ? undefined : [4010, `the shard ${shard}, which there is not`];
}

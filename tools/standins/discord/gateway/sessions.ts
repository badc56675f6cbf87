import type { Fields } from '../../shared/json.ts';
import type { Clock } from '../clock.ts';
import { newSecret } from '../ids.ts';
import type { Connection } from './connection.ts';
import { op } from './opcodes.ts';

/** A session, started with IDENTIFY and continued with RESUME. */
export type Session = {
  id: string;
  shard: [id: number, count: number];
  intents: number;
  /** All events sent to it, starting with sequence 1. */
  events: Fields[];
  connection: Connection | undefined;
  /** When its connection was lost. It can be resumed for a while. */
  lostAt: number | undefined;
};

/** The sessions of the app. */
export function createSessions(clock: Clock, lifeMs: () => number) {
  const sessions = new Set<Session>();
  const live = () => [...sessions].filter((one) => one.connection !== undefined);

  function isAlive({ lostAt }: Session): boolean {
    return lostAt === undefined || clock.now() - lostAt <= lifeMs();
  }

  return {
    start(connection: Connection, { shard, intents }: Pick<Session, 'shard' | 'intents'>): Session {
      const session = { id: newSecret(), shard, intents, events: [], connection, lostAt: undefined };
      sessions.add(session);
      return session;
    },
    /** Sends an event, now or when the app resumes. */
    send(session: Session, t: string, d: Fields): void {
      const event = { op: op.dispatch, t, s: session.events.length + 1, d };
      session.events.push(event);
      session.connection?.send(event);
    },
    find: (id: unknown): Session | undefined => [...sessions].find((one) => one.id === id && isAlive(one)),
    /** The sessions that receive a server's events of an intent, now or after resuming. Other events go to the first shard. */
    hearing(guildId: string | undefined, intent = 0): Session[] {
      const isTheirs = ({ shard: [id, count] }: Session) =>
        guildId === undefined ? id === 0 : (BigInt(guildId) >> 22n) % BigInt(count) === BigInt(id);
      return [...sessions].filter(
        (one) => isAlive(one) && isTheirs(one) && (one.intents & intent) === intent,
      );
    },
    live,
    of: (connection: Connection) => live().find((one) => one.connection === connection),
    /** Detaches a connection from its session. */
    lose(connection: Connection): void {
      for (const one of sessions)
        if (one.connection === connection) Object.assign(one, { connection: undefined, lostAt: clock.now() });
    },
    end: (session: Session) => void sessions.delete(session),
    clear: () => sessions.clear(),
  };
}

export type Sessions = ReturnType<typeof createSessions>;

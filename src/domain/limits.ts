import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from '../database/database.ts';
import { DomainError } from '../errors.ts';
import type { LimitSettings, Rate } from './settings.ts';

export type Limits = ReturnType<typeof createLimits>;

const { isValid, parse } = ipaddr;

const clientBlockSeconds = 30 * 60;
const banSeconds = 10 * 60;
const pushLockSeconds = 30 * 60;
const pushLockMaxSeconds = 24 * 3600;

/** What came of trying a passphrase; `locked` was wrong, and the one too many. `triesLeft` is unknown without limits. */
export type Guess = { outcome: 'right' | 'wrong' | 'locked'; triesLeft?: number };

/** The rules that only count; the others also shut doors. */
type CountedRule =
  | 'requests'
  | 'tokenRequests'
  | 'anonymousCreate'
  | 'tokenCreate'
  | 'commands'
  | 'signUp'
  | 'askAgain';

/** Whom a use counts for. */
type Subject = { ip: string } | { id: Buffer } | { name: string };

/**
 * Counters in the service's own database, shared by all processes. Each count is one atomic statement, decided on the
 * value it returns. Refusals are `too_many` with the seconds to wait; a client refused here is refused from memory until then.
 */
export function createLimits(database: Database, settings: LimitSettings | 'off') {
  const { select, execute, insertReturning, withRetries, dialect } = database;
  const refusedUntil = new Map<string, number>();

  /** Adds points to a counter, which starts anew when its window has passed, and gives the points it then holds. */
  async function add(key: string, points: number, seconds: number): Promise<number> {
    const binds = { id: idOf(key), points, ms: seconds * 1000 };
    const isOver = `rate_limits.expires_at <= ${dialect.now}`;
    return withRetries(() =>
      insertReturning(
        (returning) =>
          `INSERT INTO rate_limits (id, points, expires_at) VALUES ($id, ${returning('$points')}, ${dialect.now} + $ms)
           ${dialect.onConflict('id')}
             points = ${returning(`CASE WHEN ${isOver} THEN $points ELSE rate_limits.points + $points END`)},
             expires_at = CASE WHEN ${isOver} THEN ${dialect.now} + $ms ELSE rate_limits.expires_at END`,
        'points',
        binds,
      ),
    );
  }

  async function secondsLeft(key: string): Promise<number> {
    const [row] = await select<{ ms: number }>(
      `SELECT expires_at - ${dialect.now} AS ms FROM rate_limits WHERE id = $id AND points > 0`,
      { id: idOf(key) },
    );
    return Math.max(0, Math.ceil(Number(row?.ms ?? 0) / 1000));
  }

  const refund = (key: string) =>
    withRetries(() =>
      execute('UPDATE rate_limits SET points = points - 1 WHERE id = $id AND points > 0', { id: idOf(key) }),
    );

  /** Gives a counter a value and a time to keep it, whatever it counted before. */
  async function set(key: string, points: number, seconds: number): Promise<void> {
    await add(key, 0, seconds);
    await withRetries(() =>
      execute(`UPDATE rate_limits SET points = $points, expires_at = ${dialect.now} + $ms WHERE id = $id`, {
        id: idOf(key),
        points,
        ms: seconds * 1000,
      }),
    );
  }

  /** Keeps a door shut for so long, whatever its counter says. */
  async function block(key: string, seconds: number): Promise<void> {
    await set(blockOf(key), 1, seconds);
    rememberRefusal(blockOf(key), seconds);
  }

  async function requireUnblocked(key: string): Promise<void> {
    const seconds = refusalSeconds(blockOf(key)) || (await secondsLeft(blockOf(key)));
    if (seconds > 0) throw tooMany(seconds);
  }

  function rememberRefusal(key: string, seconds: number): void {
    if (refusedUntil.size > 10_000) refusedUntil.clear();
    refusedUntil.set(key, performance.now() + seconds * 1000);
  }

  function refusalSeconds(key: string): number {
    const until = refusedUntil.get(key);
    if (until === undefined) return 0;
    const seconds = Math.ceil((until - performance.now()) / 1000);
    if (seconds <= 0) refusedUntil.delete(key);
    return Math.max(0, seconds);
  }

  /** Counts one use; refuses, from memory until the window ends, once there were more than the rate allows. */
  async function consumeOne(key: string, { points, seconds }: Rate): Promise<void> {
    const remembered = refusalSeconds(key);
    if (remembered > 0) throw tooMany(remembered);
    if ((await add(key, 1, seconds)) <= points) return;
    const wait = Math.max(1, await secondsLeft(key));
    rememberRefusal(key, wait);
    throw tooMany(wait);
  }

  /** Counts one use of a rule by a client, an account or a token; refuses when one of the rule's rates is exceeded. */
  async function consume(rule: CountedRule, subject: Subject): Promise<void> {
    if (settings === 'off') return;
    const key =
      'ip' in subject ? clientOf(subject.ip) : 'id' in subject ? subject.id.toString('hex') : subject.name;
    await Promise.all(settings[rule].map((rate) => consumeOne(keyOf(rule, rate, key), rate)));
  }

  /**
   * Counts a url token that does not exist. Too many refuse the client for ten minutes: this by its own counter, and
   * every other request by those of `requests`, which all processes ask anyhow.
   */
  async function countUnknownToken(ip: string): Promise<void> {
    if (settings === 'off' || ip === '') return; // who asks from a chat is no client of the web
    const client = clientOf(ip);
    const { points, seconds } = settings.unknownTokens;
    const key = `unknown ${client}`;
    if ((await add(key, 1, seconds)) <= points) return;
    await set(key, points, banSeconds);
    await Promise.all(
      settings.requests.map((rate) => set(keyOf('requests', rate, client), rate.points, banSeconds)),
    );
    throw tooMany(banSeconds);
  }

  /**
   * Lets a passphrase be tried. The try is counted before `isRight` compares hashes, so
   * that parallel guesses cannot outrun the count, and taken back unless it was wrong. Too many wrong ones refuse the
   * client's network for 30 min; from many networks, everybody, for 30 min that double to 24 h.
   */
  async function guess(pushId: Buffer, ip: string, verify: () => Promise<boolean>): Promise<Guess> {
    if (settings === 'off') return { outcome: (await verify()) ? 'right' : 'wrong' };
    const push = `passphrase ${pushId.toString('hex')}`;
    const client = `${push} ${networkOf(ip)}`;
    await requireUnblocked(push);
    await requireUnblocked(client);
    const { passphraseByClient, passphraseByPush } = settings;
    let isLocked = false;
    let triesLeft = 0;
    const wasRight = await counted(client, passphraseByClient, async () => {
      const wasRight = await counted(push, passphraseByPush, verify);
      if (wasRight) return true;
      const [byClient, byPush] = [
        await remaining(client, passphraseByClient),
        await remaining(push, passphraseByPush),
      ];
      if (byClient === 0) await block(client, clientBlockSeconds);
      if (byPush === 0) isLocked = await lock(push);
      triesLeft = Math.min(byClient, byPush);
      return false;
    });
    if (wasRight) return { outcome: 'right' };
    return { outcome: isLocked ? 'locked' : 'wrong', triesLeft };
  }

  /** Lets a password be tried, counted as a passphrase is: by address and client, and by address from all clients. */
  async function signIn(email: string, ip: string, verify: () => Promise<boolean>): Promise<boolean> {
    if (settings === 'off') return verify();
    const account = `sign in ${email}`;
    const { signInByClient, signInByAccount } = settings;
    return counted(`${account} ${clientOf(ip)}`, signInByClient, () =>
      counted(account, signInByAccount, verify),
    );
  }

  /** Holds one point of a counter while a try lasts, and for good when it was wrong. */
  async function counted(key: string, rate: Rate, verify: () => Promise<boolean>): Promise<boolean> {
    let isWrong = false;
    try {
      if ((await add(key, 1, rate.seconds)) > rate.points) throw tooMany(Math.max(1, await secondsLeft(key)));
      isWrong = !(await verify());
      return !isWrong;
    } finally {
      if (!isWrong) await refund(key);
    }
  }

  async function remaining(key: string, { points, seconds }: Rate): Promise<number> {
    return Math.max(0, points - (await add(key, 0, seconds)));
  }

  /** Of several wrong tries at once, the first to shut the door decides for how long; says whether this one did. */
  async function lock(key: string): Promise<boolean> {
    const isFirst = (await add(blockOf(key), 1, pushLockSeconds)) === 1;
    if (isFirst) await block(key, await nextLockSeconds(key));
    return isFirst;
  }

  async function nextLockSeconds(key: string): Promise<number> {
    const strikes = await add(`strikes ${key}`, 1, 7 * pushLockMaxSeconds);
    return Math.min(pushLockSeconds * 2 ** (strikes - 1), pushLockMaxSeconds);
  }

  /** Forgets counters whose time is over. */
  const purge = (isStopping?: () => boolean) =>
    database.deleteInBatches('rate_limits', 'expires_at', dialect.now, isStopping);

  return { consume, countUnknownToken, guess, signIn, purge };
}

function keyOf(rule: CountedRule, { seconds }: Rate, subject: string): string {
  return `${rule}/${seconds} ${subject}`;
}

function tooMany(retryAfterSeconds: number): DomainError {
  return new DomainError('too_many', 'tooManyRequests', {
    values: { seconds: retryAfterSeconds },
    retryAfterSeconds,
  });
}

/** The network that an attacker can change addresses in at no cost: /24 of IPv4, /64 of IPv6. */
function networkOf(ip: string): string {
  return prefixOf(ip, 3);
}

/** One client: an IPv4 address, or a /64 of IPv6, which is what one subscriber gets. */
function clientOf(ip: string): string {
  return prefixOf(ip, 4);
}

function prefixOf(ip: string, ipv4Bytes: number): string {
  if (!isValid(ip)) return ip;
  const address = parse(ip);
  return address
    .toByteArray()
    .slice(0, address.kind() === 'ipv4' ? ipv4Bytes : 8)
    .join('.');
}

const blockOf = (key: string) => `block ${key}`;

function idOf(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 16);
}

import { createHash } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import type { Database } from './database.ts';
import { DomainError } from './errors.ts';
import type { LimitSettings, Rate } from './settings.ts';

export type Limits = ReturnType<typeof createLimits>;

const { isValid, parse } = ipaddr;

const clientBlockSeconds = 30 * 60;
const unknownTokenBlockSeconds = 10 * 60;
const pushLockSeconds = 30 * 60;
const pushLockMaxSeconds = 24 * 3600;

/** The rules that only count; the others also shut doors. */
type CountedRule = 'requests' | 'tokenRequests' | 'anonymousCreate' | 'tokenCreate';

/**
 * Counters in the service's own database, shared by all processes. Each count is one atomic statement, decided on the
 * value it returns. Refusals are `too_many` with the seconds to wait; a client refused here is refused from memory until then.
 */
export function createLimits(database: Database, settings: LimitSettings | 'off') {
  const { rows, change, insertAndTell, retrying, dialect } = database;
  const refusedUntil = new Map<string, number>();

  /** Adds points to a counter, which starts anew when its window has passed, and gives the points it then holds. */
  async function add(key: string, points: number, seconds: number): Promise<number> {
    const bind = { id: idOf(key), points, ms: seconds * 1000 };
    const conflict = dialect.name === 'mysql' ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT (id) DO UPDATE SET';
    const isOver = `rate_limits.expires_at <= ${dialect.now}`;
    return retrying(() =>
      insertAndTell(
        (remember) =>
          `INSERT INTO rate_limits (id, points, expires_at) VALUES ($id, ${remember('$points')}, ${dialect.now} + $ms)
           ${conflict}
             points = ${remember(`CASE WHEN ${isOver} THEN $points ELSE rate_limits.points + $points END`)},
             expires_at = CASE WHEN ${isOver} THEN ${dialect.now} + $ms ELSE rate_limits.expires_at END`,
        'points',
        bind,
      ),
    );
  }

  async function secondsLeft(key: string): Promise<number> {
    const [row] = await rows<{ ms: number }>(
      `SELECT expires_at - ${dialect.now} AS ms FROM rate_limits WHERE id = $id AND points > 0`,
      { id: idOf(key) },
    );
    return Math.max(0, Math.ceil(Number(row?.ms ?? 0) / 1000));
  }

  const takeBack = (key: string) =>
    retrying(() =>
      change('UPDATE rate_limits SET points = points - 1 WHERE id = $id AND points > 0', { id: idOf(key) }),
    );

  /** Keeps a door shut for so long, whatever its counters say. */
  async function block(key: string, seconds: number): Promise<void> {
    await add(blockOf(key), 1, seconds);
    remember(blockOf(key), seconds);
  }

  async function requireUnblocked(key: string): Promise<void> {
    const remembered = rememberedSeconds(blockOf(key));
    const seconds = remembered > 0 ? remembered : await secondsLeft(blockOf(key));
    if (seconds > 0) throw tooMany(seconds);
  }

  function remember(key: string, seconds: number): void {
    if (refusedUntil.size > 10_000) refusedUntil.clear();
    refusedUntil.set(key, performance.now() + seconds * 1000);
  }

  function rememberedSeconds(key: string): number {
    const until = refusedUntil.get(key);
    if (until === undefined) return 0;
    const seconds = Math.ceil((until - performance.now()) / 1000);
    if (seconds <= 0) refusedUntil.delete(key);
    return Math.max(0, seconds);
  }

  /** Counts one use; refuses, from memory until the window ends, once there were more than the rate allows. */
  async function consumeRate(key: string, { points, seconds }: Rate): Promise<void> {
    const remembered = rememberedSeconds(key);
    if (remembered > 0) throw tooMany(remembered);
    if ((await add(key, 1, seconds)) <= points) return;
    const wait = Math.max(1, await secondsLeft(key));
    remember(key, wait);
    throw tooMany(wait);
  }

  /** Counts one use of a rule by a client, or by an account given by its id; refuses when one of its rates is exceeded. */
  async function consume(rule: CountedRule, by: { ip: string } | { account: Buffer }): Promise<void> {
    if (settings === 'off') return;
    const who = 'ip' in by ? clientOf(by.ip) : by.account.toString('hex');
    await Promise.all(settings[rule].map((rate) => consumeRate(`${rule}/${rate.seconds} ${who}`, rate)));
  }

  /** Refuses a client that asked for too many url tokens that do not exist. Asks memory alone: it stands before every read. */
  function requireNotGuessing(ip: string): void {
    const seconds = settings === 'off' ? 0 : rememberedSeconds(blockOf(guessing(ip)));
    if (seconds > 0) throw tooMany(seconds);
  }

  /** Counts a url token that does not exist; refuses for ten minutes once there were too many. */
  async function countUnknownToken(ip: string): Promise<void> {
    if (settings === 'off') return;
    await requireUnblocked(guessing(ip));
    const { points, seconds } = settings.unknownTokens;
    if ((await add(guessing(ip), 1, seconds)) <= points) return;
    await block(guessing(ip), unknownTokenBlockSeconds);
    throw tooMany(unknownTokenBlockSeconds);
  }

  /**
   * Lets one passphrase be tried, and gives what to call afterwards with how it went. The try is counted before the
   * hash is compared, so that parallel guesses cannot outrun the count, and taken back when it was right.
   * Too many wrong ones shut out the client's network for 30 min; from many networks, the push for 30 min, doubling to 24 h.
   */
  async function tryPassphrase(pushId: Buffer, ip: string): Promise<(wasRight: boolean) => Promise<void>> {
    if (settings === 'off') return async () => {};
    const push = `passphrase ${pushId.toString('hex')}`;
    const client = `${push} ${networkOf(ip)}`;
    await requireUnblocked(push);
    await requireUnblocked(client);
    const byClient = await tryAt(client, settings.passphraseByClient);
    const byPush = await tryAt(push, settings.passphraseByPush);
    return async (wasRight) => {
      if (wasRight) {
        await Promise.all([takeBack(client), takeBack(push)]);
        return;
      }
      if (byClient === 'last') await block(client, clientBlockSeconds);
      if (byPush === 'last') await block(push, await nextLockSeconds(push));
    };
  }

  async function tryAt(key: string, { points, seconds }: Rate): Promise<'last' | 'one of several'> {
    const tries = await add(key, 1, seconds);
    if (tries > points) throw tooMany(Math.max(1, await secondsLeft(key)));
    return tries === points ? 'last' : 'one of several';
  }

  async function nextLockSeconds(key: string): Promise<number> {
    const strikes = await add(`strikes ${key}`, 1, 7 * pushLockMaxSeconds);
    return Math.min(pushLockSeconds * 2 ** (strikes - 1), pushLockMaxSeconds);
  }

  return { consume, requireNotGuessing, countUnknownToken, tryPassphrase };
}

function tooMany(retryAfterSeconds: number): DomainError {
  return new DomainError('too_many', `Too many requests. Try again in ${retryAfterSeconds} seconds.`, {
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

const guessing = (ip: string) => `guessing ${clientOf(ip)}`;
const blockOf = (key: string) => `block ${key}`;

function idOf(key: string): Buffer {
  return createHash('sha256').update(key).digest().subarray(0, 16);
}

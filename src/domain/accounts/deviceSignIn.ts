import { newId } from '../../crypto/ids.ts';
import { digestOf, newSecret, newUserCode } from '../../crypto/tokens.ts';
import type { Database } from '../../database/database.ts';
import { DomainError } from '../../errors.ts';
import { minuteMs, secondMs } from '../../time.ts';
import { parseInput } from '../base/index.ts';
import type { Limits } from '../limits/index.ts';
import { type Account, type ClientInfo, clientColumns, isEnabled, type TokenScope } from '../people/index.ts';
import { accountColumns, toAccount } from './account.ts';
import { type ApiTokens, apiTokenSchema } from './apiTokens.ts';
import type { Holder, StepUp } from './factors/stepUp.ts';
import { deviceCodesTable } from './tables.ts';

const lifetimeMs = 10 * minuteMs;
const intervalSeconds = 5;

/** What a program says of itself when it asks. */
const requestSchema = apiTokenSchema.omit({ days: true });

/** Who asks for a token, from where, and since when. */
export type DeviceRequest = {
  userCode: string;
  name: string;
  scope: TokenScope;
  ip: string;
  userAgent: string;
  createdAt: number;
};

/** What a program gets that asks again. */
type PollResult =
  | { state: 'waiting' | 'tooFast' | 'denied' | 'ended' }
  | { state: 'allowed'; token: string; scope: TokenScope };

type PolledRow = Account & {
  id: Buffer;
  state: 'waiting' | 'allowed' | 'denied';
  name: string;
  scope: TokenScope;
  days: number | null;
  accountId: Buffer | null;
  intervalSeconds: number;
  polledAt: number | null;
  now: number;
};

type Dependencies = { database: Database; apiTokens: ApiTokens; limits: Limits; stepUp: StepUp };

/**
 * API tokens for programs without a browser (RFC 8628): the program shows a code, and its owner, who is signed in, types it here and
 * sees who asks before they allow it. Nothing is held open in the meantime. Owns the table device_codes.
 */
export function createDeviceSignIn({ database, apiTokens, limits, stepUp }: Dependencies) {
  const { select, execute, dialect } = database;

  /** Begins a request. The device code is a secret of the program; the user code is for its owner to type. Throws `invalid`. */
  async function begin(input: unknown, client: ClientInfo) {
    const { name, scope } = parseInput(requestSchema, input);
    const [deviceCode, userCode] = [newSecret(), newUserCode()];
    const createdAt = await database.clock();
    const { ip, userAgent } = clientColumns(client);
    await database.model(deviceCodesTable).create({
      ...{ id: newId(), digest: digestOf(deviceCode), userCode, name, scope, ip, userAgent, createdAt },
      ...{ state: 'waiting', intervalSeconds, expiresAt: createdAt + lifetimeMs },
    });
    return { deviceCode, userCode, seconds: lifetimeMs / secondMs, intervalSeconds };
  }

  /**
   * The request of a code that somebody typed, in any spelling. Throws `not_found` for one that nobody asks with, and `too_many` after
   * five of them.
   */
  async function find(
    account: Pick<Account, 'id'>,
    typed: string,
    client: ClientInfo,
  ): Promise<DeviceRequest> {
    const userCode = typed
      .toUpperCase()
      .replace(/[^A-Z]/g, '')
      .slice(0, 8);
    let found: DeviceRequest | undefined;
    await limits.attempt('deviceCode', { account: account.id, client }, async () => {
      [found] = await select<DeviceRequest>(
        `SELECT user_code AS userCode, name, scope, ip, user_agent AS userAgent, created_at AS createdAt
         FROM device_codes WHERE user_code = $userCode AND state = 'waiting' AND expires_at > ${dialect.now}`,
        { userCode },
      );
      return found !== undefined;
    });
    if (found === undefined) throw new DomainError('not_found', 'deviceCodeUnknown');
    return found;
  }

  /** Lets a program have an API token of the account, after a fresh sign-in. Throws like `find`, and `invalid`. */
  async function allow(
    account: Account & Holder,
    typed: string,
    input: unknown,
    client: ClientInfo,
  ): Promise<void> {
    await stepUp.requireFresh(account);
    const { userCode } = await find(account, typed, client);
    const { name, scope, days } = parseInput(apiTokenSchema, input);
    await answer(userCode, { state: 'allowed', accountId: account.id, name, scope, days: days ?? null });
  }

  /** Refuses a program. Throws like `find`. */
  async function deny(account: Account, typed: string, client: ClientInfo): Promise<void> {
    const { userCode } = await find(account, typed, client);
    await answer(userCode, { state: 'denied' });
  }

  async function answer(userCode: string, change: Partial<Omit<PolledRow, 'now'>>): Promise<void> {
    const [answered] = await database
      .model(deviceCodesTable)
      .update(change, { where: { userCode, state: 'waiting' } });
    if (answered === 0) throw new DomainError('not_found', 'deviceCodeUnknown');
  }

  /** Whether a program may have its token yet. The token is given once. A program that asks too often has to wait longer. */
  async function poll(deviceCode: string, client: ClientInfo): Promise<PollResult> {
    const [row] = await select<PolledRow>(
      `SELECT d.id, d.state, d.name, d.scope, d.days, d.account_id AS accountId, d.interval_seconds AS intervalSeconds,
              d.polled_at AS polledAt, ${dialect.now} AS now
       FROM device_codes d WHERE d.digest = $digest AND d.expires_at > ${dialect.now}`,
      { digest: digestOf(deviceCode) },
    );
    if (row === undefined) return { state: 'ended' };
    if (row.state === 'waiting') return wait(row);
    const taken = await execute('DELETE FROM device_codes WHERE id = $id', row);
    if (taken === 0) return { state: 'ended' };
    return row.state === 'allowed' ? give(row, client) : { state: 'denied' };
  }

  async function wait({ id, polledAt, intervalSeconds: interval, now }: PolledRow): Promise<PollResult> {
    const isTooFast = polledAt !== null && now - polledAt < interval * secondMs;
    const next = isTooFast ? interval + intervalSeconds : interval;
    await execute('UPDATE device_codes SET polled_at = $now, interval_seconds = $next WHERE id = $id', {
      id,
      now,
      next,
    });
    return { state: isTooFast ? 'tooFast' : 'waiting' };
  }

  /** Another token may have got the name in the meantime. */
  async function give({ accountId, name, scope, days }: PolledRow, client: ClientInfo): Promise<PollResult> {
    const [account] = await select<Account>(
      `SELECT ${accountColumns} FROM accounts a WHERE a.id = $accountId AND ${isEnabled}`,
      { accountId },
    );
    if (account === undefined) return { state: 'denied' };
    const taken = new Set((await apiTokens.list(account)).map((token) => token.name));
    const numbered = Array.from({ length: taken.size }, (_, index) => `${name.slice(0, 95)} ${index + 2}`);
    const free = [name, ...numbered].find((each) => !taken.has(each)) ?? name;
    const input = { name: free, scope, days: days ?? undefined };
    const token = await apiTokens.issue(toAccount(account), input, client);
    return { state: 'allowed', token, scope };
  }

  /** Deletes requests that have ended. */
  const purge = (isStopping?: () => boolean) =>
    database.deleteInBatches('device_codes', 'expires_at', dialect.now, isStopping);

  return { begin, find, allow, deny, poll, purge };
}

import type { LimitSettings } from '../settings.ts';
import type { Counters } from './counters.ts';
import { clientKey, networkKey } from './networks.ts';

const clientBlockSeconds = 30 * 60;
const pushLockSeconds = 30 * 60;
const pushLockMaxSeconds = 24 * 3600;

/**
 * The result of checking a passphrase. `locked`: it was wrong, and the last try allowed. `triesLeft` is unknown
 * without limits.
 */
export type Guess = { outcome: 'right' | 'wrong' | 'locked'; triesLeft?: number };

/**
 * Limits on guessing passphrases and passwords. Each try is counted before it is verified, so parallel tries cannot
 * exceed the limit.
 */
export function createGuessLimits(counters: Counters, settings: LimitSettings | 'off') {
  /**
   * Counts a try of a passphrase, and removes the count unless it was wrong. Too many wrong ones block the client's
   * network for 30 minutes. Too many from different networks block everybody, for 30 minutes at first, doubling up to
   * 24 hours.
   */
  async function guess(pushId: Buffer, ip: string, verify: () => Promise<boolean>): Promise<Guess> {
    if (settings === 'off') return { outcome: (await verify()) ? 'right' : 'wrong' };
    const push = `passphrase ${pushId.toString('hex')}`;
    const client = `${push} ${networkKey(ip)}`;
    await counters.requireUnblocked(push);
    await counters.requireUnblocked(client);
    const { passphraseByClient, passphraseByPush } = settings;
    let isLocked = false;
    let triesLeft = 0;
    const isCorrect = await counters.hold(client, passphraseByClient, async () => {
      if (await counters.hold(push, passphraseByPush, verify)) return true;
      const triesOfClient = await counters.remaining(client, passphraseByClient);
      const triesOfAll = await counters.remaining(push, passphraseByPush);
      if (triesOfClient === 0) await counters.block(client, clientBlockSeconds);
      if (triesOfAll === 0) isLocked = await lock(push);
      triesLeft = Math.min(triesOfClient, triesOfAll);
      return false;
    });
    if (isCorrect) return { outcome: 'right' };
    return { outcome: isLocked ? 'locked' : 'wrong', triesLeft };
  }

  /** Counts a try of a password, by address and client, and by address alone. */
  async function signIn(email: string, ip: string, verify: () => Promise<boolean>): Promise<boolean> {
    if (settings === 'off') return verify();
    const account = `sign in ${email}`;
    const { signInByClient, signInByAccount } = settings;
    return counters.hold(`${account} ${clientKey(ip)}`, signInByClient, () =>
      counters.hold(account, signInByAccount, verify),
    );
  }

  /** Returns whether this try set the block. Of several wrong tries at once, the first decides how long it lasts. */
  async function lock(push: string): Promise<boolean> {
    const isFirst = await counters.isFirstToBlock(push, pushLockSeconds);
    if (isFirst) await counters.block(push, await nextLockSeconds(push));
    return isFirst;
  }

  async function nextLockSeconds(push: string): Promise<number> {
    const strikes = await counters.add(`strikes ${push}`, 1, 7 * pushLockMaxSeconds);
    return Math.min(pushLockSeconds * 2 ** (strikes - 1), pushLockMaxSeconds);
  }

  return { guess, signIn };
}

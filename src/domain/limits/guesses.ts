import type { LimitSettings } from '../settings.ts';
import type { Counters } from './counters.ts';
import { clientKey, networkKey } from './networks.ts';

const clientBlockSeconds = 30 * 60;
const pushLockSeconds = 30 * 60;
const pushLockMaxSeconds = 24 * 3600;

/** The result of trying a passphrase. `locked` was wrong, and one too many. Without limits, `triesLeft` is unknown. */
export type Guess = { outcome: 'right' | 'wrong' | 'locked'; triesLeft?: number };

/** Limits on guessing passphrases and passwords: each try is counted before it is verified, so none outruns the count. */
export function createGuessLimits(counters: Counters, settings: LimitSettings | 'off') {
  /**
   * Lets a passphrase be tried, and takes the count back unless it was wrong. Too many wrong ones block the client's
   * network for 30 min; from many networks, everybody, for 30 min that double to 24 h.
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
    const isRight = await counters.hold(client, passphraseByClient, async () => {
      if (await counters.hold(push, passphraseByPush, verify)) return true;
      const leftToClient = await counters.remaining(client, passphraseByClient);
      const leftToAll = await counters.remaining(push, passphraseByPush);
      if (leftToClient === 0) await counters.block(client, clientBlockSeconds);
      if (leftToAll === 0) isLocked = await lock(push);
      triesLeft = Math.min(leftToClient, leftToAll);
      return false;
    });
    if (isRight) return { outcome: 'right' };
    return { outcome: isLocked ? 'locked' : 'wrong', triesLeft };
  }

  /** Lets a password be tried: counted by address and client, and by address from all clients. */
  async function signIn(email: string, ip: string, verify: () => Promise<boolean>): Promise<boolean> {
    if (settings === 'off') return verify();
    const account = `sign in ${email}`;
    const { signInByClient, signInByAccount } = settings;
    return counters.hold(`${account} ${clientKey(ip)}`, signInByClient, () =>
      counters.hold(account, signInByAccount, verify),
    );
  }

  /** Of several wrong tries at once, the first decides for how long. Gives whether this one did. */
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

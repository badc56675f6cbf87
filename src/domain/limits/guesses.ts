import type { Rate } from '../base/index.ts';
import type { ClientInfo } from '../people/index.ts';
import type { Counters } from './counters.ts';
import { networkBlockSeconds, pushLockSeconds, type RuleName } from './rules.ts';
import type { Use } from './subjects.ts';

/**
 * The result of checking a passphrase. `locked`: it was wrong, and the last try allowed. `triesLeft` is unknown
 * without limits.
 */
export type Guess = { outcome: 'right' | 'wrong' | 'locked'; triesLeft?: number };

/** The counters of a use, in the order of the rule. None while limits are off. */
export type CountersOf = <Rule extends RuleName>(
  rule: Rule,
  use: Use<Rule>,
) => { key: string; setting: string; rate: Rate }[];

/** The rules of which only failures count. */
type TryRule =
  | 'signIn'
  | 'knownBrowserSignIn'
  | 'secondFactor'
  | 'knownBrowserFactor'
  | 'ownPassword'
  | 'deviceCode';

/**
 * Limits on guessing passphrases and passwords. Each try is counted before it is verified, so parallel tries cannot
 * exceed the limit.
 */
export function createGuessLimits(counters: Counters, countersOf: CountersOf) {
  /** Counts a try, and takes it back unless it was wrong. Throws `too_many` after too many wrong ones. */
  function attempt<Rule extends TryRule>(
    rule: Rule,
    use: Use<Rule>,
    verify: () => Promise<boolean>,
  ): Promise<boolean> {
    const counted = countersOf(rule, use).reduceRight<() => Promise<boolean>>(
      (work, { key, rate }) =>
        () =>
          counters.hold(key, rate, work),
      verify,
    );
    return counted();
  }

  /**
   * Counts a try of a passphrase. Too many wrong ones block the client's network for 30 minutes. Too many from
   * different networks block everybody, for 30 minutes at first, doubling up to 24 hours. Of several tries at once, the
   * one that was counted last decides, so that people hear of the others first.
   */
  async function guess(push: Buffer, client: ClientInfo, verify: () => Promise<boolean>): Promise<Guess> {
    const [ofNetwork, ofPush] = countersOf('passphrase', { push, client });
    if (ofNetwork === undefined || ofPush === undefined)
      return { outcome: (await verify()) ? 'right' : 'wrong' };
    await counters.requireUnblocked(ofPush.key);
    await counters.requireUnblocked(ofNetwork.key);
    let isLastOfPush = false;
    const isRight = await counters.hold(ofNetwork.key, ofNetwork.rate, () =>
      counters.hold(ofPush.key, ofPush.rate, (left) => {
        isLastOfPush = left === 0;
        return verify();
      }),
    );
    if (isRight) return { outcome: 'right' };
    const triesOfNetwork = await counters.remaining(ofNetwork.key, ofNetwork.rate);
    const triesOfAll = await counters.remaining(ofPush.key, ofPush.rate);
    if (triesOfNetwork === 0) await counters.block(ofNetwork.key, networkBlockSeconds);
    const isLocked = isLastOfPush && triesOfAll === 0 && (await lock(ofPush.key));
    return { outcome: isLocked ? 'locked' : 'wrong', triesLeft: Math.min(triesOfNetwork, triesOfAll) };
  }

  /** Returns whether this try set the block. Of several wrong tries at once, the first decides how long it lasts. */
  async function lock(key: string): Promise<boolean> {
    const isFirst = await counters.isFirstToBlock(key, pushLockSeconds.first);
    if (isFirst) await counters.block(key, await nextLockSeconds(key));
    return isFirst;
  }

  async function nextLockSeconds(key: string): Promise<number> {
    const { first, max, forgottenAfter } = pushLockSeconds;
    const { points } = await counters.add(`strikes ${key}`, 1, forgottenAfter);
    return Math.min(first * 2 ** (points - 1), max);
  }

  return { attempt, guess };
}

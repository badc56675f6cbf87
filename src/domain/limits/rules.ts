import type { LimitSettings, Rate } from '../settings.ts';
import { type Counters, tooMany } from './counters.ts';
import { clientKey } from './networks.ts';

const banSeconds = 10 * 60;

/** Rules that only count uses. */
type CountedRule =
  | 'requests'
  | 'tokenRequests'
  | 'anonymousCreate'
  | 'tokenCreate'
  | 'commands'
  | 'signUp'
  | 'askAgain';

/** What a use counts against: a client, an account or token, or a chat user. */
type Subject = { ip: string } | { id: Buffer } | { name: string };

/** Rate limits. */
export function createLimitRules(counters: Counters, settings: LimitSettings | 'off') {
  /** Counts one use under a rule. Throws `too_many` when one of the rule's rates is exceeded. */
  async function consume(rule: CountedRule, subject: Subject): Promise<void> {
    if (settings === 'off') return;
    const key = subjectKey(subject);
    await Promise.all(settings[rule].map((rate) => counters.consume(ruleKey(rule, rate, key), rate)));
  }

  /**
   * Counts a url token that does not exist. Too many of them ban the client for ten minutes, by this counter and by
   * those of `requests`, which all processes check anyway. Chat users have no address and are not counted.
   */
  async function countUnknownToken(ip: string): Promise<void> {
    if (settings === 'off' || ip === '') return;
    const client = clientKey(ip);
    const { points, seconds } = settings.unknownTokens;
    const key = `unknown ${client}`;
    if ((await counters.add(key, 1, seconds)) <= points) return;
    await counters.set(key, points, banSeconds);
    await Promise.all(
      settings.requests.map((rate) =>
        counters.set(ruleKey('requests', rate, client), rate.points, banSeconds),
      ),
    );
    throw tooMany(banSeconds);
  }

  return { consume, countUnknownToken };
}

function ruleKey(rule: CountedRule, { seconds }: Rate, subject: string): string {
  return `${rule}/${seconds} ${subject}`;
}

function subjectKey(subject: Subject): string {
  if ('ip' in subject) return clientKey(subject.ip);
  return 'id' in subject ? subject.id.toString('hex') : subject.name;
}

import type { Database } from '../../database/database.ts';
import type { LimitSettings, Rate } from '../base/index.ts';
import type { ClientInfo } from '../people/index.ts';
import { createCounters } from './counters.ts';
import { type CountersOf, createGuessLimits } from './guesses.ts';
import { type RuleName, unknownTokenBlockSeconds } from './rules.ts';
import { subjectsOf, type Use } from './subjects.ts';

export type Limits = ReturnType<typeof createLimits>;

/** A rate of a setting, and how many uses it has left in its window. */
export type LimitUse = { setting: string; rate: Rate; remaining: number };

/** The limits of `rules.ts`, shared by all processes. They refuse with `too_many`. */
export function createLimits({
  database,
  settings,
}: {
  database: Database;
  settings: LimitSettings | 'off';
}) {
  const counters = createCounters(database);

  const countersOf: CountersOf = (rule, use) => {
    if (settings === 'off') return [];
    return subjectsOf(rule, use).flatMap(({ setting, subject }) =>
      [settings[setting]]
        .flat()
        .map((rate) => ({ key: `${rule} ${setting}/${rate.seconds} ${subject}`, setting, rate })),
    );
  };

  /** Counts one use under a rule, and returns what is left of each of its rates. Throws `too_many` when one is exceeded. */
  async function consume<Rule extends RuleName>(rule: Rule, use: Use<Rule>): Promise<LimitUse[]> {
    return Promise.all(
      countersOf(rule, use).map(async ({ key, setting, rate }) => ({
        setting,
        rate,
        remaining: await counters.consume(key, rate),
      })),
    );
  }

  /**
   * Counts a url token that does not exist. After too many, further ones are refused for ten minutes. Chat users have
   * no address and are not counted.
   */
  async function countUnknownToken(client: ClientInfo): Promise<void> {
    if (client.ip === '') return;
    for (const { key, rate } of countersOf('unknownToken', { client }))
      await counters.consume(key, rate, unknownTokenBlockSeconds);
  }

  return { consume, countUnknownToken, ...createGuessLimits(counters, countersOf), purge: counters.purge };
}

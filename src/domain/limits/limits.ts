import type { Database } from '../../database/database.ts';
import type { LimitSettings } from '../settings.ts';
import { createCounters } from './counters.ts';
import { createGuessLimits } from './guesses.ts';
import { createLimitRules } from './rules.ts';

export type Limits = ReturnType<typeof createLimits>;

/** All limits, shared by all processes. They refuse with `too_many`. */
export function createLimits(database: Database, settings: LimitSettings | 'off') {
  const counters = createCounters(database);
  return {
    ...createLimitRules(counters, settings),
    ...createGuessLimits(counters, settings),
    purge: counters.purge,
  };
}

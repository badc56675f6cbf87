export { createLimits, type Limits, type LimitUse } from './limits.ts';
export { createPasswordHashers, type HashCaller, type PasswordHasher } from './passwordHashers.ts';
export { tooMany } from './refusals.ts';
export { clientKey } from './subjects.ts';
export { rateLimitsTable } from './tables.ts';
export { createTallies } from './tallies.ts';

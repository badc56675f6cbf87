export {
  activeKeyMissing,
  compareKeys,
  findActiveKeyId,
  KeyMismatch,
  requireKey,
  requireMatchingKeys,
} from './keyChecks.ts';
export { createKeys, type KeySummary } from './keys.ts';
export type { KeyUsage } from './usage.ts';

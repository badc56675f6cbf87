import type { DeliveryResult } from './notices/deliveryResults.ts';
import type { Claim } from './pushes/claim.ts';

/** Told what happens, for whoever counts and measures; nothing depends on it. */
export type Observer = {
  /** What came of each attempt to claim a view. */
  claimed(outcome: Claim['outcome']): void;
  /** How late the erasure of a push was that its time had ended, in milliseconds. */
  erased(lateMs: number): void;
  /** How each attempt to deliver a notice ended. */
  delivered(result: DeliveryResult): void;
  /** What a delivery failed of on our side; the notice goes out again later. */
  deliveryFailed(error: unknown): void;
};

export const noopObserver: Observer = { claimed() {}, erased() {}, delivered() {}, deliveryFailed() {} };

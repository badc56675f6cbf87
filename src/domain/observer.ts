/** Called with what happens, for metrics. Outcomes are labels there; nothing depends on them. */
export type Observer = {
  /** What came of each attempt to claim a view. */
  claimed(outcome: string): void;
  /** How late the erasure of a push was that its time had ended, in milliseconds. */
  erased(lateMs: number): void;
  /** How each attempt to deliver a notice ended. */
  delivered(result: string): void;
  /** What a delivery failed of on our side; the notice goes out again later. */
  deliveryFailed(error: unknown): void;
};

export const noopObserver: Observer = { claimed() {}, erased() {}, delivered() {}, deliveryFailed() {} };

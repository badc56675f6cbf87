/** Receives events for metrics. Outcomes become labels; nothing depends on them. */
export type Observer = {
  /** The result of each attempt to claim a view. */
  claimed(outcome: string): void;
  /** A batch of simultaneous requests starts. The oldest of them has waited this long. */
  batched(work: 'create' | 'claim', size: number, waitedMs: number): void;
  /** How late a push was erased after its end, in milliseconds. */
  erased(lateMs: number): void;
  /** The result of each attempt to deliver a notice. */
  delivered(result: string): void;
  /** Somebody did something to the account of somebody else. */
  acted(entry: { act: string; accountId: string; by: string }): void;
  /** An internal error during a delivery. The notice is sent again later. */
  deliveryFailed(error: unknown): void;
};

export const noopObserver: Observer = {
  claimed() {},
  batched() {},
  erased() {},
  delivered() {},
  acted() {},
  deliveryFailed() {},
};

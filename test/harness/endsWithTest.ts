type End = () => Promise<unknown>;

/** What the running test has started and not ended yet. Undefined outside of tests, as in `before`. */
let started: Set<End> | undefined;

/**
 * Has what a test starts end with it, whether the test passes or not, unless the test has ended it itself: it would run on
 * beside the next tests, and keep the run from ending. Whatever was started for several tests is left alone.
 */
export function endsWithTest<T>(end: () => Promise<T>): () => Promise<T> {
  const ofTest = started;
  let ending: Promise<T> | undefined;
  const endOnce = () => {
    ofTest?.delete(endOnce);
    ending ??= end();
    return ending;
  };
  ofTest?.add(endOnce);
  return endOnce;
}

export function beginTest(): void {
  started = new Set();
}

/** Ends what is left, the last first. */
export async function endTest(): Promise<void> {
  const left = [...(started ?? [])].reverse();
  started = undefined;
  for (const end of left) await end();
}

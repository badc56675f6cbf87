import { withinTime } from '../retry.ts';

export type BackgroundTasks = ReturnType<typeof createBackgroundTasks>;

/** Work in the background, which only the shutdown waits for. */
export function createBackgroundTasks(onError: (error: unknown) => void) {
  const pending = new Set<Promise<void>>();

  function run(task: () => Promise<void>): void {
    const running = task()
      .catch(onError)
      .finally(() => pending.delete(running));
    pending.add(running);
  }

  /** Resolves when all tasks have ended, or time is up. */
  async function settle(timeoutMs: number): Promise<void> {
    await withinTime(Promise.all(pending), timeoutMs);
  }

  return { run, settle };
}

import { type RetryOptions, retry } from '../retry.ts';

type ConnectionOptions = Pick<RetryOptions, 'delayMs'> & {
  onError: (error: unknown) => void;
  /** Called once it has ended for good. */
  onEnd?: () => Promise<void>;
};

/** Keeps a connection to a chat from `start` to `stop`. `connect` resolves when it is lost; failures are retried. */
export function createConnection(
  connect: (signal: AbortSignal) => Promise<void>,
  { delayMs, onError, onEnd }: ConnectionOptions,
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running: Promise<void> | undefined;

  async function run(): Promise<void> {
    const retrying = { delayMs, onRetry: onError, signal };
    while (!signal.aborted) await retry(() => connect(signal), retrying).catch(() => {}); // rejects only when stopped
    await onEnd?.();
  }

  return {
    start(): void {
      running = run();
    },
    /** `close` closes what is open; resolves once all has ended. */
    async stop(close?: () => Promise<unknown>): Promise<void> {
      stopping.abort();
      await close?.();
      await running;
    },
  };
}

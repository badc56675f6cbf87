import { setTimeout as sleep } from 'node:timers/promises';
import { type Domain, toRefusal } from '../../domain/index.ts';
import { growingDelay } from '../../retry.ts';
import { createConnection } from '../connection.ts';
import { explainDiscordError } from './errors.ts';
import type { Gateway } from './gateway.ts';

type Dependencies = {
  gateway: Gateway;
  lease: ReturnType<Domain['leases']['of']>;
  onError: (error: unknown) => void;
};

/**
 * Four renewals fit into the lease, so one that fails loses nothing. Another process takes over within eight seconds of
 * the death of the holder.
 */
export const gatewayLeaseMs = 6_000;
const renewIntervalMs = 1_500;
const growing = growingDelay(1_000, 30_000);

/** Listens on the gateway while this process holds the lease, from `start` to `stop`. Failures are retried with back-off. */
export function createLeasedGateway({ gateway, lease, onError }: Dependencies) {
  /** Waits for the lease, then listens until another process has it or we are to stop. Releases it on failure. */
  async function listenOnce(signal: AbortSignal): Promise<void> {
    while (!(await holdsLease(false))) {
      await pause(renewIntervalMs, signal);
      if (signal.aborted) return;
    }
    const ended = new AbortController();
    const either = AbortSignal.any([signal, ended.signal]);
    const renewing = renew(either).then(() => ended.abort());
    const end = () => {
      ended.abort();
      return renewing;
    };
    try {
      await gateway.listen(either).finally(end);
    } catch (error) {
      await release();
      throw error;
    }
  }

  async function renew(until: AbortSignal): Promise<void> {
    do await pause(renewIntervalMs, until);
    while (!until.aborted && (await holdsLease(true)));
  }

  /** No process can take the lease while the database is unavailable, so its holder keeps it. */
  async function holdsLease(fallback: boolean): Promise<boolean> {
    try {
      return await lease.acquire();
    } catch (error) {
      if (toRefusal(error) === undefined) onError(error);
      return fallback;
    }
  }

  const release = () => lease.release().catch(() => {}); // it expires by itself

  const delayMs = (attempt: number, error: unknown) =>
    explainDiscordError(error)?.afterMs ?? growing(attempt);
  return createConnection(listenOnce, { delayMs, onError, onEnd: release });
}

const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});

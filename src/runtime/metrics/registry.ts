import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, Registry } from 'prom-client';

/** How often the event loop is measured. The first time measures nothing yet. */
const measureEveryMs = 10;
const firstMeasures = 3;

/**
 * A registry that measures the process itself only from the first scrape on: watching the event loop wakes the process a
 * hundred times a second. That scrape waits for the first measurement, so that it has all that later ones have.
 */
export class ScrapedRegistry extends Registry {
  #measuring: Promise<void> | undefined;

  override async metrics() {
    await this.#measure();
    return super.metrics();
  }

  /** What the supervisor of several web processes asks each of them for. */
  override async getMetricsAsJSON() {
    await this.#measure();
    return super.getMetricsAsJSON();
  }

  #measure(): Promise<void> {
    if (this.#measuring === undefined) {
      collectDefaultMetrics({ register: this, eventLoopMonitoringPrecision: measureEveryMs });
      this.#measuring = waitForMeasures();
    }
    return this.#measuring;
  }
}

/** In steps: on a busy machine, timers that are due at the same time run at the same time. */
async function waitForMeasures(): Promise<void> {
  for (let step = 0; step < firstMeasures; step++) await sleep(measureEveryMs + 1);
}

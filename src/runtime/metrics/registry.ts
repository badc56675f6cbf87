import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * A registry that measures the process itself only once somebody scrapes, so from the second scrape on: watching the
 * event loop wakes the process a hundred times a second.
 */
export class ScrapedRegistry extends Registry {
  #isScraped = false;

  override getMetricsAsArray() {
    const metrics = super.getMetricsAsArray();
    if (!this.#isScraped) collectDefaultMetrics({ register: this });
    this.#isScraped = true;
    return metrics;
  }
}

import { expect } from 'chai';
import { createMetrics } from '../../src/runtime/metrics.ts';

describe('Metrics', () => {
  it('watch the event loop only once somebody scrapes them', async () => {
    const metrics = createMetrics();
    expect(await metrics.text())
      .to.contain('hushpush_claims_total')
      .and.not.contain('eventloop_lag');
    expect(await metrics.text())
      .to.contain('nodejs_eventloop_lag_p99_seconds')
      .and.contain('process_cpu_seconds_total');
  });
});

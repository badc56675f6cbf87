import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/server.ts';
import { createMetrics } from '../../src/runtime/metrics/metrics.ts';
import { createClient, times } from '../harness/api.ts';

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

  it('name the version that runs', async () => {
    expect(await createMetrics().text()).to.match(
      /^hushpush_build_info\{version="\d+\.\d+\.\d+[^"]*",node="v\d+\.[^"]+"\} 1$/m,
    );
  });

  it('count and time requests by the template of their route, whoever makes up paths and methods', async () => {
    const metrics = createMetrics();
    const app = createHttpApp({
      log: { request() {}, failure() {} },
      baseUrl: 'http://push.test',
      trustedProxies: [],
      requestsPerClient: 200,
      health: { requireReady() {}, checkDatabase: async () => {} },
      metrics: { ...metrics, token: undefined, isLoopback: true },
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    const client = createClient(server.port);
    await times(3, () => client.get('/livez'));
    await times(2, (index) => client.get(`/secret-${index}`));
    const text = await metrics.text();
    client.close();
    await server.drain();
    expect(text).to.contain('\nhushpush_http_requests_total{method="GET",route="/livez",status="200"} 3\n');
    expect(text).to.contain('\nhushpush_http_requests_total{method="GET",route="none",status="404"} 2\n');
    expect(text).to.contain('\nhushpush_http_request_seconds_count{method="GET",route="/livez"} 3\n');
    expect(text).to.not.contain('secret-');
  });
});

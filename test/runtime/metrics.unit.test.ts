import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/server.ts';
import { createMetrics, ScrapedRegistry } from '../../src/runtime/metrics/metrics.ts';
import { packageVersion } from '../../src/runtime/package.ts';
import { createClient, times } from '../harness/api.ts';

const familiesIn = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);

describe('Metrics', () => {
  it('are whole in the first scrape, those of the process and its event loop included', async () => {
    const metrics = createMetrics();
    const first = await metrics.text();
    expect(familiesIn(first)).to.deep.equal(familiesIn(await metrics.text()));
    expect(first)
      .to.match(/^process_cpu_seconds_total \d/m)
      .and.match(/^nodejs_eventloop_lag_p99_seconds 0\.\d+$/m);
  });

  it('watch the event loop only once somebody scrapes them', async () => {
    const registry = new ScrapedRegistry();
    expect(registry.getMetricsAsArray()).to.deep.equal([]);
    expect(familiesIn(await registry.metrics())).to.include('nodejs_eventloop_lag_p99_seconds');
    const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
    expect(names).to.include('process_cpu_seconds_total');
  });

  it('name the version that runs', async () => {
    expect(await createMetrics().text()).to.contain(
      `hushpush_build_info{version="${packageVersion()}",node="${process.version}"} 1\n`,
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

import { request } from 'node:http';
import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { type Listening, listen } from '../../src/http/server.ts';

describe('Metrics without a token', () => {
  let server: Listening;

  before(async () => {
    const app = createHttpApp({
      log: { request() {}, failure() {} },
      baseUrl: 'http://push.test',
      trustedProxies: [],
      requestsPerClient: 200,
      health: { requireReady() {}, checkDatabase: async () => {} },
      metrics: {
        contentType: 'text/plain',
        text: async () => 'tulips 1',
        responded() {},
        token: undefined,
        isLoopback: true,
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
  });

  after(() => server.drain());

  function statusFor(headers: Record<string, string>): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: server.port, path: '/metrics', headers, agent: false };
      request(options, (res) => resolve(res.resume().statusCode))
        .on('error', reject)
        .end();
    });
  }

  it('are for whoever calls this machine by a name of its own', async () => {
    for (const host of ['localhost', 'LOCALHOST:5100', '127.0.0.1:5100', '127.1.2.3', '[::1]:5100']) {
      expect(await statusFor({ host }), host).to.equal(200);
    }
  });

  it('are not for a name of somebody else, which a web page could point at this machine', async () => {
    for (const host of [
      'push.example.com',
      'attacker.test:5100',
      'localhost.attacker.test',
      '127.0.0.1.nip.io',
      '10.0.0.1',
      '[',
    ]) {
      expect(await statusFor({ host }), host).to.equal(404);
    }
  });

  it('are for what a scraper sends', async () => {
    const headers = {
      host: 'localhost:5100',
      'user-agent': 'Prometheus/3.5.0',
      accept: 'text/plain;version=1.0.0;q=0.5,*/*;q=0.1',
      'accept-encoding': 'gzip',
      'x-prometheus-scrape-timeout-seconds': '10',
    };
    expect(await statusFor(headers)).to.equal(200);
  });

  const marks = [
    ...[
      'x-forwarded-for',
      'x-forwarded-host',
      'x-forwarded-proto',
      'x-forwarded-anything',
      'forwarded',
      'via',
    ],
    ...[
      'x-real-ip',
      'x-client-ip',
      'x-original-forwarded-for',
      'x-original-host',
      'x-request-id',
      'true-client-ip',
    ],
    ...['cf-ray', 'cf-connecting-ip', 'cdn-loop', 'fastly-client-ip', 'x-amzn-trace-id', 'x-arr-log-id'],
    ...['x-envoy-external-address', 'ngrok-trace-id', 'tailscale-user-login', 'x-a-mark-of-tomorrow'],
  ];
  for (const name of marks)
    it(`are not for what comes through a proxy that adds ${name}`, async () => {
      expect(await statusFor({ host: 'localhost', [name]: 'x' })).to.equal(404);
    });

  it('are not for a page that a browser loads', async () => {
    expect(await statusFor({ host: 'localhost', 'sec-fetch-site': 'cross-site' })).to.equal(404);
  });
});

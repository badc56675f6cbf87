import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { createClient } from '../harness/api.ts';

describe('A request', () => {
  let server: Listening;
  const observed: { by: string; isSent: boolean }[] = [];
  let isSent = () => false;

  before(async () => {
    const app = createHttpApp({
      log: {
        request(ctx) {
          isSent = () => ctx.res.writableEnded;
          observed.push({ by: 'log', isSent: isSent() });
        },
        failure() {},
      },
      baseUrl: 'http://push.test',
      trustedProxies: [],
      requestsPerClient: 200,
      health: { requireReady() {}, async checkDatabase() {} },
      metrics: {
        contentType: 'text/plain',
        text: async () => '',
        responded: () => void observed.push({ by: 'metrics', isSent: isSent() }),
        token: undefined,
        isLoopback: true,
      },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
  });

  after(() => server.drain());

  it('is logged and counted once its response is sent, found or not', async () => {
    const client = createClient(server.port);
    for (const path of ['/livez', '/tulips']) await client.get(path);
    client.close();
    const each = [
      { by: 'log', isSent: true },
      { by: 'metrics', isSent: true },
    ];
    expect(observed).to.eql([...each, ...each]);
  });
});

import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { createRouter } from '../../src/http/router.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { createClient } from '../harness/api.ts';

describe('The headers of a response', () => {
  let server: Listening;
  const failures: unknown[] = [];

  before(async () => {
    const router = createRouter();
    router.get('/tulips', async (ctx) => {
      ctx.set('X-One', 'red');
      ctx.set({ 'X-Two': 'yellow', 'X-Three': ['white', 'pink'] });
      for (const color of ['red', 'white']) ctx.append('X-Four', color);
      ctx.set('Content-Type', ['text/x-tulip']);
      ctx.body = 'tulip';
    });
    router.get('/sent', async (ctx) => {
      ctx.status = 200;
      ctx.respond = false;
      ctx.res.end('tulip');
      ctx.set('X-One', 'red');
    });
    const app = createHttpApp(
      {
        log: { request() {}, failure: (error) => void failures.push(error) },
        baseUrl: 'http://push.test',
        trustedProxies: [],
        requestsPerClient: 200,
        health: { requireReady() {}, async checkDatabase() {} },
      },
      { always: [router], whenReady: [], errors: (_ctx, next) => next() },
    );
    server = await listen(app, { host: '127.0.0.1', port: 0 });
  });

  after(() => server.drain());

  it('are those that a handler sets, whichever way Koa offers', async () => {
    const client = createClient(server.port);
    const { headers } = await client.get('/tulips');
    client.close();
    expect(headers).to.include({
      'x-one': 'red',
      'x-two': 'yellow',
      'x-three': 'white, pink',
      'x-four': 'red, white',
      'content-type': 'text/x-tulip',
      'content-length': '5',
    });
  });

  it('are left alone once they are sent', async () => {
    const client = createClient(server.port);
    const { status, text, headers } = await client.get('/sent');
    client.close();
    expect({ status, text }).to.deep.equal({ status: 200, text: 'tulip' });
    expect(headers).not.to.have.property('x-one');
    expect(failures).to.deep.equal([]);
  });
});

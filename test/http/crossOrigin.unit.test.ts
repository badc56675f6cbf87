import { expect } from 'chai';
import Koa from 'koa';
import { createCrossOrigin } from '../../src/http/crossOrigin.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { createClient } from '../harness/api.ts';

describe('ALLOWED_ORIGINS', () => {
  let server: Listening;

  afterEach(() => server.drain());

  /** The status of a POST from each origin, and which origin may read it. */
  async function responsesTo(origins: string[], allowed: string[]) {
    const app = new Koa();
    app.silent = true;
    const { share, guardCreation } = createCrossOrigin('http://push.test', allowed);
    app.use(share).use(guardCreation);
    app.use((ctx) => {
      ctx.body = 'tulip';
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
    const client = createClient(server.port);
    const responses = await Promise.all(
      origins.map((origin) => client.send('POST', '/', { headers: { origin } })),
    );
    client.close();
    for (const { status, headers } of responses) if (status === 200) expect(headers.vary).to.equal('Origin'); // for caches
    return responses.map(({ status, headers }) => [status, headers['access-control-allow-origin']]);
  }

  it('lets the scripts of the listed sites create pushes, and no others', async () => {
    const origins = ['https://a.test', 'https://b.test', 'https://a.test.evil.test', 'http://a.test'];
    expect(await responsesTo(origins, ['https://a.test'])).to.deep.equal([
      [200, 'https://a.test'],
      [403, undefined],
      [403, undefined],
      [403, undefined],
    ]);
  });

  it('lets the scripts of every site create pushes if it is *', async () => {
    expect(await responsesTo(['https://a.test', 'null'], ['*'])).to.deep.equal([
      [200, 'https://a.test'],
      [200, 'null'],
    ]);
  });
});

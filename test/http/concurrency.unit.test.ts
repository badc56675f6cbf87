import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createHttpApp } from '../../src/http/app.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { until } from '../harness/until.ts';

const requestsPerClient = 3;

describe('A client behind a trusted proxy', () => {
  const running: ServerResponse[] = [];
  const sent: ClientRequest[] = [];
  let server: Listening;

  before(async () => {
    const app = createHttpApp({
      log: { request() {}, failure() {} },
      baseUrl: 'http://push.test',
      trustedProxies: ['127.0.0.1'],
      requestsPerClient,
      health: { requireReady() {}, checkDatabase: async () => {} },
      mounted: [
        { method: 'GET', path: '/slow', handle: async (_req, res) => void running.push(res.writeHead(200)) },
      ],
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
  });

  after(() => server.drain());

  /** Requests a path through the proxy, which tells whose request it is. */
  function ask(path: string, client: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-forwarded-for': client };
      const req = request({ host: '127.0.0.1', port: server.port, path, headers, agent: false });
      sent.push(req.on('response', (res) => resolve(res.resume())).on('error', reject));
      req.end();
    });
  }

  const status = async (path: string, client: string) => (await ask(path, client)).statusCode;

  it('has only so many requests in progress, whether it waits for them or not, and shuts nobody else out', async () => {
    const slow = Array.from({ length: requestsPerClient }, () => status('/slow', '192.0.2.1').catch(() => 0));
    await until(() => running.length === requestsPerClient);
    const refused = await ask('/p.json', '192.0.2.1');
    expect(refused.statusCode).to.equal(429);
    expect(refused.headers).to.include({ 'retry-after': '1' });
    expect(await status('/livez', '192.0.2.1')).to.equal(200);
    expect(await status('/p.json', '192.0.2.2')).to.equal(404);

    sent[0]?.destroy(); // and the place of a client that disconnects is free
    await until(async () => (await status('/p.json', '192.0.2.1')) === 404);
    for (const res of running) res.end();
    expect(await Promise.all(slow)).to.have.members([0, 200, 200]);
  });
});

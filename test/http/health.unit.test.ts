import { expect } from 'chai';
import { unavailable } from '../../src/errors.ts';
import { createHttpApp } from '../../src/http/app.ts';
import type { HealthChecks } from '../../src/http/health.ts';
import { createLog } from '../../src/http/log.ts';
import { type Listening, listen } from '../../src/http/server.ts';
import { type Client, createClient, times } from '../harness/api.ts';
import { until } from '../harness/until.ts';

type Line = { level: string; fields: { route?: string } };

describe('A readiness probe', () => {
  let server: Listening;
  let client: Client;
  let logged: Line[];

  async function start(checks: Partial<HealthChecks>): Promise<void> {
    logged = [];
    const write = (level: string) => (fields: object) => void logged.push({ level, fields });
    const app = createHttpApp({
      log: createLog({
        debug: write('debug'),
        info: write('info'),
        warn: write('warn'),
        error: write('error'),
      }),
      baseUrl: 'http://push.test',
      trustedProxies: [],
      requestsPerClient: 200,
      health: { requireReady() {}, async checkDatabase() {}, ...checks },
    });
    server = await listen(app, { host: '127.0.0.1', port: 0 });
    client = createClient(server.port);
  }

  afterEach(async () => {
    client.close();
    await server.drain();
  });

  const probe = async () => (await client.get('/readyz')).status;

  it('shares its result with all others within a second', async () => {
    let checks = 0;
    await start({
      async checkDatabase() {
        checks++;
      },
    });
    const startedAt = performance.now();
    const statuses = [...(await times(50, probe)), ...(await times(50, probe))];
    expect(new Set(statuses)).to.deep.equal(new Set([200]));
    expect(checks).to.be.at.most(1 + Math.floor((performance.now() - startedAt) / 1_000));
  });

  it('is refused once the process is to stop, though the database is there', async () => {
    let isStopping = false;
    await start({
      requireStaying() {
        if (isStopping) throw unavailable('stopping');
      },
    });
    expect(await probe()).to.equal(200);
    isStopping = true;
    expect(await probe()).to.equal(503);
    expect((await client.get('/livez')).status).to.equal(200);
  });

  it('is no request in the log, and no error: it warns of the reason while the service is not ready', async () => {
    await start({
      async checkDatabase() {
        throw unavailable('databaseUnreachable', new Error('the cause'));
      },
    });
    expect(await client.get('/readyz')).to.have.property('status', 503);
    expect(await client.get('/livez')).to.have.property('status', 200);
    expect(await client.get('/nowhere')).to.have.property('status', 404);
    await until(() => logged.some(({ fields }) => fields.route === 'none'));
    expect(logged.map(({ level, fields }) => `${level} ${fields.route}`)).to.have.members([
      'warn /readyz',
      'debug /readyz',
      'debug /livez',
      'info none',
    ]);
    expect(logged[0]?.fields).to.deep.equal({ route: '/readyz', reason: 'databaseUnreachable' });
  });
});

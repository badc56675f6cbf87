import { expect } from 'chai';
import { type Client, createClient } from '../harness/api.ts';
import { startService, type TestService } from '../harness/service.ts';

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('A request', () => {
  let service: TestService;
  let api: Client;

  async function start(environment: Record<string, string> = {}): Promise<void> {
    service = await startService(environment);
    api = createClient(service.port);
  }

  afterEach(async () => {
    api.close();
    await service.stop();
  });

  const loggedIds = () =>
    service
      .logged()
      .split('\n')
      .filter((line) => line.includes('"request"'))
      .map((line) => JSON.parse(line).requestId);

  it('has an id in its response and in the log, whatever comes of it', async () => {
    await start();
    const responses = [
      await api.get('/api/v1/version'),
      await api.get('/nowhere'),
      await api.post('/p.json', {}),
      await api.get('/', { 'x-request-id': 'chosen-by-a-stranger' }),
    ];
    const ids = responses.map(({ headers }) => String(headers['x-request-id']));
    for (const each of ids) expect(each).to.match(id);
    expect(new Set(ids).size).to.equal(ids.length);
    expect(loggedIds()).to.deep.equal(ids);
  });

  it('keeps the id that a trusted proxy gave it, if that is one', async () => {
    await start({ TRUSTED_PROXIES: '127.0.0.1' });
    const idOf = async (sent: string) =>
      (await api.get('/api/v1/version', { 'x-request-id': sent })).headers['x-request-id'];
    expect(await idOf('proxy-0123456789')).to.equal('proxy-0123456789');
    for (const sent of ['short', 'x'.repeat(65), 'with a space', '{"json":1}'])
      expect(await idOf(sent)).to.match(id);
    expect(loggedIds()).to.include('proxy-0123456789');
  });
});

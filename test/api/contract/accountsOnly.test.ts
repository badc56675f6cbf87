import { expect } from 'chai';
import { bearer, type Client, createClient } from '../../harness/api.ts';
import { createAccount, startService, type TestService } from '../../harness/service.ts';

describe('A service with ALLOW_ANONYMOUS=false', () => {
  let strict: TestService;
  let strictApi: Client;

  before(async () => {
    strict = await startService({ ALLOW_ANONYMOUS: 'false' });
    strictApi = createClient(strict.port);
  });
  after(async () => {
    strictApi.close();
    await strict.stop();
  });

  it('creates pushes for accounts only, and still shows pushes to everyone', async () => {
    const { token } = await createAccount(strict.domain, 'dan@example.com');
    const refused = await strictApi.post('/p.json', { password: { payload: 'tulip' } });
    expect(refused.status).to.equal(401);
    expect(refused.body.error).to.be.a('string');
    const { json, token: urlToken } = await strictApi.create({}, bearer(token));
    expect((await strictApi.get(json)).body.payload).to.equal('tulip');
    expect((await strictApi.get(`/p/${urlToken}/preview.json`)).status).to.equal(200);
    expect((await strictApi.send('DELETE', json)).body.deleted).to.equal(true);
  });
});

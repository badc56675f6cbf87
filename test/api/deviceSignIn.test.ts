import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import type { Database } from '../../src/database/database.ts';
import { createDomain } from '../../src/domain/index.ts';
import { bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { openFormBrowser, visibleText } from '../harness/pages.ts';
import { newEmail, refusal, someClient, startService, type TestService } from '../harness/service.ts';

const grant = 'urn:ietf:params:oauth:grant-type:device_code';

describe('A program without a browser', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService({ RATE_LIMITS: 'on', LIMIT_REQUESTS: '1000/1s', LIMIT_SIGN_UP: '100/1h' });
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const post = (path: string, fields: Record<string, string>) =>
    api.send('POST', path, {
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'toaster/1' },
      body: String(new URLSearchParams(fields)),
    });

  async function begin(fields: Record<string, string> = {}) {
    const answer = await post('/oauth/device_authorization', { client_id: 'toaster', ...fields });
    expect(answer.status).to.equal(200);
    return answer.body as Record<string, string>;
  }

  const poll = (begun: Fields) =>
    post('/oauth/token', { grant_type: grant, client_id: 'toaster', device_code: String(begun.device_code) });
  const errorOf = ({ status, body }: { status: number; body: Fields }) => [status, body.error];

  async function signedUp() {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    const account = await service.domain.sessions.authenticate(browser.jar.get('hushpush-session') ?? '');
    if (account === null) throw new Error('nobody is signed in');
    return { browser, account };
  }

  const later = (ms: number) =>
    service.database.execute(
      'UPDATE device_codes SET polled_at = polled_at - $ms, expires_at = expires_at - $ms',
      { ms },
    );

  it('gets a token once its owner has typed its code, seen who asks, and allowed it (RFC 8628)', async () => {
    const begun = await begin({ device_name: 'hushpush on laptop', scope: 'create' });
    expect(begun).to.deep.include({
      verification_uri: 'http://push.test/device',
      verification_uri_complete: `http://push.test/device?code=${begun.user_code}`,
      ...{ expires_in: 600, interval: 5 },
    });
    expect(begun.user_code).to.match(/^[B-Z]{4}-[B-Z]{4}$/);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'authorization_pending']);
    const { browser, account } = await signedUp();
    const prefilled = await browser.get(`/device?code=${begun.user_code}`);
    expect(prefilled.text).to.include(`value="${begun.user_code}"`);
    expect(visibleText(prefilled)).to.not.include('laptop');
    const typed = ` ${begun.user_code?.toLowerCase().replace('-', ' ')} `;
    const asked = await browser.submit('/device', '/device', { code: typed });
    expect(visibleText(asked))
      .to.include('“hushpush on laptop” asks for an API token')
      .and.include('From 127.0.0.1, as toaster/1')
      .and.include(begun.user_code);
    await service.domain.deviceSignIn.allow(
      account,
      begun.user_code ?? '',
      { name: 'laptop', scope: 'create', days: '30' },
      someClient,
    );
    const { status, body } = await poll(begun);
    expect([status, body.token_type, body.scope]).to.deep.equal([200, 'Bearer', 'create']);
    const caller = bearer(String(body.access_token));
    expect((await api.post('/p.json', { password: { payload: 'x' } }, caller)).status).to.equal(201);
    const [token] = await service.domain.apiTokens.list(account);
    expect(token).to.include({ name: 'laptop', scope: 'create' });
    expect(token?.expiresAt).to.be.a('number');
    const [logged] = await service.domain.securityLog.list(account);
    expect(logged, 'the program that has it').to.include({
      ...{ kind: 'token_created', detail: 'laptop', ip: '127.0.0.1', userAgent: 'toaster/1' },
    });
    expect(errorOf(await poll(begun)), 'a second time').to.deep.equal([400, 'expired_token']);
  });

  it('gets one token where it asks twice at the same time', async () => {
    const begun = await begin();
    const { account } = await signedUp();
    const allowed = { name: 'twice', scope: 'create' };
    await service.domain.deviceSignIn.allow(account, begun.user_code ?? '', allowed, someClient);
    const readers: (() => void)[] = [];
    /** Waits until both have read. */
    const meet = () =>
      new Promise<void>((resolve) => {
        if (readers.push(resolve) === 2) for (const goOn of readers) goOn();
      });
    const select: Database['select'] = async (sql, binds) => {
      const rows = await service.database.select<never>(sql, binds);
      if (sql.includes('FROM device_codes')) await meet();
      return rows;
    };
    const { deviceSignIn } = createDomain({
      database: { ...service.database, select },
      keyring: service.keyring,
      settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
    });
    const answers = await Promise.all(
      [1, 2].map(() => deviceSignIn.poll(begun.device_code ?? '', someClient)),
    );
    expect(answers.map(({ state }) => state)).to.have.members(['allowed', 'ended']);
    expect(await service.domain.apiTokens.list(account)).to.have.lengthOf(1);
  });

  it('is allowed and denied by the forms of the page', async () => {
    const { browser, account } = await signedUp();
    for (const [answer, error] of [
      ['allow', undefined],
      ['deny', 'access_denied'],
    ] as const) {
      const begun = await begin();
      const code = begun.user_code ?? '';
      const form = await browser.submit('/device', '/device', { code });
      const fields = { csrf: /name="csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '', code };
      const done = await browser.send(`/device/${answer}`, {
        ...fields,
        name: 'kitchen',
        scope: 'read',
        days: '',
      });
      expect(done.status).to.equal(200);
      expect((await poll(begun)).body.error).to.equal(error);
    }
    expect((await service.domain.apiTokens.list(account)).map(({ name }) => name)).to.deep.equal(['kitchen']);
  });

  it('has to wait longer each time that it asks too often', async () => {
    const begun = await begin();
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'authorization_pending']);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'slow_down']);
    await later(6_000);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'slow_down']);
    await later(16_000);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'authorization_pending']);
  });

  it('gets its token once, also when it asks many times at once', async () => {
    const { account } = await signedUp();
    const begun = await begin();
    await service.domain.deviceSignIn.allow(account, begun.user_code ?? '', { name: 'x' }, someClient);
    const answers = await Promise.all(Array.from({ length: 6 }, () => poll(begun)));
    expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
    expect(await service.domain.apiTokens.list(account)).to.have.length(1);
  });

  it('gets another name where that is taken, and no token of a disabled account', async () => {
    const { account } = await signedUp();
    const { deviceSignIn, apiTokens, accounts } = service.domain;
    for (let round = 0; round < 3; round++) {
      const begun = await begin();
      await deviceSignIn.allow(account, begun.user_code ?? '', { name: 'laptop' }, someClient);
      expect((await poll(begun)).status).to.equal(200);
    }
    expect((await apiTokens.list(account)).map(({ name }) => name)).to.deep.equal([
      'laptop',
      'laptop 2',
      'laptop 3',
    ]);
    const last = await begin();
    await deviceSignIn.allow(account, last.user_code ?? '', { name: 'laptop' }, someClient);
    await accounts.setDisabled(account.email, true, 'operator');
    expect(errorOf(await poll(last))).to.deep.equal([400, 'access_denied']);
  });

  it('must begin again after ten minutes, and its code is unknown then', async () => {
    const { account } = await signedUp();
    const begun = await begin();
    await later(600_000);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'expired_token']);
    expect(
      await refusal(service.domain.deviceSignIn.find(account, begun.user_code ?? '', someClient)),
    ).to.match(/^not_found: No program shows this code now/);
    await service.domain.deviceSignIn.purge();
    expect(await service.database.select('SELECT id FROM device_codes', {})).to.deep.equal([]);
  });

  it('cannot be found by guessing: after five wrong codes, an account has to wait, with the right one, too', async () => {
    const { account } = await signedUp();
    const begun = await begin();
    const find = (code: string) => refusal(service.domain.deviceSignIn.find(account, code, someClient));
    for (let tries = 0; tries < 5; tries++) expect(await find('BBBBBBBB')).to.match(/^not_found/);
    expect(await find(begun.user_code ?? '')).to.match(/^too_many/);
    const other = await signedUp();
    const found = await service.domain.deviceSignIn.find(other.account, begun.user_code ?? '', someClient);
    expect(found.name).to.equal('toaster');
  });

  it('is let in after a fresh sign-in alone', async () => {
    const { account } = await signedUp();
    const begun = await begin();
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 700000', {});
    const { deviceSignIn } = service.domain;
    const allowing = deviceSignIn.allow(account, begun.user_code ?? '', { name: 'x' }, someClient);
    expect(await refusal(allowing)).to.match(/^forbidden/);
    expect(errorOf(await poll(begun))).to.deep.equal([400, 'authorization_pending']);
  });

  it('is told what is missing, as OAuth says it, and where everything is', async () => {
    const cases: [path: string, fields: Record<string, string>, error: string][] = [
      ['/oauth/device_authorization', {}, 'invalid_request'],
      ['/oauth/device_authorization', { client_id: 'x', scope: 'admin' }, 'invalid_scope'],
      ['/oauth/device_authorization', { client_id: 'x'.repeat(101) }, 'invalid_request'],
      ['/oauth/token', { grant_type: grant }, 'invalid_request'],
      ['/oauth/token', { grant_type: grant, device_code: 'x' }, 'expired_token'],
    ];
    for (const [path, fields, error] of cases)
      expect(errorOf(await post(path, fields)), JSON.stringify(fields)).to.deep.equal([400, error]);
    const { body } = await api.get('/.well-known/oauth-authorization-server');
    expect(body).to.deep.include({
      issuer: 'http://push.test',
      token_endpoint: 'http://push.test/oauth/token',
      device_authorization_endpoint: 'http://push.test/oauth/device_authorization',
    });
    expect(body.grant_types_supported).to.include(grant);
  });
});

import { expect } from 'chai';
import {
  type ApiResponse,
  asForm,
  asJson,
  asMultipart,
  bearer,
  type Client,
  createClient,
  type Fields,
  multipart,
} from '../harness/api.ts';
import { createAccount, startService, type TestService } from '../harness/service.ts';

type Headers = Record<string, string>;
type Account = Awaited<ReturnType<typeof createAccount>>;

let service: TestService;
let api: Client;
let ann: Account;
let bob: Account;

function pair({ account, token }: Account): Headers {
  return { 'x-user-email': account.email, 'x-user-token': token };
}

/** Whose credentials these headers are, by the note that only an account can leave. */
async function isKnown(headers: Headers): Promise<boolean> {
  const { push } = await api.create({ note: 'mine' }, headers);
  return push.note === 'mine';
}

function expectUnauthenticated({ status, headers, body, text }: ApiResponse): void {
  expect(status).to.equal(401);
  expect(headers['content-type']).to.equal('application/json; charset=utf-8');
  expect(body.error, text).to.be.a('string').that.is.not.empty;
  expect(headers).to.not.have.property('retry-after');
}

/** The same letters, none in its case. */
function swapCase(text: string): string {
  return text.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}

describe('authentication', () => {
  before(async () => {
    service = await startService();
    api = createClient(service.port);
    ann = await createAccount(service.domain, 'ann@example.com');
    bob = await createAccount(service.domain, 'bob@example.com', { subscribed: true });
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  describe('an API token', () => {
    it('says who asks as a Bearer, in any case and with any spaces', async () => {
      for (const scheme of ['Bearer ', 'bearer ', 'BEARER ', 'bEaReR ', 'Bearer    ', '  Bearer ']) {
        const headers = { authorization: `${scheme}${ann.token}` };
        expect(await isKnown(headers), scheme).to.equal(true);
        expect(
          (await api.get('/p/active.json', { authorization: `${scheme}${ann.token}  ` })).status,
        ).to.equal(200);
      }
    });

    it('says who asks in the deprecated pair', async () => {
      expect(await isKnown(pair(ann))).to.equal(true);
      expect((await api.get('/p/active.json', pair(ann))).status).to.equal(200);
    });

    it('counts alone, whatever e-mail comes with it: a site sends its token with the address of each reader', async () => {
      const { token } = await api.create({}, bearer(ann.token));
      for (const email of ['Ann@Example.COM', 'bob@example.com', 'nobody@example.com', 'no address']) {
        const headers = { ...pair(ann), 'x-user-email': email };
        expect((await api.get(`/p/${token}/audit.json`, headers)).status, email).to.equal(200);
        expect(await isKnown(headers), email).to.equal(true);
      }
    });

    it('needs both of the pair', async () => {
      for (const headers of [
        { 'x-user-token': ann.token },
        { 'x-user-email': '', 'x-user-token': ann.token },
        { 'x-user-email': 'ann@example.com', 'x-user-token': `Bearer ${ann.token}` },
      ]) {
        expectUnauthenticated(await api.get('/p/active.json', headers));
        expectUnauthenticated(await api.post('/p.json', { password: { payload: 'x' } }, headers));
      }
    });

    it('says what an incomplete credential lacks', async () => {
      for (const headers of [
        { 'x-user-token': ann.token },
        { authorization: 'Bearer ' },
        { authorization: 'Bearer' },
      ]) {
        const answer = await api.get('/p/active.json', headers);
        expectUnauthenticated(answer);
        expect(answer.body.error).to.equal(
          'The request has no API token: send “Authorization: Bearer TOKEN”, or both X-User-Email and X-User-Token.',
        );
      }
    });

    it('is not an e-mail alone, which is nobody’s credential', async () => {
      const headers = { 'x-user-email': 'ann@example.com' };
      expectUnauthenticated(await api.get('/p/active.json', headers));
      expect(await isKnown(headers)).to.equal(false);
    });

    it('counts in the pair where a client sends both forms', async () => {
      const bobs = await api.create({}, bearer(bob.token));
      const audit = `/p/${bobs.token}/audit.json`;
      expect((await api.get(audit, { ...bearer(ann.token), ...pair(bob) })).status).to.equal(200);
      expect((await api.get(audit, { ...bearer(bob.token), ...pair(ann) })).status).to.equal(403);
      expect((await api.get(audit, { ...bearer('nonsense'), ...pair(bob) })).status).to.equal(200);
      expect((await api.get(audit, { ...bearer(bob.token), ...pair(bob) })).status).to.equal(200);
      const wrongPair = { 'x-user-email': 'bob@example.com', 'x-user-token': 'nonsense' };
      expectUnauthenticated(await api.get(audit, { ...bearer(bob.token), ...wrongPair }));
    });

    it('counts as a Bearer where half of the pair is missing', async () => {
      for (const half of [{ 'x-user-email': 'ann@example.com' }, { 'x-user-token': 'nonsense' }]) {
        expect((await api.get('/p/active.json', { ...bearer(ann.token), ...half })).status).to.equal(200);
      }
    });

    it('is one of several that an account may have', async () => {
      const second = await service.domain.apiTokens.issue(ann.account, { name: 'second' });
      const { token } = await api.create({}, bearer(ann.token));
      expect((await api.get(`/p/${token}/audit.json`, bearer(second))).status).to.equal(200);
    });

    it('is worth nothing from the moment that it is revoked, here and on every process', async () => {
      const token = await service.domain.apiTokens.issue(ann.account, { name: 'short-lived' });
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(200);
      await service.database.execute("DELETE FROM api_tokens WHERE name = 'short-lived'", {});
      expectUnauthenticated(await api.get('/p/active.json', bearer(token)));
      expectUnauthenticated(await api.post('/p.json', { password: { payload: 'x' } }, bearer(token)));
      const other = await service.domain.apiTokens.issue(ann.account, { name: 'short-lived' });
      await service.domain.apiTokens.revoke(ann.account, 'short-lived');
      expectUnauthenticated(await api.get('/p/active.json', bearer(other)));
    });

    it('is worth nothing when its account is gone', async () => {
      const { account, token } = await createAccount(service.domain, 'gone@example.com');
      expect((await api.get('/p/active.json', bearer(token))).status).to.equal(200);
      await service.domain.accounts.erase(account.email, 'operator');
      expectUnauthenticated(await api.get('/p/active.json', bearer(token)));
    });

    it('is taken from headers alone', async () => {
      for (const query of [
        `token=${ann.token}`,
        `api_token=${ann.token}`,
        `user_token=${ann.token}&user_email=ann@example.com`,
      ]) {
        expectUnauthenticated(await api.get(`/p/active.json?${query}`));
      }
      const cookies = `token=${ann.token}; session=${ann.token}; user_token=${ann.token}; __Host-session=${ann.token}`;
      expectUnauthenticated(await api.get('/p/active.json', { cookie: cookies }));
      for (const headers of [
        { 'x-api-key': ann.token },
        { token: ann.token },
        { 'proxy-authorization': `Bearer ${ann.token}` },
        { authorization: `Basic ${Buffer.from(`ann@example.com:${ann.token}`).toString('base64')}` },
      ] as Headers[]) {
        expectUnauthenticated(await api.get('/p/active.json', headers));
      }
      const body = {
        password: { payload: 'x', note: 'n', token: ann.token },
        user_token: ann.token,
        user_email: 'ann@example.com',
      };
      expect((await api.post('/p.json', body)).body.note).to.equal(null);
    });

    it('appears in no answer and in no log', async () => {
      const answers = [
        await api.get('/p/active.json', bearer(ann.token)),
        await api.get('/p/active.json', pair(ann)),
        await api.get('/p/active.json', bearer(`${ann.token}x`)),
        await api.get('/nowhere', bearer(ann.token)),
        await api.get(`/p/active.json?token=${ann.token}`),
      ];
      for (const { text, headers } of answers)
        expect(JSON.stringify([text, headers])).to.not.include(ann.token);
      expect(service.logged()).to.not.include(ann.token).and.not.include('ann@example.com');
    });
  });

  describe('a credential that is wrong', () => {
    const wrong: [string, () => Headers][] = [
      ['a token that was never made', () => bearer(`hp_${'0'.repeat(38)}`)],
      ['a token with a letter too many', () => bearer(`${ann.token}0`)],
      ['a token with a letter too few', () => bearer(ann.token.slice(0, -1))],
      ['a token with one letter changed', () => bearer(changed(ann.token))],
      ['a token in swapped case', () => bearer(swapCase(ann.token))],
      ['a token without its prefix', () => bearer(ann.token.replace(/^hp_/, ''))],
      ['no token', () => ({ authorization: 'Bearer' })],
      ['no scheme', () => ({ authorization: ann.token })],
      ['another scheme', () => ({ authorization: `Token ${ann.token}` })],
      ['a token in quotes', () => bearer(`"${ann.token}"`)],
      ['two tokens', () => bearer(`${ann.token} ${ann.token}`)],
      ['two tokens with a comma', () => bearer(`${ann.token},${ann.token}`)],
      [
        'a wrong pair beside a right Bearer',
        () => ({ ...bearer(ann.token), ...pair(ann), 'x-user-token': 'x' }),
      ],
      ['half of the pair', () => ({ 'x-user-token': ann.token })],
    ];
    const endpoints: [string, string][] = [
      ['POST', '/p.json'],
      ['POST', '/f.json'],
      ['POST', '/r.json'],
      ['GET', '/p/TOKEN.json'],
      ['HEAD', '/p/TOKEN.json'],
      ['DELETE', '/p/TOKEN.json'],
      ['GET', '/p/TOKEN/preview.json'],
      ['GET', '/p/TOKEN/audit.json'],
      ['GET', '/p/active.json'],
      ['GET', '/p/expired.json'],
      ['GET', '/f/TOKEN.json'],
      ['GET', '/r/TOKEN/preview.json'],
      ['DELETE', '/r/TOKEN.json'],
      ['GET', '/f/active.json'],
    ];

    /** A token of another letter in its middle. */
    function changed(token: string): string {
      return token.slice(0, 10) + (token[10] === 'a' ? 'b' : 'a') + token.slice(11);
    }

    for (const [name, headersOf] of wrong) {
      it(`is refused everywhere and changes nothing: ${name}`, async () => {
        const created = await api.create({ expire_after_views: 1 }, bearer(ann.token));
        const before = await made();
        for (const [method, path] of endpoints) {
          const answer = await api.send(method, path.replace('TOKEN', created.token), {
            headers: { ...asJson, ...headersOf() },
            body: method === 'POST' ? JSON.stringify({ password: { payload: 'x' } }) : undefined,
          });
          expect(answer.status, `${method} ${path}`).to.equal(401);
          if (method !== 'HEAD') expectUnauthenticated(answer);
        }
        expect(await made()).to.equal(before);
        const { body } = await api.get(`/p/${created.token}/audit.json`, bearer(ann.token));
        expect((body.views as Fields[]).map(({ kind }) => kind)).to.deep.equal(['creation']);
        expect((await api.get(created.json)).body).to.include({ payload: 'tulip', views_remaining: 0 });
      });
    }

    it('is of no interest to the version', async () => {
      for (const [, headersOf] of wrong) {
        for (const path of ['/api/v1/version', '/api/v1/version.json']) {
          expect((await api.get(path, headersOf())).status).to.equal(200);
        }
      }
    });

    it('is told before anything else that is wrong', async () => {
      const headers = bearer('nonsense');
      const requests: [string, string, Headers, string | Buffer | undefined][] = [
        ['POST', '/p.json', asJson, 'no JSON'],
        ['POST', '/p.json', asJson, '{}'],
        ['POST', '/p.json', asJson, '{"password":{"payload":""}}'],
        ['POST', '/p.json', { 'content-type': 'text/xml' }, 'x'],
        ['POST', '/p.json', asMultipart, multipart({ 'password[files][]"; filename="a': 'x' })],
        ['POST', '/p.json', asJson, 'x'.repeat(6_500_000)],
        ['GET', `/p/${'0'.repeat(26)}.json`, {}, undefined],
        ['DELETE', '/p/nonsense.json', {}, undefined],
        ['GET', '/p/active.json?page=x', {}, undefined],
      ];
      for (const [method, path, more, body] of requests) {
        expectUnauthenticated(await api.send(method, path, { headers: { ...more, ...headers }, body }));
      }
    });

    it('does not stand in the way of a better one on the same connection', async () => {
      const one = createClient(service.port, { connections: 1 });
      const big = JSON.stringify({ password: { payload: 'x'.repeat(1_000_000) } });
      expectUnauthenticated(
        await one.send('POST', '/p.json', { headers: { ...asJson, ...bearer('x') }, body: big }),
      );
      expect((await one.get('/p/active.json', bearer(ann.token))).status).to.equal(200);
      one.close();
    });

    async function made(): Promise<number> {
      const [row] = await service.database.select<{ made: number }>(
        'SELECT COUNT(*) AS made FROM pushes',
        {},
      );
      return Number(row?.made);
    }
  });

  describe('without a credential', () => {
    it('one may create, retrieve, preview and delete, but not list nor audit', async () => {
      const { token, json } = await api.create();
      expect((await api.get(`/p/${token}/preview.json`)).status).to.equal(200);
      expect((await api.get(json)).status).to.equal(200);
      expect((await api.send('DELETE', json)).status).to.equal(200);
      for (const path of ['/p/active.json', '/p/expired.json', `/p/${token}/audit.json`]) {
        expectUnauthenticated(await api.get(path));
      }
    });

    it('one creates nothing under the former names', async () => {
      for (const [path, root] of [
        ['/f.json', 'file_push'],
        ['/r.json', 'url'],
      ]) {
        expectUnauthenticated(
          await api.post(String(path), { [String(root)]: { payload: 'https://example.com' } }),
        );
      }
    });

    it('an empty header is none', async () => {
      for (const headers of [
        { authorization: '' },
        { authorization: '  ' },
        { 'x-user-email': '', 'x-user-token': '' },
      ]) {
        expect((await api.create({}, headers as Headers)).response.status).to.equal(201);
        expectUnauthenticated(await api.get('/p/active.json', headers as Headers));
      }
    });

    it('one is asked for it before files are looked at', async () => {
      const file = multipart({
        'password[payload]': 'message',
        'password[files][]"; filename="a.txt': 'bytes',
      });
      expectUnauthenticated(await api.send('POST', '/p.json', { headers: asMultipart, body: file }));
      expectUnauthenticated(await api.post('/p.json', { password: { kind: 'file', payload: 'x' } }));
      const form = 'password[kind]=file&password[payload]=x';
      expectUnauthenticated(await api.send('POST', '/p.json', { headers: asForm, body: form }));
    });
  });

  describe('an account', () => {
    it('needs a subscription for files, which counts from the moment that it is given or taken', async () => {
      const { account, token } = await createAccount(service.domain, 'carol@example.com');
      const refusal = 'File attachments require a subscription.';
      const attach = () => api.post('/p.json', { password: { kind: 'file', payload: 'x' } }, bearer(token));
      const before = await attach();
      expect(before.status).to.equal(403);
      expect(before.body.error).to.equal(refusal);
      await service.domain.accounts.setSubscribed(account.email, true, 'operator');
      expect((await attach()).body.error).to.not.equal(refusal);
      await service.domain.accounts.setSubscribed(account.email, false, 'operator');
      expect((await attach()).body.error).to.equal(refusal);
    });

    it('sees nothing of another’s pushes', async () => {
      const { token } = await api.create({ name: 'ann’s' }, bearer(ann.token));
      for (const state of ['active', 'expired']) {
        expect((await api.get(`/p/${state}.json`, bearer(bob.token))).text).to.not.include(token);
      }
    });

    it('owns what it made by either form of its credential', async () => {
      const { token } = await api.create({}, pair(ann));
      expect((await api.get(`/p/${token}/audit.json`, bearer(ann.token))).status).to.equal(200);
    });
  });

  describe('a service that wants no anonymous creators', () => {
    let strict: TestService;
    let strictApi: Client;

    before(async () => {
      strict = await startService({ ALLOW_ANONYMOUS: 'off' });
      strictApi = createClient(strict.port);
    });
    after(async () => {
      strictApi.close();
      await strict.stop();
    });

    it('creates in every form for accounts only', async () => {
      const { token } = await createAccount(strict.domain, 'dan@example.com');
      const requests: [Headers, string | Buffer][] = [
        [asJson, '{"password":{"payload":"x"}}'],
        [asForm, 'password[payload]=x'],
        [{}, 'password[payload]=x'],
        [asMultipart, multipart({ 'password[payload]': 'x' })],
      ];
      for (const [headers, body] of requests) {
        expectUnauthenticated(await strictApi.send('POST', '/p.json', { headers, body }));
        const known = await strictApi.send('POST', '/p.json', {
          headers: { ...headers, ...bearer(token) },
          body,
        });
        expect(known.status).to.equal(201);
      }
    });

    it('shows and deletes pushes for everybody', async () => {
      const { token } = await createAccount(strict.domain, 'eve@example.com');
      const { json, token: urlToken, page } = await strictApi.create({}, bearer(token));
      expect((await strictApi.get(`/p/${urlToken}/preview.json`)).status).to.equal(200);
      expect((await strictApi.get(page)).status).to.equal(200);
      expect((await strictApi.get(json)).body.payload).to.equal('tulip');
      expect((await strictApi.send('DELETE', json)).body.deleted).to.equal(true);
    });
  });
});

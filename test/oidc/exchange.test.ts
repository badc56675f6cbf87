import { expect } from 'chai';
import { generateKeyPair, type JWTPayload, UnsecuredJWT } from 'jose';
import type { Account, TrustRule } from '../../src/domain/index.ts';
import { bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { createAccount, refusal, someClient, startService, type TestService } from '../harness/service.ts';
import { startTokenIssuer, type TokenIssuer } from '../harness/tokenIssuer.ts';

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const jwt = 'urn:ietf:params:oauth:token-type:jwt';
const seconds = () => Math.floor(Date.now() / 1_000);

describe('A token of a program', () => {
  let service: TestService;
  let api: Client;
  let issuer: TokenIssuer;
  let account: Account;
  let rule: TrustRule;
  let counter = 0;

  before(async () => {
    issuer = await startTokenIssuer();
    await issuer.addKey('curve', 'ES256');
    service = await startService({ PRIVATE_ISSUERS: issuer.issuer });
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
    await issuer.stop();
  });
  afterEach(() => issuer.answer(undefined));

  beforeEach(async () => {
    ({ account } = await createAccount(service.domain));
    rule = await trust({ claims: { repository: 'acme/app', ref: 'refs/heads/main' } });
  });

  const trust = (input: Fields, owner = account) =>
    service.domain.trustRules.create(owner, { name: `rule ${counter++}`, issuer: issuer.issuer, ...input });

  /** The claims of a token that fits the rule. */
  const right = (): JWTPayload => ({
    aud: rule.audience,
    sub: 'repo:acme/app:ref:refs/heads/main',
    repository: 'acme/app',
    ref: 'refs/heads/main',
  });

  const post = (fields: Record<string, string>) =>
    api.send('POST', '/oauth/token', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: String(new URLSearchParams(fields)),
    });

  const exchanged = (token: string, fields: Record<string, string> = {}) =>
    post({ grant_type: exchange, subject_token_type: jwt, subject_token: token, ...fields });

  const errorOf = ({ status, body }: { status: number; body: Fields }) => [
    status,
    body.error,
    body.error_description,
  ];

  it('is exchanged for an API token of the account, with the scope and the life of the rule (RFC 8693)', async () => {
    const { status, headers, body } = await exchanged(await issuer.sign(right()));
    expect(status).to.equal(200);
    expect(headers['cache-control']).to.equal('no-store');
    const { access_token: token, ...rest } = body;
    expect(rest).to.deep.equal({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'create',
    });
    const caller = bearer(String(token));
    const created = await api.post('/p.json', { password: { payload: 'tulip', note: 'mine' } }, caller);
    expect([created.status, created.body.note]).to.deep.equal([201, 'mine']);
    expect((await api.get('/p/active.json', caller)).status).to.equal(403);
    await service.database.execute('UPDATE api_tokens SET expires_at = expires_at - 900000', {});
    expect((await api.post('/p.json', { password: { payload: 'x' } }, caller)).status).to.equal(401);
  });

  it('is exchanged as an assertion, too (RFC 7523)', async () => {
    const { status, body } = await post({ grant_type: jwtBearer, assertion: await issuer.sign(right()) });
    expect([status, body.token_type, body.issued_token_type]).to.deep.equal([200, 'Bearer', undefined]);
  });

  it('gets no more than the rule grants, and less if it asks for less', async () => {
    const refused = await exchanged(await issuer.sign(right()), { scope: 'full' });
    expect(errorOf(refused)).to.deep.equal([400, 'invalid_scope', 'scope must be one of create']);
    rule = await trust({ claims: { repository: 'acme/app' }, scope: 'full', minutes: 1 });
    const { body } = await exchanged(await issuer.sign(right()), { scope: 'read' });
    expect([body.scope, body.expires_in]).to.deep.equal(['read', 60]);
  });

  it('shows in no list, is deleted once it has ended, and lets the next run expire what this one created', async () => {
    const [first, second] = [
      await exchanged(await issuer.sign(right())),
      await exchanged(await issuer.sign(right())),
    ];
    expect(await service.domain.apiTokens.list(account)).to.have.length(1);
    const [one, other] = [first, second].map(({ body }) => bearer(String(body.access_token)));
    const created = await api.create({}, one);
    expect((await api.send('DELETE', created.json, { headers: { ...other } })).status).to.equal(200);
    await service.database.execute('UPDATE api_tokens SET expires_at = 1 WHERE holder_id IS NOT NULL', {});
    await service.domain.apiTokens.purge();
    const rows = await service.database.select('SELECT id FROM api_tokens WHERE account_id = $id', account);
    expect(rows).to.have.length(1);
    expect((await service.domain.trustRules.list(account))[0]?.lastUsedAt).to.be.a('number');
  });

  it('is refused with its API tokens once the rule is removed, or the account disabled', async () => {
    const { body } = await exchanged(await issuer.sign(right()));
    const other = await trust({ claims: { repository: 'acme/app' } });
    await service.domain.trustRules.remove(account, rule.id);
    expect((await api.post('/p.json', {}, bearer(String(body.access_token)))).status).to.equal(401);
    expect(errorOf(await exchanged(await issuer.sign(right())))).to.deep.equal([
      400,
      'invalid_grant',
      'There is no such trust rule. The audience of the token names it (hushpush: and its id), or client_id does.',
    ]);
    await service.domain.accounts.setDisabled(account.email, true, 'operator');
    const { body: disabled } = await exchanged(await issuer.sign({ ...right(), aud: other.audience }));
    expect(disabled.error).to.equal('invalid_grant');
  });

  it('gets into the account of the rule that is named, never into that of a stranger with the same rule', async () => {
    const { account: mallory } = await createAccount(service.domain);
    const hers = await trust({ claims: { repository: 'acme/app' } }, mallory);
    const token = await issuer.sign(right());
    expect((await exchanged(token, { client_id: hers.id })).body.error_description).to.equal(
      'The audience of the token (aud) is not that of the trust rule.',
    );
    const { body } = await exchanged(token);
    const found = await service.domain.apiTokens.authenticate(String(body.access_token));
    expect(found.account.email).to.equal(account.email);
  });

  it('has the audience of the rule, if that has one of its own, and the rule is named by client_id', async () => {
    rule = await trust({ claims: { repository: 'acme/app' }, audience: 'api://push' });
    expect((await exchanged(await issuer.sign({ ...right(), aud: ['x', 'api://push'] }))).status).to.equal(
      400,
    );
    const token = await issuer.sign({ ...right(), aud: ['x', 'api://push'] });
    expect((await exchanged(token, { client_id: rule.id })).status).to.equal(200);
  });

  it('works once, also when it comes many times at once, and without an id', async () => {
    for (const claims of [right(), { ...right(), jti: undefined }]) {
      const token = await issuer.sign(claims);
      const answers = await Promise.all(Array.from({ length: 8 }, () => exchanged(token)));
      expect(answers.filter(({ status }) => status === 200)).to.have.length(1);
      const refused = answers.find(({ status }) => status !== 200);
      expect(refused && errorOf(refused)).to.deep.equal([
        400,
        'invalid_grant',
        'The token was used already. Each works once: get another one from the issuer.',
      ]);
    }
    const jti = 'the same';
    expect((await exchanged(await issuer.sign({ ...right(), jti }))).status).to.equal(200);
    expect((await exchanged(await issuer.sign({ ...right(), jti, sub: 'x' }))).status).to.equal(400);
  });

  it('works once, although its signature can be written in two ways', async () => {
    const token = await issuer.sign({ ...right(), jti: undefined }, { alg: 'ES256', kid: 'curve' });
    const again = otherSignature(token);
    expect(again).to.not.equal(token);
    expect((await exchanged(token)).status).to.equal(200);
    expect((await exchanged(again)).body.error_description).to.include('was used already');
  });

  it('may be signed with ES256 and EdDSA', async () => {
    for (const alg of ['ES256', 'EdDSA']) {
      const other = await startTokenIssuer();
      await other.addKey(alg, alg);
      const its = await startService({ PRIVATE_ISSUERS: other.issuer });
      const { account: owner } = await createAccount(its.domain);
      const input = { name: 'x', issuer: other.issuer, claims: { sub: 'x' } };
      const { audience } = await its.domain.trustRules.create(owner, input);
      const token = await other.sign({ aud: audience, sub: 'x' }, { alg, kid: alg });
      expect((await its.domain.exchangeToken({ token }, someClient)).scope, alg).to.equal('create');
      await Promise.all([its.stop(), other.stop()]);
    }
  });

  describe('is refused, with what is wrong,', () => {
    const key = async () => (await generateKeyPair('RS256')).privateKey;
    const wrong: Record<string, [make: () => Promise<string> | string, problem: string]> = {
      'without a signature (alg none)': [
        () => new UnsecuredJWT({ ...right(), iss: issuer.issuer, exp: seconds() + 60 }).encode(),
        'The algorithm of the token (alg) is not accepted: RS256, ES256 and EdDSA are.',
      ],
      'signed with a public key as the secret (HS256)': [
        () => issuer.sign(right(), { alg: 'HS256', key: Buffer.from(JSON.stringify(issuer.published[0])) }),
        'The algorithm of the token (alg) is not accepted: RS256, ES256 and EdDSA are.',
      ],
      'signed with another key under a known name': [
        async () => issuer.sign(right(), { key: await key() }),
        'The signature of the token is wrong.',
      ],
      'signed with a key that the issuer does not have': [
        async () => issuer.sign(right(), { kid: 'other', key: await key() }),
        'The issuer has no key for this token (kid). Keys are read again once a minute: try again, with another token.',
      ],
      'of another issuer': [
        () => issuer.sign({ ...right(), iss: 'https://issuer.example.com' }),
        'The issuer of the token (iss) is not that of the trust rule.',
      ],
      'that has expired': [
        () => issuer.sign({ ...right(), exp: seconds() - 120 }),
        'The token has expired (exp), or the clock of its issuer or of this server is wrong.',
      ],
      'without an end': [
        () => issuer.sign({ ...right(), exp: undefined }),
        'The claim exp of the token is missing, or not what the trust rule asks for.',
      ],
      'that lives for years': [
        () => issuer.sign({ ...right(), exp: seconds() + 3 * 86_400 }),
        'The token lives for more than a day (exp).',
      ],
      'that is not valid yet (nbf)': [
        () => issuer.sign({ ...right(), nbf: seconds() + 120 }),
        'The token is not valid yet (nbf, iat): the clock of its issuer or of this server is wrong by more than a minute.',
      ],
      'from the future (iat)': [
        () => issuer.sign({ ...right(), iat: seconds() + 120 }),
        'The token is not valid yet (nbf, iat): the clock of its issuer or of this server is wrong by more than a minute.',
      ],
      'with another claim': [
        () => issuer.sign({ ...right(), ref: 'refs/heads/main-evil' }),
        'The claim ref of the token is missing, or not what the trust rule asks for.',
      ],
      'without a claim': [
        () => issuer.sign({ ...right(), repository: undefined }),
        'The claim repository of the token is missing, or not what the trust rule asks for.',
      ],
      'with a list where text is asked for': [
        () => issuer.sign({ ...right(), repository: ['acme/app'] }),
        'The claim repository of the token is missing, or not what the trust rule asks for.',
      ],
      'that is none': [() => 'a.b.c', 'That is not a signed JSON Web Token (JWT), or it is too long.'],
      'that is too long': [
        () => issuer.sign({ ...right(), long: 'x'.repeat(20_000) }),
        'That is not a signed JSON Web Token (JWT), or it is too long.',
      ],
    };
    for (const [what, [make, problem]] of Object.entries(wrong))
      it(what, async () => {
        const token = await make();
        expect(errorOf(await exchanged(token))).to.deep.equal([400, 'invalid_grant', problem]);
        expect(service.logged()).to.not.include(token);
      });

    it('in the form of OAuth, whatever is missing in the request', async () => {
      const token = await issuer.sign(right());
      const cases: [fields: Record<string, string>, error: string, text: string][] = [
        [{}, 'invalid_request', 'grant_type is missing.'],
        [
          { grant_type: 'password' },
          'unsupported_grant_type',
          `There are ${exchange}, ${jwtBearer}, urn:ietf:params:oauth:grant-type:device_code.`,
        ],
        [{ grant_type: jwtBearer }, 'invalid_request', 'assertion is missing.'],
        [{ grant_type: exchange }, 'invalid_request', 'subject_token_type is missing.'],
        [
          { grant_type: exchange, subject_token_type: 'x' },
          'invalid_request',
          `subject_token_type must be ${jwt} or urn:ietf:params:oauth:token-type:id_token.`,
        ],
        [
          { grant_type: exchange, subject_token_type: jwt, subject_token: token, actor_token: 'x' },
          'invalid_request',
          'actor_token is not supported.',
        ],
        [
          { grant_type: exchange, subject_token_type: jwt, subject_token: token, requested_token_type: jwt },
          'invalid_request',
          'requested_token_type can only be urn:ietf:params:oauth:token-type:access_token.',
        ],
      ];
      for (const [fields, error, text] of cases)
        expect(errorOf(await post(fields))).to.deep.equal([400, error, text]);
      const broken = await api.send('POST', '/oauth/token', {
        headers: { 'content-type': 'application/json' },
        body: '{',
      });
      expect([broken.status, broken.body.error]).to.deep.equal([400, 'invalid_request']);
    });
  });

  describe('whose issuer', () => {
    /** A service that knows nothing of the issuer yet. */
    async function withFreshService(run: (attempt: (kid?: string) => Promise<string>) => Promise<void>) {
      const fresh = await startService({ PRIVATE_ISSUERS: issuer.issuer });
      const { account: owner } = await createAccount(fresh.domain);
      const input = { name: 'x', issuer: issuer.issuer, claims: { repository: 'acme/app' } };
      const { audience } = await fresh.domain.trustRules.create(owner, input);
      const before = issuer.requested('/keys');
      const attempt = async (kid?: string) => {
        const token = await issuer.sign({ ...right(), aud: audience }, { kid });
        return fresh.domain.exchangeToken({ token }, someClient).then(
          () => `exchanged after ${issuer.requested('/keys') - before}`,
          (error: Error) => `${error.message} after ${issuer.requested('/keys') - before}`,
        );
      };
      await run(attempt);
      await fresh.stop();
    }

    it('is asked for its keys once, however many tokens come at once, and however many name keys that it has not', () =>
      withFreshService(async (attempt) => {
        const answers = await Promise.all(Array.from({ length: 10 }, () => attempt()));
        expect([...new Set(answers)]).to.deep.equal(['exchanged after 1']);
        const unknown = await Promise.all(
          Array.from({ length: 20 }, (_, index) => attempt(`unknown ${index}`)),
        );
        expect(new Set(unknown)).to.deep.equal(new Set(['identityKeyUnknown after 1']));
      }));

    it('answers with an error is asked again after a while, and not at once', () =>
      withFreshService(async (attempt) => {
        issuer.answer((path, res) => {
          if (path !== '/keys') return false;
          res.writeHead(502).end();
          return true;
        });
        expect(await attempt()).to.equal('issuerUnreachable after 1');
        issuer.answer(undefined);
        expect(await attempt()).to.equal('issuerUnreachable after 1');
      }));

    it('does not answer keeps nobody waiting for long, and nobody else at all', async () => {
      const fresh = await startService({ PRIVATE_ISSUERS: issuer.issuer });
      const client = createClient(fresh.port);
      const { account: owner } = await createAccount(fresh.domain);
      const input = { name: 'x', issuer: issuer.issuer, claims: { repository: 'acme/app' } };
      const { audience } = await fresh.domain.trustRules.create(owner, input);
      issuer.answer(() => true);
      const startedAt = performance.now();
      const token = await issuer.sign({ ...right(), aud: audience });
      const body = String(new URLSearchParams({ grant_type: jwtBearer, assertion: token }));
      const waiting = client.send('POST', '/oauth/token', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body,
      });
      await client.create();
      expect(performance.now() - startedAt).to.be.below(2_000);
      const answer = await waiting;
      expect(performance.now() - startedAt).to.be.below(8_000);
      expect(errorOf(answer)).to.deep.equal([
        503,
        'temporarily_unavailable',
        'The issuer of the token does not answer. Try again later.',
      ]);
      expect(answer.headers).to.include.keys('retry-after');
      client.close();
      await fresh.stop();
    });

    const documents: Record<string, [path: string, document: object | string]> = {
      'names another one in its metadata': [
        '/.well-known/openid-configuration',
        { issuer: 'https://x.example' },
      ],
      'has no address of its keys': ['/.well-known/openid-configuration', { jwks_uri: undefined }],
      'has a page where its keys should be': ['/keys', '<p>Welcome to nginx!</p>'],
      'has a list where its keys should be': ['/keys', []],
      'has no keys': ['/keys', { keys: 'none' }],
      'has a key that is none': ['/keys', { keys: [{ kid: 'first', kty: 'RSA', n: 'AQAB', e: 'AQAB' }] }],
      'has more than 64 kB of keys': ['/keys', { keys: [], more: 'x'.repeat(100_000) }],
    };
    for (const [what, [path, document]] of Object.entries(documents))
      it(`${what} is refused`, () =>
        withFreshService(async (attempt) => {
          issuer.answer((asked, res) => {
            if (asked !== path) return false;
            const whole = { issuer: issuer.issuer, jwks_uri: `${issuer.issuer}/keys`, ...Object(document) };
            const isMetadata = path !== '/keys';
            res.end(typeof document === 'string' ? document : JSON.stringify(isMetadata ? whole : document));
            return true;
          });
          expect(await attempt()).to.match(/^issuerUnusable after [01]$/);
        }));

    it('is on a private network is not asked, unless the operator lists it', async () => {
      const fresh = await startService();
      const { account: owner } = await createAccount(fresh.domain);
      for (const [address, problem] of [
        [issuer.issuer, /^invalid: issuer must be an https address/],
        ['https://127.0.0.1', /^invalid: issuer is on a private network/],
        ['https://10.0.0.1', /^invalid: issuer is on a private network/],
        ['https://localhost:1', /^invalid: issuer is on a private network/],
        ['https://user:pw@example.com', /^invalid: issuer must be an https address/],
        ['https://example.com/?x', /^invalid: issuer must be an https address/],
      ] as const) {
        const input = { name: 'x', issuer: address, claims: { sub: 'x' } };
        expect(await refusal(fresh.domain.trustRules.create(owner, input))).to.match(problem);
      }
      const { audience, id } = await fresh.domain.trustRules.create(owner, {
        ...{ name: 'x', issuer: 'https://example.com', claims: { sub: 'x' } },
      });
      // as a name that leads into the network of the server
      await fresh.database.execute("UPDATE trust_rules SET issuer = 'https://127.0.0.1'", {});
      const token = await issuer.sign({ aud: audience, sub: 'x', iss: 'https://127.0.0.1' });
      expect(await refusal(fresh.domain.exchangeToken({ token, rule: id }, someClient))).to.match(
        /^forbidden: The keys of the issuer cannot be read at its address/,
      );
      await fresh.stop();
    });
  });
});

/** The same token with the other signature that ECDSA allows: (r, n - s) is right where (r, s) is. */
function otherSignature(token: string): string {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const [head, body, signature = ''] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const s = order - BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.concat([bytes.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, '0'), 'hex')]);
  return [head, body, other.toString('base64url')].join('.');
}

import { expect } from 'chai';
import type { Account } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { refusal, someClient, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn } from '../../harness/signedIn.ts';

describe('An API token', () => {
  let service: TestService;
  let apiTokens: TestService['domain']['apiTokens'];
  let ann: Account;
  let ben: Account;

  before(async () => {
    service = await startService();
    apiTokens = service.domain.apiTokens;
  });

  after(() => service.stop());

  beforeEach(async () => {
    await service.database.execute('DELETE FROM accounts WHERE email <> $nobody', { nobody: '' });
    ann = await service.domain.accounts.create({ email: 'ann@x.org' });
    ben = await service.domain.accounts.create({ email: 'ben@x.org', subscribed: true });
  });

  it('authenticates its account', async () => {
    const token = await apiTokens.issue(ben, { name: 'laptop' });
    expect((await apiTokens.authenticate(token)).account).to.deep.equal(ben);
  });

  it('has a prefix that scanners find, 32 random characters, and a checksum that detects typing errors', async () => {
    const token = await apiTokens.issue(ann, { name: 'laptop' });
    expect(token).to.match(/^hp_[0-9A-Za-z]{38}$/);
    expect(await apiTokens.issue(ann, { name: 'phone' })).to.not.equal(token);
    for (let at = 0; at < token.length; at++) {
      const mistyped = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1);
      expect(await refusal(apiTokens.authenticate(mistyped))).to.equal(
        'unauthenticated: The API token is not valid.',
      );
    }
    expect((await apiTokens.authenticate(token)).account).to.deep.equal(ann);
  });

  it('is stored as a digest, from which it cannot be recovered', async () => {
    const token = await apiTokens.issue(ann, { name: 'laptop' });
    const [row = {}] = await service.database.select<Record<string, unknown>>('SELECT * FROM api_tokens', {});
    const stored = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') + value.toString('hex') : String(value),
    );
    for (const text of [token, token.slice(3, 35), Buffer.from(token).toString('hex')]) {
      expect(stored.join()).to.not.contain(text);
    }
    const [entry] = await apiTokens.list(ann);
    expect(entry).to.include({ name: 'laptop', hint: token.slice(-4) });
  });

  it('needs a name that is unique in its account, even among concurrent requests', async () => {
    await apiTokens.issue(ann, { name: ' phone ' });
    await apiTokens.issue(ann, { name: 'laptop' });
    await apiTokens.issue(ben, { name: 'laptop' });
    expect((await apiTokens.list(ann)).map(({ name }) => name)).to.deep.equal(['laptop', 'phone']);
    expect(await refusal(apiTokens.issue(ann, { name: 'laptop' }))).to.equal(
      'conflict: The account already has a token named laptop.',
    );
    const rivals = Array.from({ length: 6 }, () => apiTokens.issue(ann, { name: 'car' }));
    const created = (await Promise.allSettled(rivals)).filter(({ status }) => status === 'fulfilled');
    expect(created).to.have.length(1);
  });

  it('is one of at most a hundred of its account, even among concurrent requests', async () => {
    await times(95, (index) => apiTokens.issue(ann, { name: `token ${index}` }));
    const outcomes = await times(10, (index) =>
      apiTokens.issue(ann, { name: `rival ${index}` }).then(
        () => 'created',
        (error: unknown) => refusal(Promise.reject(error)),
      ),
    );
    expect(outcomes.filter((outcome) => outcome === 'created')).to.have.length(5);
    expect(new Set(outcomes)).to.deep.equal(
      new Set(['created', 'conflict: The account has 100 API tokens already. Revoke one first.']),
    );
    await apiTokens.revoke(ann, 'token 0');
    await apiTokens.issue(ann, { name: 'another' });
    await apiTokens.issue(ben, { name: 'of another account' });
  });

  it('needs a name of at most 100 characters', async () => {
    expect(await refusal(apiTokens.issue(ann, { name: ' ' }))).to.equal('invalid: name must not be blank');
    expect(await refusal(apiTokens.issue(ann, { name: 'x'.repeat(101) }))).to.equal(
      'invalid: name must have at most 100 characters',
    );
    await apiTokens.issue(ann, { name: '🌷'.repeat(50) });
  });

  it('is refused as soon as it is revoked, while other tokens keep working', async () => {
    const revoked = await apiTokens.issue(ann, { name: 'laptop' });
    const others = [
      await apiTokens.issue(ann, { name: 'phone' }),
      await apiTokens.issue(ben, { name: 'laptop' }),
    ];
    await apiTokens.revoke(ann, 'laptop');
    expect(await refusal(apiTokens.authenticate(revoked))).to.match(/^unauthenticated/);
    for (const token of others) await apiTokens.authenticate(token);
    expect(await refusal(apiTokens.revoke(ann, 'laptop'))).to.equal(
      'not_found: The account has no token named laptop.',
    );
  });

  it('records to the hour when it was last used', async () => {
    const token = await apiTokens.issue(ann, { name: 'laptop' });
    const lastUsed = async () => (await apiTokens.list(ann))[0]?.lastUsedAt;
    expect(await lastUsed()).to.equal(null);
    await apiTokens.authenticate(token);
    const now = await service.domain.clock();
    expect(await lastUsed()).to.be.within(now - 100_000, now);
    const shift = (ms: number) =>
      service.database.execute('UPDATE api_tokens SET last_used_at = last_used_at - $ms', { ms });
    await shift(3_000_000);
    await apiTokens.authenticate(token);
    expect(await lastUsed()).to.be.below(now - 2_900_000);
    await shift(1_000_000);
    await apiTokens.authenticate(token);
    expect(await lastUsed()).to.be.within(now, await service.domain.clock());
  });

  it('records from which address it was last used', async () => {
    const token = await apiTokens.issue(ann, { name: 'laptop' });
    await apiTokens.authenticate(token, { ip: '192.0.2.7' });
    expect((await apiTokens.list(ann))[0]?.lastUsedIp).to.equal('192.0.2.7');
  });

  describe('that is replaced', () => {
    const hourMs = 3_600_000;
    beforeEach(async () => {
      ann = await freshlySignedIn(service.domain, ann);
      ben = await freshlySignedIn(service.domain, ben);
    });
    const age = (ms: number) =>
      service.database.execute('UPDATE api_tokens SET expires_at = expires_at - $ms', { ms });

    it('works on until the hours are over, beside the new one', async () => {
      const before = await apiTokens.issue(ann, { name: 'ci', scope: 'create' });
      const { token, previousUntil } = await apiTokens.replace(ann, 'ci', { hours: '2' });
      const now = await service.domain.clock();
      expect(previousUntil).to.be.within(now + 2 * hourMs - 60_000, now + 2 * hourMs);
      const [old, fresh] = [await apiTokens.authenticate(before), await apiTokens.authenticate(token)];
      expect(old).to.deep.equal(fresh);
      const listed = await apiTokens.list(ann);
      expect(listed).to.have.length(1);
      expect(listed[0]).to.include({ name: 'ci', hint: token.slice(-4), scope: 'create', previousUntil });
      await age(2 * hourMs);
      expect(await refusal(apiTokens.authenticate(before))).to.match(/^unauthenticated/);
      await apiTokens.authenticate(token);
      expect((await apiTokens.list(ann))[0]?.previousUntil).to.equal(null);
      await apiTokens.purge();
      expect(await service.database.select('SELECT id FROM api_tokens', {})).to.have.length(1);
    });

    it('may still be expired by its successor what it created', async () => {
      const before = await apiTokens.issue(ann, { name: 'ci', scope: 'create' });
      const { account, tokenId, scope } = await apiTokens.authenticate(before);
      const caller = { account, client: someClient, token: { id: tokenId, scope } };
      const { pushes } = service.domain;
      const push = await pushes.create({ payload: 'tulip' }, caller);
      const { token } = await apiTokens.replace(ann, 'ci', { hours: 0 });
      const next = await apiTokens.authenticate(token);
      await pushes.expire(push.urlToken, { ...caller, token: { id: next.tokenId, scope: next.scope } });
    });

    it('ends at once with zero hours, when it is replaced again, and when its successor is revoked', async () => {
      const first = await apiTokens.issue(ann, { name: 'ci' });
      const second = (await apiTokens.replace(ann, 'ci', { hours: 0 })).token;
      expect(await refusal(apiTokens.authenticate(first))).to.match(/^unauthenticated/);
      const third = (await apiTokens.replace(ann, 'ci', {})).token;
      await apiTokens.authenticate(second);
      const fourth = (await apiTokens.replace(ann, 'ci', {})).token;
      expect(await refusal(apiTokens.authenticate(second))).to.match(/^unauthenticated/);
      await apiTokens.revoke(ann, 'ci');
      for (const token of [third, fourth])
        expect(await refusal(apiTokens.authenticate(token))).to.match(/^unauthenticated/);
    });

    it('never works longer than it did, and gives its successor as many days', async () => {
      const before = await apiTokens.issue(ann, { name: 'ci', days: 2 });
      await age(47 * hourMs);
      const { previousUntil } = await apiTokens.replace(ann, 'ci', { hours: 24 });
      const now = await service.domain.clock();
      expect(previousUntil).to.be.within(now + hourMs - 60_000, now + hourMs);
      const [{ expiresAt } = { expiresAt: null }] = await apiTokens.list(ann);
      expect(expiresAt).to.be.within(now + hourMs - 60_000, now + hourMs); // as the time of creation was not moved
      await apiTokens.authenticate(before);
    });

    it('is of the account, and named with its hours right', async () => {
      await apiTokens.issue(ann, { name: 'ci' });
      expect(await refusal(apiTokens.replace(ben, 'ci', {}))).to.equal(
        'not_found: The account has no token named ci.',
      );
      expect(await refusal(apiTokens.replace(ann, 'ci', { hours: 169 }))).to.equal(
        'invalid: hours must be between 0 and 168',
      );
    });
  });

  it('works until its end, if it has one, and says afterwards that it has expired', async () => {
    const dayMs = 86_400_000;
    const token = await apiTokens.issue(ann, { name: 'guest', days: '30' });
    const forever = await apiTokens.issue(ann, { name: 'laptop', days: '' });
    const [guest] = await apiTokens.list(ann);
    expect(guest?.expiresAt).to.equal((guest?.createdAt ?? 0) + 30 * dayMs);
    const age = (ms: number) =>
      service.database.execute('UPDATE api_tokens SET expires_at = expires_at - $ms', { ms });
    await age(30 * dayMs - 60_000);
    await apiTokens.authenticate(token);
    await age(60_000);
    expect(await refusal(apiTokens.authenticate(token))).to.equal(
      'unauthenticated: The API token has expired. Create another one.',
    );
    await apiTokens.authenticate(forever);
    const listed = (await apiTokens.list(ann)).map(({ name, isExpired }) => [name, isExpired]);
    expect(listed).to.deep.equal([
      ['guest', true],
      ['laptop', false],
    ]);
    for (const days of [0, 3_651, 'tulip', '1.5'])
      expect(await refusal(apiTokens.issue(ann, { name: 'x', days }))).to.equal(
        'invalid: days must be between 1 and 3650',
      );
  });

  it('has the scope that it was created with: everything, unless it was limited', async () => {
    const scopeOf = async (scope?: string) => {
      const token = await apiTokens.issue(ann, { name: `scope ${scope}`, scope });
      return (await apiTokens.authenticate(token)).scope;
    };
    expect([await scopeOf(), await scopeOf('create'), await scopeOf('read')]).to.deep.equal([
      'full',
      'create',
      'read',
    ]);
    expect((await apiTokens.list(ann)).map(({ scope }) => scope)).to.deep.equal(['create', 'read', 'full']);
    expect(await refusal(scopeOf('admin'))).to.equal('invalid: scope must be one of full, create, read');
  });
});

import { expect } from 'chai';
import { times } from '../../harness/api.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

describe('An account', () => {
  let service: TestService;
  let accounts: TestService['domain']['accounts'];

  beforeEach(async () => {
    service = await startService();
    accounts = service.domain.accounts;
  });

  afterEach(() => service.stop());

  async function count(table: string): Promise<number> {
    const [row] = await service.database.select<{ count: number }>(
      `SELECT COUNT(*) AS count FROM ${table}`,
      {},
    );
    return Number(row?.count);
  }

  it('is found by its e-mail address, regardless of case and surrounding spaces', async () => {
    const { id } = await accounts.create({ email: '  Ann@Example.COM ' });
    const account = { id, email: 'ann@example.com', subscribed: false, notify: 30 };
    expect(await accounts.find('ann@example.com')).to.deep.equal(account);
    expect(await accounts.find(' ANN@example.com')).to.deep.equal(account);
  });

  it('needs a valid e-mail address', async () => {
    const long = `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(10)}.com`;
    for (const email of [
      '',
      'ann',
      'ann@',
      '@example.com',
      'ann@example',
      'a b@example.com',
      'a@b@example.com',
      long,
    ]) {
      const { code, problems } = await refusalOf(accounts.create({ email }));
      expect(code, email).to.equal('invalid');
      expect(problems).to.have.property('email');
    }
    expect(await count('accounts')).to.equal(0);
  });

  it('is created once for an address, even by concurrent requests', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        accounts.create({ email: index % 2 ? 'ann@x.org' : 'ANN@X.ORG' }),
      ),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    const refused = await refusalOf(accounts.create({ email: 'Ann@x.org' }));
    expect(refused).to.include({ code: 'conflict', messageCode: 'accountExists' });
    expect(refused.values).to.deep.equal({ email: 'ann@x.org' });
    expect(await count('accounts')).to.equal(1);
  });

  it('stores its password as a bcrypt hash with its own salt', async () => {
    await accounts.create({ email: 'ann@x.org', password: 'correct horse battery' });
    await accounts.create({ email: 'ben@x.org', password: 'correct horse battery' });
    await accounts.create({ email: 'cem@x.org' });
    const stored = await service.database.select<{ hash: string | null }>(
      'SELECT password_hash AS hash FROM accounts ORDER BY email',
      {},
    );
    const [ann, ben, cem] = stored.map(({ hash }) => hash);
    expect(ann).to.match(/^\$2b\$\d\d\$.{53}$/);
    expect(ben)
      .to.match(/^\$2b\$\d\d\$.{53}$/)
      .and.not.equal(ann);
    expect(cem).to.equal(null);
  });

  it('refuses a password that is too short or too long, without repeating it in the error', async () => {
    for (const password of ['', 'elevenchars', 'x'.repeat(1025)]) {
      const { code, problems } = await refusalOf(accounts.create({ email: 'ann@x.org', password }));
      expect(code).to.equal('invalid');
      expect(problems).to.deep.equal({
        password: [
          password.length > 12
            ? { code: 'maxLength', max: 1024, unit: 'bytes' }
            : { code: 'minLength', min: 12 },
        ],
      });
    }
    expect(await count('accounts')).to.equal(0);
  });

  it('can be subscribed and unsubscribed', async () => {
    const { id } = await accounts.create({ email: 'ann@x.org' });
    for (const subscribed of [true, true, false]) {
      const account = { id, email: 'ann@x.org', subscribed, notify: 30 };
      expect(await accounts.setSubscribed('Ann@x.org', subscribed, 'operator')).to.deep.equal(account);
      expect(await accounts.find('ann@x.org')).to.deep.equal(account);
    }
    expect(await accounts.create({ email: 'ben@x.org', subscribed: true })).to.have.property(
      'subscribed',
      true,
    );
  });

  it('has a language of its own', async () => {
    const ann = await accounts.create({ email: 'ann@x.org' });
    const ben = await accounts.create({ email: 'ben@x.org' });
    const languages = () => service.database.select('SELECT email, locale FROM accounts ORDER BY email', {});
    await accounts.setLocale(ben, 'en');
    await accounts.setLocale(ann, 'de');
    expect(await languages()).to.deep.equal([
      { email: 'ann@x.org', locale: 'de' },
      { email: 'ben@x.org', locale: 'en' },
    ]);
    await accounts.setLocale(ben, null);
    expect(await languages()).to.deep.equal([
      { email: 'ann@x.org', locale: 'de' },
      { email: 'ben@x.org', locale: null },
    ]);
  });

  it('is named in the refusal when it does not exist', async () => {
    for (const act of [
      () => accounts.find('Tulip@x.org'),
      () => accounts.erase('Tulip@x.org', 'operator'),
      () => accounts.setSubscribed('Tulip@x.org', true, 'operator'),
    ]) {
      const refused = await refusalOf(act());
      expect(refused).to.include({ code: 'not_found', messageCode: 'accountNotFound' });
      expect(refused.values).to.deep.equal({ email: 'tulip@x.org' });
    }
  });

  it('is listed by its address, with its creation time', async () => {
    const before = await service.domain.clock();
    for (const email of ['ben@x.org', 'ann@x.org']) await accounts.create({ email });
    const [ann, ben, ...others] = await accounts.list();
    expect([ann?.email, ben?.email]).to.deep.equal(['ann@x.org', 'ben@x.org']);
    expect(others).to.be.empty;
    expect(ben?.createdAt).to.be.within(before, await service.domain.clock());
  });

  it('is erased with its tokens, its pushes and their audit logs, and nothing of other accounts', async () => {
    const { pushes } = service.domain;
    const ann = await createAccount(service.domain, 'ann@x.org');
    const ben = await createAccount(service.domain, 'ben@x.org');
    const pushed = await times(3, async (index) => {
      const account = [ann.account, ben.account, null][index] ?? null;
      const { urlToken } = await pushes.create({ payload: 'tulip' }, { account, client: someClient });
      await pushes.reveal(urlToken, undefined, anonymous);
      return urlToken;
    });
    expect(await accounts.erase('ANN@x.org', 'operator')).to.have.property('email', 'ann@x.org');

    expect(await count('accounts')).to.equal(1);
    expect(await count('api_tokens')).to.equal(1);
    expect(await count('pushes')).to.equal(2);
    expect(await count('audit_rows')).to.equal(2);
    const [gone = '', kept = '', ownerless = ''] = pushed;
    expect((await refusalOf(pushes.reveal(gone, undefined, anonymous))).code).to.equal('not_found');
    for (const urlToken of [kept, ownerless]) {
      expect((await pushes.reveal(urlToken, undefined, anonymous)).payload).to.equal('tulip');
    }
    expect((await refusalOf(service.domain.apiTokens.authenticate(ann.token))).code).to.equal(
      'unauthenticated',
    );
    expect(await accounts.create({ email: 'ann@x.org' })).to.have.property('email', 'ann@x.org');
  });
});

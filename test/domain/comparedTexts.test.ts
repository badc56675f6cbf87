import { expect } from 'chai';
import type { ChatUser } from '../../src/domain/index.ts';
import { createAccount, refusal, startService, type TestService } from '../harness/service.ts';

/** Each is another text, although some order of words would not tell it from the first. */
const likeTulip = ['Tulip', 'TULIP', 'túlip', 'tulip\u0301', 'tulíp', 'ｔulip'];

describe('Texts are the same on every database:', () => {
  let service: TestService;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  it('e-mail addresses without case and the spaces around them, and no others', async () => {
    const { accounts } = service.domain;
    await accounts.create({ email: 'Tulip@Example.com' });
    for (const email of ['tulip@example.com', 'TULIP@EXAMPLE.COM', ' tulip@example.com ']) {
      expect(await refusal(accounts.create({ email })), email).to.match(/^conflict/);
      expect((await accounts.find(email)).email).to.equal('tulip@example.com');
    }
    for (const name of likeTulip.slice(2))
      expect(await accounts.exists(`${name}@example.com`)).to.equal(false);
  });

  it('names of API tokens without the spaces around them, and no others', async () => {
    const { account } = await createAccount(service.domain, 'tokens@example.com');
    const { apiTokens } = service.domain;
    const namesOf = async () => (await apiTokens.list(account)).map(({ name }) => name);
    for (const name of ['tulip', ...likeTulip]) await apiTokens.issue(account, { name });
    for (const name of ['tulip ', ' tulip'])
      expect(await refusal(apiTokens.issue(account, { name })), name).to.match(/^conflict/);
    expect(await namesOf()).to.deep.equal(
      ['test', 'tulip', ...likeTulip].toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
    );
    await apiTokens.revoke(account, 'tulip ');
    expect(await namesOf()).to.have.members(['test', ...likeTulip]);
  });

  it('no two different names of chat users', async () => {
    const { accountOf } = service.domain.chat.identities;
    const users = ['tulip', ...likeTulip].map(
      (name): ChatUser => ({ platform: 'slack', address: `T1:${name}` }),
    );
    const ids = new Set<string>();
    for (const user of users) ids.add((await accountOf(user)).id.toString('hex'));
    expect(ids.size).to.equal(users.length);
    for (const user of users) expect(ids).to.include((await accountOf(user)).id.toString('hex'));
  });

  it('those that a search for an account finds without case', async () => {
    const { accounts, chat } = service.domain;
    const users = ['Olaf', 'ölaf'].map((name): [ChatUser, string] => [
      { platform: 'slack', address: `T2:${name}` },
      name,
    ]);
    for (const [user, name] of users) {
      await chat.identities.accountOf(user);
      await chat.identities.setName(user, name);
    }
    const found = async (search: string) =>
      (await accounts.listPage('operator', 1, search)).accounts.map(({ email }) => email);
    expect(await found('oLAF')).to.deep.equal(['slack:T2:Olaf']);
    expect(await found('ölAF')).to.deep.equal(['slack:T2:ölaf']);
  });
});

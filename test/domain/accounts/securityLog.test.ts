import { expect } from 'chai';
import type { Account, SecurityEvent } from '../../../src/domain/index.ts';
import { newChatUser } from '../../harness/chat.ts';
import { refusal, someClient, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn } from '../../harness/signedIn.ts';
import { until } from '../../harness/until.ts';

const dayMs = 24 * 3_600_000;

describe('The security log of an account', () => {
  let service: TestService;
  let account: Account;
  let counter = 0;
  const password = 'correct horse battery';

  before(async () => {
    service = await startService();
  });
  after(() => service.stop());
  beforeEach(async () => {
    account = await service.domain.accounts.create({ email: `ann${counter++}@example.com`, password });
  });

  const list = () => service.domain.securityLog.list(account);
  const kinds = async () => (await list()).map(({ kind, detail }) => [kind, detail]);
  const signIn = (given = password, client = someClient) =>
    service.domain.signIn.signIn({ email: account.email, password: given }, client);

  async function signedIn() {
    const found = await service.domain.sessions.authenticate(await signIn());
    if (found === null) throw new Error('nobody is signed in');
    return found;
  }

  async function wrongTries(count: number, client = someClient) {
    const before = timesOf(await list());
    for (let at = 0; at < count; at++) await refusal(signIn('wrong', client));
    await until(async () => timesOf(await list()) === before + count);
  }
  const timesOf = (events: SecurityEvent[]) =>
    events.reduce((sum, { kind, times }) => sum + (kind === 'sign_in_failed' ? times : 0), 0);

  const age = (days: number) =>
    service.database.execute(
      'UPDATE security_events SET created_at = created_at - $ms, last_at = last_at - $ms',
      {
        ms: days * dayMs,
      },
    );

  it('has each sign-in, with its way, and where it came from', async () => {
    await signIn();
    const [event, ...others] = await list();
    expect(others).to.be.empty;
    expect(event).to.include({ kind: 'signed_in', detail: 'password', actor: null, times: 1 });
    expect(event).to.include({ ip: someClient.ip, userAgent: someClient.userAgent });
    expect(event?.createdAt).to.equal(event?.lastAt);
  });

  it('merges wrong tries of an hour from one address', async () => {
    await wrongTries(3);
    await wrongTries(2, { ...someClient, ip: '192.0.2.9' });
    const events = await list();
    expect(events.map(({ kind, ip, times }) => [kind, ip, times])).to.deep.equal([
      ['sign_in_failed', '192.0.2.9', 2],
      ['sign_in_failed', someClient.ip, 3],
    ]);
  });

  it('has what its owner does, once, and no secret of it', async () => {
    const { apiTokens, sessions, signIn: own } = service.domain;
    const owner = await signedIn();
    await signIn();
    const token = await apiTokens.create(owner, { name: 'ci' }, { client: someClient });
    await apiTokens.revoke(owner, 'ci', { client: someClient });
    await apiTokens.create(owner, { name: 'other' }, { client: someClient });
    const other = (await sessions.list(owner)).find(({ id }) => id !== owner.sessionId.toString('hex'));
    await sessions.revoke(owner, String(other?.id), someClient);
    await sessions.endOthers(owner, someClient);
    const change = { current: password, next: 'a better horse battery', revokeTokens: true };
    await own.changePassword(owner, change, someClient);
    await sessions.signOut(owner, someClient);
    expect((await kinds()).reverse()).to.deep.equal([
      ['signed_in', 'password'],
      ['signed_in', 'password'],
      ['token_created', 'ci'],
      ['token_revoked', 'ci'],
      ['token_created', 'other'],
      ['session_ended', null],
      ['sessions_ended', null],
      ['password_changed', null],
      ['tokens_revoked', '1'],
      ['signed_out', null],
    ]);
    const text = JSON.stringify(await list());
    for (const secret of [token, password, change.next]) expect(text).to.not.include(secret);
  });

  it('counts a wrong current password', async () => {
    const owner = await signedIn();
    const change = { current: 'wrong', next: 'a better horse battery' };
    await refusal(service.domain.signIn.changePassword(owner, change, someClient));
    await until(async () => (await kinds())[0]?.join() === 'step_up_failed,password');
  });

  it('has what admins and operators did, with who it was, and the password that a link set', async () => {
    const email = `admin${counter}@example.com`;
    const admin = await freshlySignedIn(
      service.domain,
      await service.domain.accounts.create({ email, isAdmin: true }),
    );
    const { passwordLinks, accounts } = service.domain;
    const link = await passwordLinks.create(account.email, 'reset', admin);
    await accounts.setSubscribed(account.email, true, 'operator');
    await passwordLinks.redeem(
      'reset',
      link,
      { next: 'a better horse battery', revokeTokens: true },
      someClient,
    );
    const events = (await list()).map(({ kind, actor, detail }) => [kind, actor, detail]).reverse();
    expect(events).to.deep.equal([
      ['reset_link', admin.email, null],
      ['subscribed', 'operator', null],
      ['password_set', null, null],
      ['signed_in', null, 'link'],
    ]);
  });

  it('has the chats that are connected and disconnected', async () => {
    const { chat } = service.domain;
    const chatUser = newChatUser();
    await chat.identities.link(chatUser, account);
    const owner = await freshlySignedIn(service.domain, account);
    await chat.identities.unlink(chatUser, owner, someClient);
    const user = chatUser.address.split(':')[1];
    expect((await kinds()).reverse()).to.deep.equal([
      ['chat_connected', `Slack: ${user}`],
      ['signed_in', 'password'],
      ['chat_disconnected', `Slack: ${user}`],
    ]);
  });

  it('is kept for 180 days, and goes with its account', async () => {
    await signIn();
    await age(179);
    await service.domain.securityLog.purge();
    expect(await kinds()).to.have.lengthOf(1);
    await age(2);
    expect(await kinds()).to.be.empty;
    await service.domain.securityLog.purge();
    const count = async () => (await service.database.select('SELECT id FROM security_events', {})).length;
    expect(await count()).to.equal(0);
    await signIn();
    await service.domain.accounts.erase(account.email, 'operator');
    expect(await count()).to.equal(0);
  });
});

describe('A session', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  it('knows how it began, when its owner proved who they are, and with what', async () => {
    const { accounts, sessions } = service.domain;
    const account = await accounts.create({ email: 'ann@example.com' });
    const method = {
      way: 'provider',
      name: 'Acme',
      factors: ['provider', 'mfa'],
      authenticatedAt: 5,
    } as const;
    const found = await sessions.authenticate(await sessions.create(account, someClient, method));
    expect(found).to.deep.include({ factors: ['provider', 'mfa'], authenticatedAt: 5 });
    const [listed] = await sessions.list(account);
    expect(listed).to.include({ way: 'provider', wayName: 'Acme' });
    const before = await service.domain.clock();
    const token = await sessions.create(account, someClient, { way: 'passkey', factors: ['passkey'] });
    const now = (await sessions.authenticate(token))?.authenticatedAt;
    expect(now).to.be.within(before, await service.domain.clock());
  });

  it('is no fresher than now, though the clock of its provider is ahead', async () => {
    const { accounts, sessions, clock } = service.domain;
    const account = await accounts.create({ email: 'eve@example.com' });
    const authenticatedAt = (await clock()) + 3_600_000;
    const method = { way: 'provider', factors: ['provider'], authenticatedAt } as const;
    const found = await sessions.authenticate(await sessions.create(account, someClient, method));
    expect(found?.authenticatedAt).to.be.at.most(await clock());
  });

  it('of a release that did not note this has proved nothing', async () => {
    const { accounts, sessions } = service.domain;
    const account = await accounts.create({ email: 'ben@example.com' });
    const token = await sessions.create(account, someClient, { way: 'password', factors: ['password'] });
    await service.database.execute(
      'UPDATE sessions SET way = NULL, factors = NULL, authenticated_at = NULL',
      {},
    );
    expect(await sessions.authenticate(token)).to.deep.include({ factors: [], authenticatedAt: 0 });
    expect((await sessions.list(account))[0]).to.include({ way: null, wayName: null });
  });
});

import { expect } from 'chai';
import type { Account, Delivery, Notice } from '../../../src/domain/index.ts';
import { dayMs } from '../../../src/time.ts';
import { connectChat, newChatUser } from '../../harness/chat.ts';
import { createAccount, refusal, startService, type TestService } from '../../harness/service.ts';
import { freshlySignedIn } from '../../harness/signedIn.ts';

describe('What admins and operators do to an account of somebody else', () => {
  let service: TestService;
  let account: Account;
  let admin: Account;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  beforeEach(async () => {
    await service.database.execute('DELETE FROM notices', {});
    ({ account } = await createAccount(service.domain));
    const { account: manager } = await createAccount(service.domain, undefined, { isAdmin: true });
    admin = await freshlySignedIn(service.domain, manager);
    await service.domain.webhooks.create(account, {
      url: 'https://hook.example.com',
      types: ['push.viewed'],
    });
    await connectChat(service.domain, newChatUser(), { account });
    await service.database.execute('DELETE FROM notices', {});
  });

  /** What each messenger gets, as `messenger kind by`. */
  async function told(): Promise<string[]> {
    const received: string[] = [];
    const record = (name: string) => ({
      async deliver(_: string, notice: Notice): Promise<Delivery> {
        const text = 'act' in notice ? `${notice.act.kind} ${notice.act.actor}` : notice.event;
        received.push(`${name} ${text}`);
        return { outcome: 'sent' };
      },
    });
    await service.domain.notices.deliverDue({ webhook: record('webhook'), slack: record('slack') });
    return received.sort();
  }

  const both = (text: string) => [`slack ${text}`, `webhook ${text}`];

  const subscribe = (subscribed: boolean) =>
    service.domain.accounts.setSubscribed(account.email, subscribed, admin);
  const promote = (isAdmin: boolean) => service.domain.accounts.setAdmin(account.email, isAdmin, admin);
  const disable = (isDisabled: boolean) =>
    service.domain.accounts.setDisabled(account.email, isDisabled, admin);

  type Act = { kind: string; run: () => Promise<unknown>; first?: () => Promise<unknown> };
  const switches: Act[] = [
    { kind: 'disabled', run: () => disable(true) },
    { kind: 'enabled', run: () => disable(false), first: () => disable(true) },
    { kind: 'subscribed', run: () => subscribe(true) },
    { kind: 'unsubscribed', run: () => subscribe(false), first: () => subscribe(true) },
    { kind: 'promoted', run: () => promote(true) },
    { kind: 'demoted', run: () => promote(false), first: () => promote(true) },
  ];
  const others: Act[] = [
    {
      kind: 'reset_link',
      run: () => service.domain.passwordLinks.create(account.email, 'reset', admin),
    },
    {
      kind: 'token_created',
      run: () => service.domain.apiTokens.create(account, { name: 'new' }, { actor: admin }),
    },
    {
      kind: 'token_replaced',
      run: () => service.domain.apiTokens.replace(account, 'test', {}, { actor: admin }),
    },
    { kind: 'token_revoked', run: () => service.domain.apiTokens.revoke(account, 'test', { actor: admin }) },
  ];
  const byAdmin = [...switches, ...others];

  /** What was done before is forgotten. */
  async function prepare({ first }: Act): Promise<void> {
    await first?.();
    for (const table of ['account_acts', 'notices'])
      await service.database.execute(`DELETE FROM ${table}`, {});
  }

  for (const act of byAdmin)
    it(`is told to its chats and webhooks, whatever they choose, and recorded: ${act.kind} by an admin`, async () => {
      await service.domain.accounts.setNoticePreferences(account, { viewed: 'none', expired: false });
      await prepare(act);
      await act.run();
      expect(await told()).to.deep.equal(both(`${act.kind} ${admin.email}`));
      const [recorded, ...more] = await service.domain.accounts.acts('operator', account.email);
      expect(recorded).to.include({ kind: act.kind, account: account.email, actor: admin.email });
      expect(recorded?.createdAt).to.be.closeTo(await service.domain.clock(), 60_000);
      expect(more).to.be.empty;
    });

  for (const act of switches)
    it(`is neither told nor recorded a second time where it changes nothing: ${act.kind}`, async () => {
      await prepare(act);
      await Promise.all([act.run(), act.run(), act.run()]);
      await act.run();
      expect(await told()).to.deep.equal(both(`${act.kind} ${admin.email}`));
      expect(await service.domain.accounts.acts('operator', account.email)).to.have.length(1);
    });

  it('leaves an account disabled since the first time', async () => {
    await disable(true);
    await service.database.execute('UPDATE accounts SET disabled_at = 1 WHERE id = $id', { id: account.id });
    await disable(true);
    expect((await service.domain.accounts.summary(account.email)).disabledAt).to.equal(1);
  });

  it('is told and recorded when an operator does it: a link, a password, the end of the account', async () => {
    await service.domain.passwordLinks.create(account.email, 'reset', 'operator');
    expect(await told()).to.deep.equal(both('reset_link null'));
    await service.domain.passwordLinks.setPassword(account.email, 'correct horse battery');
    expect(await told()).to.deep.equal(both('password_set null'));
    const kinds = (await service.domain.accounts.acts('operator', account.email)).map(({ kind }) => kind);
    expect(kinds).to.have.members(['password_set', 'reset_link']);
  });

  it('is told to its chats when it is its end, and names it until then', async () => {
    const { accounts } = service.domain;
    const id = account.id.toString('hex');
    const names = async () =>
      (await accounts.acts('operator', id)).map((act) => [act.kind, act.account, act.actor]);
    await disable(true);
    await accounts.erase(account.email, admin);
    await accounts.purgeActs();
    expect(await names()).to.deep.include(['deleted', account.email, admin.email]);
    expect(await told()).to.deep.equal([`slack deleted ${admin.email}`]);
    await accounts.purgeActs();
    expect(await names()).to.have.deep.members([
      ['disabled', id, admin.email],
      ['deleted', id, admin.email],
    ]);
    expect(await accounts.acts('operator', account.email)).to.be.empty;
  });

  it('names who did it after the end of the admin, too', async () => {
    const { accounts } = service.domain;
    await disable(true);
    await accounts.erase(admin.email, admin);
    await told();
    await accounts.purgeActs();
    const [act] = await accounts.acts('operator', account.email);
    expect(act).to.include({ kind: 'disabled', account: account.email, actor: admin.email });
  });

  it('is recorded for 400 days', async () => {
    const { accounts } = service.domain;
    await disable(true);
    await disable(false);
    const age = (days: number, kind: string) =>
      service.database.execute(
        `UPDATE account_acts SET created_at = ${service.database.dialect.now} - $ms WHERE kind = $kind`,
        { ms: days * dayMs, kind },
      );
    await age(399, 'disabled');
    await age(401, 'enabled');
    await accounts.purgeActs();
    expect((await accounts.acts('operator', account.email)).map(({ kind }) => kind)).to.deep.equal([
      'disabled',
    ]);
  });

  it('is told after its account was merged into another, and is in the record of that one', async () => {
    const { accounts, chat } = service.domain;
    const chatUser = newChatUser();
    const { email } = await chat.identities.accountOf(chatUser);
    await accounts.setSubscribed(email, true, admin);
    await chat.identities.link(chatUser, account);
    expect(await told()).to.deep.equal([`slack subscribed ${admin.email}`]);
    const recorded = (await accounts.acts('operator', account.email)).map((act) => [act.kind, act.account]);
    expect(recorded).to.deep.equal([['subscribed', email]]);
  });

  it('is neither told nor recorded where an account does it to itself', async () => {
    await service.domain.apiTokens.issue(account, { name: 'mine' });
    await service.domain.apiTokens.revoke(account, 'mine');
    await service.domain.accounts.erase(account.email, await freshlySignedIn(service.domain, account));
    expect(await told()).to.be.empty;
    expect(await service.domain.accounts.acts('operator', account.email)).to.be.empty;
  });

  it('is refused to every account that is no admin now, and then nothing is changed, told or recorded', async () => {
    const { accounts, passwordLinks } = service.domain;
    const { account: stranger } = await createAccount(service.domain);
    const other = await freshlySignedIn(service.domain, stranger);
    const state = async () => ({
      account: await accounts.summary(account.email),
      own: await accounts.summary(other.email),
      tokens: await service.domain.apiTokens.list(account),
      told: await told(),
      acts: await accounts.acts('operator'),
    });
    const before = await state();
    const tries: Record<string, (actor: Account) => Promise<unknown>> = {
      'disable another': (actor) => accounts.setDisabled(account.email, true, actor),
      'enable another, who is enabled': (actor) => accounts.setDisabled(account.email, false, actor),
      'subscribe another': (actor) => accounts.setSubscribed(account.email, true, actor),
      'subscribe itself': (actor) => accounts.setSubscribed(actor.email, true, actor),
      'promote another': (actor) => accounts.setAdmin(account.email, true, actor),
      'promote itself': (actor) => accounts.setAdmin(actor.email, true, actor),
      'set a password by a link': (actor) => passwordLinks.create(account.email, 'reset', actor),
      'create a token': (actor) => service.domain.apiTokens.create(account, { name: 'new' }, { actor }),
      'revoke a token': (actor) => service.domain.apiTokens.revoke(account, 'test', { actor }),
      'erase another': (actor) => accounts.erase(account.email, actor),
      'list accounts': (actor) => accounts.listPage(actor, 1),
      'look at another': (actor) => accounts.byId(actor, account.id.toString('hex')),
      'read what was done': (actor) => accounts.acts(actor, account.email),
    };
    for (const [name, run] of Object.entries(tries))
      expect(await refusal(run(other)), name).to.match(/^forbidden/);
    expect(await state()).to.deep.equal(before);
    await accounts.setAdmin(admin.email, false, 'operator');
    for (const [name, run] of Object.entries(tries))
      if (!name.endsWith('itself')) expect(await refusal(run(admin)), name).to.match(/^forbidden/);
  });

  it('is refused to an admin who would disable their own account', async () => {
    const disabling = service.domain.accounts.setDisabled(admin.email, true, admin);
    expect(await refusal(disabling)).to.match(/^conflict/);
  });

  it('is not done where it cannot be recorded', async () => {
    await service.database.execute("DELETE FROM one_time_links WHERE purpose = 'reset'", {});
    await service.database.execute('ALTER TABLE account_acts RENAME TO account_acts_away', {});
    try {
      for (const { kind, run, first } of byAdmin)
        if (first === undefined) expect(await run().catch(() => 'failed'), kind).to.equal('failed');
    } finally {
      await service.database.execute('ALTER TABLE account_acts_away RENAME TO account_acts', {});
    }
    expect(await service.domain.accounts.summary(account.email)).to.include({
      subscribed: false,
      disabledAt: null,
    });
    const links = await service.database.select("SELECT 1 FROM one_time_links WHERE purpose = 'reset'", {});
    expect(links).to.be.empty;
    const tokens = await service.domain.apiTokens.list(account);
    expect(tokens.map(({ name }) => name)).to.deep.equal(['test']);
  });
});

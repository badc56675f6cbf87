import { expect } from 'chai';
import { createIdentityAccounts } from '../../../src/domain/chat/identities/accounts.ts';
import { createSecretRequesting } from '../../../src/domain/chat/requestSecret.ts';
import { type Account, addressWorkspace, type ChatUser, type Domain } from '../../../src/domain/index.ts';
import { createRecipients } from '../../../src/domain/outbox/index.ts';
import { times } from '../../harness/api.ts';
import {
  askFor,
  chatCaller,
  countRows,
  deliverNotices,
  duringErasure,
  newChatUser,
  summarize,
} from '../../harness/chat.ts';
import {
  anonymous,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

describe('A chat identity', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });

  after(() => service.stop());

  it('gives nothing to an account that its chat user has left meanwhile', async () => {
    const chatUser = newChatUser();
    const own = await chat.identities.accountOf(chatUser);
    const { account: other } = await createAccount(domain);
    const { requireAccount } = createIdentityAccounts(
      service.database,
      createRecipients(service.database),
      '',
    );
    const check = (account: Account) =>
      refusal(service.database.transaction((tx) => requireAccount(chatUser, account, tx)));
    expect(await check(other)).to.match(/^unavailable: Your account has just changed/);
    await service.database.transaction((tx) => requireAccount(chatUser, own, tx));
    const requestSecret = createSecretRequesting({
      identities: chat.identities as never,
      requests: chat.requests as never,
      admit: async () => ({ account: other }) as never, // as if they had been linked meanwhile
    });
    const provider = newChatUser(addressWorkspace(chatUser));
    const request = requestSecret(own, { from: `${provider.platform}:${provider.address}` });
    expect(await refusal(request)).to.match(/^unavailable: Your account has just changed/);
  });

  const accountWithEmail = async () => (await createAccount(domain)).account;

  const activeOf = async (account: Account) =>
    (await domain.pushes.list({ account }, 'active', 1)).map(({ id }) => id);

  /** Creates a push and views it, which notifies its owner. */
  async function viewOnePushOf(account: Account): Promise<void> {
    const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { account, client: someClient });
    await domain.pushes.reveal(urlToken, undefined, anonymous);
  }

  const heardOf = async (account: Account, people: ChatUser[]) => {
    await deliverNotices(domain);
    await viewOnePushOf(account);
    return summarize(await deliverNotices(domain, people));
  };

  describe('on first use', () => {
    it('keeps the language that its chat gave for it last, for messages that answer no command', async () => {
      const caller = chatCaller();
      const localeOf = () => chat.identities.maybeLocale(caller.chatUser);
      expect(await localeOf()).to.equal(undefined);
      await chat.admit({ ...caller, locale: 'de-AT' });
      expect(await localeOf()).to.equal('de-AT');
      await chat.admit({ ...caller, locale: undefined });
      await chat.admit({ ...caller, locale: 'x'.repeat(36) });
      expect(await localeOf()).to.equal('de-AT');
      await chat.admit({ ...caller, locale: 'en-GB' });
      expect(await localeOf()).to.equal('en-GB');
    });

    it('gets one account, even from twenty concurrent first calls', async () => {
      const chatUser = newChatUser();
      const owners = await times(20, () => chat.identities.accountOf(chatUser));
      expect(new Set(owners.map(({ id }) => id.toString('hex'))).size).to.equal(1);
      const name = `slack:${chatUser.address}`;
      expect(owners[0]).to.include({ email: name, subscribed: false });
      expect(await countRows(service, 'accounts', 'email = $name', { name })).to.equal(1);
      const { address } = chatUser;
      expect(await countRows(service, 'chat_identities', 'address = $address', { address })).to.equal(1);
      expect(await countRows(service, 'recipients', 'address = $address', { address })).to.equal(1);
      expect(await chat.identities.accountOf(chatUser)).to.deep.equal(owners[0]);
    });

    it('gets its own account in another workspace or on another platform', async () => {
      const [here, there] = [newChatUser('T1'), newChatUser('T2')];
      const [, user] = here.address.split(':');
      const namesake: ChatUser = { ...there, address: `T2:${user}` };
      const onDiscord: ChatUser = { platform: 'discord', address: here.address };
      const ids = await Promise.all(
        [here, namesake, onDiscord].map(async (user) =>
          (await chat.identities.accountOf(user)).id.toString('hex'),
        ),
      );
      expect(new Set(ids).size).to.equal(3);
    });

    it('is distinguished by the exact characters of its address', async () => {
      const chatUser = newChatUser();
      const small: ChatUser = { ...chatUser, address: chatUser.address.toLowerCase() };
      const [one, other] = [
        await chat.identities.accountOf(chatUser),
        await chat.identities.accountOf(small),
      ];
      expect(one.id.equals(other.id)).to.equal(false);
    });

    it('gets an account with a name that nobody can register', async () => {
      expect(await refusal(domain.accounts.create({ email: 'slack:T1:U1' }))).to.match(/^invalid: email/);
    });
  });

  describe('with its own account', () => {
    it('has the same pushes in chat, API and pages', async () => {
      const [chatUser, other] = [newChatUser(), newChatUser()];
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip', name: 'VPN' });
      const account = await chat.identities.accountOf(chatUser);
      const [found, ...others] = await domain.pushes.list({ account }, 'active', 1);
      expect(others).to.be.empty;
      expect({ ...found, now: push.now }).to.deep.equal(push);
      expect(await activeOf(await chat.identities.accountOf(other))).to.be.empty;
      expect(await chat.identities.ownersOf(push.id, 'slack')).to.deep.equal([chatUser]);
      expect(await chat.identities.ownersOf(push.id, 'discord')).to.be.empty;
    });

    it('is notified of its pushes in its chat', async () => {
      const chatUser = newChatUser();
      const { urlToken, id } = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await domain.pushes.reveal(urlToken, undefined, anonymous);
      const [first, ...others] = await deliverNotices(domain, [chatUser]);
      expect(others).to.be.empty;
      expect(first?.notice).to.deep.include({ event: 'viewed', times: 1 });
      expect(first?.notice).to.have.nested.property('push.id', id);
      expect(first?.notice).to.have.nested.property('push.urlToken', urlToken);
    });

    it('can choose its notices', async () => {
      const chatUser = newChatUser();
      const account = await chat.identities.accountOf(chatUser);
      expect(domain.accounts.noticePreferencesOf(account)).to.deep.equal({
        viewed: 'every',
        expired: true,
        failedPassphrase: true,
        reminder: true,
        askedAgain: true,
      });
      await domain.accounts.setNoticePreferences(account, { viewed: 'none' });
      const again = await chat.identities.accountOf(chatUser);
      expect(domain.accounts.noticePreferencesOf(again)).to.include({ viewed: 'none', expired: true });
      expect(await heardOf(again, [chatUser])).to.be.empty;
    });

    it('is marked as unreachable until a message arrives', async () => {
      const chatUser = newChatUser();
      await chat.identities.accountOf(chatUser);
      const since = async () => {
        const [row] = await service.database.select<{ since: number | null }>(
          'SELECT unreachable_since AS since FROM chat_identities WHERE address = $address',
          { address: chatUser.address },
        );
        return row?.since;
      };
      const before = await domain.clock();
      await chat.identities.setReachable(chatUser, false);
      const first = await since();
      expect(first).to.be.within(before, await domain.clock());
      await chat.identities.setReachable(chatUser, false);
      expect(await since()).to.equal(first);
      await chat.identities.setReachable(chatUser, true);
      expect(await since()).to.equal(null);
    });
  });

  describe('when it is linked to an account', () => {
    it('brings its pushes to that account, and is notified of all the account’s pushes', async () => {
      const [chatUser, boss] = [newChatUser(), newChatUser()];
      const ann = await accountWithEmail();
      const annsPush = await domain.pushes.create({ payload: 'tulip' }, { account: ann, client: someClient });
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip', name: 'VPN' });
      const request = await askFor({ chat }, chatUser, boss, { reason: 'the VPN' });
      await chat.settings.setForUser(chatUser, { expireAfterViews: 3 });

      await chat.identities.link(chatUser, ann);

      expect(await chat.identities.accountOf(chatUser)).to.deep.equal(ann);
      expect(await activeOf(ann)).to.have.members([annsPush.id, push.id]);
      const found = await domain.pushes.list({ account: ann }, 'active', 1, { search: 'vpn' });
      expect(found.map(({ name, urlToken }) => [name, urlToken])).to.deep.equal([['VPN', push.urlToken]]);
      expect(await chat.requests.list(chatUser)).to.deep.equal([request]);
      expect(await chat.settings.ofUser(chatUser)).to.deep.equal({ expireAfterViews: 3 });
      expect(await heardOf(ann, [chatUser])).to.deep.equal([`${chatUser.address} viewed`]);
      await domain.pushes.reveal(push.urlToken, undefined, anonymous);
      expect(summarize(await deliverNotices(domain, [chatUser]))).to.deep.equal([
        `${chatUser.address} viewed`,
      ]);
      const name = `slack:${chatUser.address}`;
      expect(await countRows(service, 'accounts', 'email = $name', { name })).to.equal(0);
    });

    it('brings nobody else’s pushes', async () => {
      const [chatUser, other] = [newChatUser(), newChatUser()];
      const ann = await accountWithEmail();
      const ben = await accountWithEmail();
      const others = await chat.pushes.create(chatCaller(other), { payload: 'tulip' });
      const bens = await domain.pushes.create({ payload: 'tulip' }, { account: ben, client: someClient });
      await chat.identities.link(chatUser, ann);
      expect(await activeOf(ann)).to.be.empty;
      expect(await activeOf(await chat.identities.accountOf(other))).to.deep.equal([others.id]);
      expect(await activeOf(ben)).to.deep.equal([bens.id]);
    });

    it('is linked once, even by twenty concurrent calls', async () => {
      const chatUser = newChatUser();
      const ann = await accountWithEmail();
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await times(20, () => chat.identities.link(chatUser, ann));
      await chat.identities.link(chatUser, ann);
      expect(await activeOf(ann)).to.deep.equal([push.id]);
      expect(await heardOf(ann, [chatUser])).to.deep.equal([`${chatUser.address} viewed`]);
    });

    it('needs no account of its own', async () => {
      const chatUser = newChatUser();
      const ann = await accountWithEmail();
      await chat.identities.link(chatUser, ann);
      expect((await chat.identities.accountOf(chatUser)).id.equals(ann.id)).to.equal(true);
    });

    it('leaves its pushes with the linked account when it is linked to another', async () => {
      const chatUser = newChatUser();
      const [ann, ben] = [await accountWithEmail(), await accountWithEmail()];
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await chat.identities.link(chatUser, ann);
      await chat.identities.link(chatUser, ben);
      expect(await activeOf(ann)).to.deep.equal([push.id]);
      expect(await activeOf(ben)).to.be.empty;
      expect(await heardOf(ann, [chatUser])).to.be.empty;
      expect(await heardOf(ben, [chatUser])).to.deep.equal([`${chatUser.address} viewed`]);
    });

    it('is notified for one account when two are linked concurrently', async () => {
      const chatUser = newChatUser();
      const [ann, ben] = [await accountWithEmail(), await accountWithEmail()];
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await Promise.all([chat.identities.link(chatUser, ann), chat.identities.link(chatUser, ben)]);
      const { id } = await chat.identities.accountOf(chatUser);
      const [mine, other] = id.equals(ann.id) ? [ann, ben] : [ben, ann];
      expect([...(await activeOf(mine)), ...(await activeOf(other))]).to.deep.equal([push.id]);
      expect(await heardOf(mine, [chatUser])).to.deep.equal([`${chatUser.address} viewed`]);
      expect(await heardOf(other, [chatUser])).to.be.empty;
    });

    it('brings the chat identities and webhooks of the merged account too', async () => {
      const [chatUser, friend] = [newChatUser(), newChatUser()];
      const ann = await accountWithEmail();
      const mine = await chat.identities.accountOf(chatUser);
      await chat.identities.link(friend, mine);
      const { id } = await domain.webhooks.create(mine, { url: 'https://example.com/hook' });

      await chat.identities.link(chatUser, ann);

      expect((await chat.identities.accountOf(friend)).id.equals(ann.id)).to.equal(true);
      expect((await domain.webhooks.list(ann)).map((webhook) => webhook.id)).to.deep.equal([id]);
      await deliverNotices(domain);
      await viewOnePushOf(ann);
      expect(summarize(await deliverNotices(domain))).to.deep.equal(
        [chatUser.address, friend.address, id].map((address) => `${address} viewed`).sort(),
      );
      const gone = 'account_id NOT IN (SELECT id FROM accounts)';
      for (const table of ['recipients', 'chat_identities', 'pushes', 'webhooks'])
        expect(await countRows(service, table, gone), table).to.equal(0);
    });

    it('brings no way to sign in to that account: a provider that knew its own knows it no longer', async () => {
      const chatUser = newChatUser();
      const { id } = await chat.identities.accountOf(chatUser);
      const insert = `INSERT INTO provider_identities (id, account_id, issuer, subject, created_at, last_used_at)
        VALUES ($id, $id, 'https://id.test', 'ann', 1, 1)`;
      await service.database.execute(insert, { id });
      const { account } = await createAccount(domain);
      await chat.identities.link(chatUser, account);
      const left = await service.database.select(
        `SELECT account_id FROM provider_identities WHERE id = $id`,
        {
          id,
        },
      );
      expect(left).to.be.empty;
    });

    it('ends up with an existing account when several link one another concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const [one, other] = [newChatUser(), newChatUser()];
        const [ones, others] = [await chat.identities.accountOf(one), await chat.identities.accountOf(other)];
        const push = await chat.pushes.create(chatCaller(one), { payload: 'tulip' });
        await Promise.allSettled([chat.identities.link(one, others), chat.identities.link(other, ones)]);
        const now = [await chat.identities.accountOf(one), await chat.identities.accountOf(other)];
        for (const { email } of now) await domain.accounts.find(email);
        expect((await Promise.all(now.map(activeOf))).flat()).to.contain(push.id);
      }
    });

    it('changes nothing when the account is gone', async () => {
      const chatUser = newChatUser();
      const ann = await accountWithEmail();
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await domain.accounts.erase(ann.email, 'operator');
      expect(await refusal(chat.identities.link(chatUser, ann))).to.equal('not_found: The account is gone.');
      expect(await activeOf(await chat.identities.accountOf(chatUser))).to.deep.equal([push.id]);
    });

    it('changes nothing when the account is being erased', async () => {
      const chatUser = newChatUser();
      const ann = await accountWithEmail();
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const joined = await duringErasure(service, ann.id, () => chat.identities.link(chatUser, ann));
      expect(joined).to.have.nested.property('reason.code', 'not_found');
      expect(await activeOf(await chat.identities.accountOf(chatUser))).to.deep.equal([push.id]);
    });
  });

  describe('when its account is erased', () => {
    it('is forgotten, and gets a new account when its user returns', async () => {
      const chatUser = newChatUser();
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const { id, email } = await chat.identities.accountOf(chatUser);
      await domain.accounts.erase(email, 'operator');
      const { address } = chatUser;
      for (const table of ['chat_identities', 'recipients'])
        expect(await countRows(service, table, 'address = $address', { address }), table).to.equal(0);
      expect(await refusal(domain.pushes.preview(push.urlToken, anonymous))).to.match(/^not_found/);
      const again = await chat.identities.accountOf(chatUser);
      expect(again.id.equals(id)).to.equal(false);
      expect(await activeOf(again)).to.be.empty;
      expect(await heardOf(again, [chatUser])).to.deep.equal([`${address} viewed`]);
    });

    it('gets a new account even if the erased one was linked', async () => {
      const chatUser = newChatUser();
      const ann = await accountWithEmail();
      await chat.identities.link(chatUser, ann);
      await domain.accounts.erase(ann.email, 'operator');
      const again = await chat.identities.accountOf(chatUser);
      expect(again.email).to.equal(`slack:${chatUser.address}`);
      expect(again.id.equals(ann.id)).to.equal(false);
    });

    it('can be erased by operators under the name of its account', async () => {
      const account = await chat.identities.accountOf(newChatUser());
      expect(await domain.accounts.find(` ${account.email} `)).to.deep.equal(account);
      const token = await domain.apiTokens.issue(account, { name: 'laptop' });
      expect((await domain.apiTokens.authenticate(token)).account).to.deep.equal(account);
    });

    it('loses its requests and settings', async () => {
      const [chatUser, other] = [newChatUser(), newChatUser()];
      await chat.identities.accountOf(other);
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      const { id } = await askFor({ chat }, chatUser, other, { reason: 'the VPN' });
      const { id: others } = await askFor({ chat }, other, chatUser, {});
      for (const user of [chatUser, other]) {
        await chat.settings.setForUser(user, { expireAfterViews: 3 });
        await chat.messages.save(push.id, user, { channel: 'D1', message: '1.0' });
      }
      await domain.accounts.erase(`slack:${chatUser.address}`, 'operator');
      expect(await chat.requests.maybeFind(Buffer.from(id, 'hex'))).to.equal(undefined);
      expect(await chat.settings.ofUser(chatUser)).to.deep.equal({});
      expect(await chat.messages.maybeFind(push.id, chatUser)).to.equal(undefined);
      expect((await chat.requests.list(other)).map((each) => each.id)).to.deep.equal([others]);
      expect(await chat.settings.ofUser(other)).to.deep.equal({ expireAfterViews: 3 });
      expect(await chat.messages.maybeFind(push.id, other)).to.not.equal(undefined);
    });
  });
});

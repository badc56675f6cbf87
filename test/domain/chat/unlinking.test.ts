import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Account, ChatUser, Domain, SignedIn } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import {
  chatCaller,
  connectChat,
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
import { freshlySignedIn } from '../../harness/signedIn.ts';

const notTheirs = 'not_found: The account is not connected to them.';

describe('The chat identities of an account', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let chatUser: ChatUser;
  let ann: SignedIn;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    chatUser = newChatUser();
    ann = await newAccount();
    await deliverNotices(domain);
  });

  const newAccount = async (): Promise<SignedIn> =>
    freshlySignedIn(domain, (await createAccount(domain)).account);
  const connect = async (user: ChatUser, account: Account, name = '@ann') =>
    connectChat(domain, user, { account, name });
  const newPush = (account: Account) =>
    domain.pushes.create({ payload: 'tulip' }, { account, client: someClient });
  const view = ({ urlToken }: { urlToken: string }) => domain.pushes.reveal(urlToken, undefined, anonymous);
  const activeOf = async (account: Account) =>
    (await domain.pushes.list({ account }, 'active', 1)).map(({ id }) => id);

  describe('in its list', () => {
    it('have their names in the chat, and the time of linking', async () => {
      await chat.identities.accountOf(chatUser);
      await service.database.execute('UPDATE chat_identities SET created_at = 1 WHERE address = $address', {
        address: chatUser.address,
      });
      const before = await domain.clock();
      await connect(chatUser, ann, '@änn 🌷');
      const other: ChatUser = { ...newChatUser(), platform: 'discord' };
      await sleep(2);
      await chat.identities.link(other, ann);
      await chat.identities.setReachable(other, false);
      const [first, second, ...more] = await chat.identities.list(ann);
      expect(more).to.be.empty;
      expect(first).to.deep.include({
        ...chatUser,
        name: '@änn 🌷',
        unreachableSince: null,
        isPrimary: false,
      });
      expect(first?.connectedAt).to.be.within(before, await domain.clock());
      expect(second).to.deep.include({ ...other, name: null, isPrimary: false });
      expect(second?.unreachableSince).to.be.within(before, await domain.clock());
      expect(await chat.identities.list(await newAccount())).to.be.empty;
    });

    it('have the newest name that a connect link brought', async () => {
      const enter = async (name: string) => connectChat(domain, chatUser, { name });
      const account = await enter('@before');
      const [entry] = await chat.identities.list(account);
      expect(entry).to.deep.include({ ...chatUser, name: '@before', isPrimary: true });
      await enter('@after');
      expect((await chat.identities.list(account))[0]?.name).to.equal('@after');
      expect(await chat.identities.maybeNameOf(account)).to.equal('@after');
      expect((await chat.identities.names()).get(account.email)).to.equal('@after');
    });

    it('have long names cut', async () => {
      await connect(chatUser, ann, '🌷'.repeat(300));
      expect((await chat.identities.list(ann))[0]?.name).to.equal('🌷'.repeat(100));
    });

    it('have no name if none is known or the account has an e-mail address', async () => {
      const account = await chat.identities.accountOf(chatUser);
      expect(await chat.identities.maybeNameOf(account)).to.equal(null);
      expect((await chat.identities.names()).has(account.email)).to.equal(false);
      expect(await chat.identities.maybeNameOf(ann)).to.equal(null);
    });
  });

  describe('when one is unlinked', () => {
    beforeEach(() => connect(chatUser, ann));

    it('leave their pushes with the account, and get a new account when the user returns', async () => {
      const push = await chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' });
      await chat.identities.unlink(chatUser, ann);
      expect(await chat.identities.list(ann)).to.be.empty;
      expect(await activeOf(ann)).to.deep.equal([push.id]);
      const { address } = chatUser;
      for (const table of ['chat_identities', 'recipients'])
        expect(await countRows(service, table, 'address = $address', { address }), table).to.equal(0);
      const own = await chat.identities.accountOf(chatUser);
      expect(own.email).to.equal(`slack:${address}`);
      expect(await activeOf(own)).to.be.empty;
      expect(await refusal(domain.pushes.requireUrlToken(own, push.id))).to.match(/^not_found/);
    });

    it('can be linked again', async () => {
      await chat.identities.unlink(chatUser, ann);
      await connect(chatUser, ann);
      await view(await newPush(ann));
      expect(summarize(await deliverNotices(domain))).to.deep.equal([`${chatUser.address} viewed`]);
    });

    it('stay linked to the account that was created for them', async () => {
      const friend = newChatUser();
      const own = await freshlySignedIn(domain, await chat.identities.accountOf(friend));
      await connect(chatUser, own);
      expect(await refusal(chat.identities.unlink(friend, own))).to.equal(
        'conflict: The account was created for them. Delete it, or merge it.',
      );
      await chat.identities.unlink(chatUser, own);
      expect((await chat.identities.list(own)).map(({ address }) => address)).to.deep.equal([friend.address]);
    });

    it('cannot be unlinked from an account that they are not linked to', async () => {
      const ben = await newAccount();
      expect(await refusal(chat.identities.unlink(chatUser, ben))).to.equal(notTheirs);
      expect(await refusal(chat.identities.unlink(newChatUser(), ann))).to.equal(notTheirs);
      const onDiscord: ChatUser = { ...chatUser, platform: 'discord' };
      expect(await refusal(chat.identities.unlink(onDiscord, ann))).to.equal(notTheirs);
      expect(await chat.identities.list(ann)).to.have.length(1);
    });

    it('are unlinked once by ten concurrent calls', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 10 }, () => chat.identities.unlink(chatUser, ann)),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      for (const each of results)
        if (each.status === 'rejected') expect(each.reason).to.have.property('code', 'not_found');
    });

    it('end up with one account if another is linked concurrently', async () => {
      for (let round = 0; round < 5; round++) {
        const newcomer = newChatUser();
        await connect(newcomer, ann);
        const ben = await newAccount();
        await Promise.allSettled([
          chat.identities.unlink(newcomer, ann),
          chat.identities.link(newcomer, ben),
        ]);
        expect((await chat.identities.accountOf(newcomer)).id.equals(ben.id)).to.equal(true);
        const { address } = newcomer;
        expect(await countRows(service, 'recipients', 'address = $address', { address })).to.equal(1);
      }
    });

    it('leave a concurrent push with the account, or do not create it', async () => {
      const made = Promise.allSettled(
        Array.from({ length: 8 }, () => chat.pushes.create(chatCaller(chatUser), { payload: 'tulip' })),
      );
      await chat.identities.unlink(chatUser, ann);
      const own = await chat.identities.accountOf(chatUser);
      const ids: string[] = [];
      for (const each of await made) {
        if (each.status === 'fulfilled') ids.push(each.value.id);
        else expect(each.reason).to.have.property('code', 'unavailable');
      }
      expect([...(await activeOf(ann)), ...(await activeOf(own))]).to.have.members(ids);
    });

    it('cannot be unlinked from an account that is being erased', async () => {
      const result = await duringErasure(service, ann.id, () => chat.identities.unlink(chatUser, ann));
      expect(result).to.have.nested.property('reason.code', 'not_found');
    });

    it('lose the notices that wait for them, written before or meanwhile', async () => {
      const friend = newChatUser();
      await connect(friend, ann);
      await view(await newPush(ann));
      await chat.identities.unlink(chatUser, ann);
      // as if by an event that started before the unlinking
      await service.database.execute(
        `INSERT INTO notices (id, push_id, event, messenger, address, times, views_used, happened_at, created_at, due_at)
         SELECT ${service.database.dialect.newId}, push_id, 'locked', messenger, $address, 1, 1, 1, 1, 1 FROM notices
         WHERE address = $address`,
        { address: chatUser.address },
      );
      expect(summarize(await deliverNotices(domain))).to.deep.equal([`${friend.address} viewed`]);
      const { address } = chatUser;
      const ended = `address = $address AND push_id IS NOT NULL AND ended_at IS NOT NULL AND sent_at IS NULL`;
      expect(await countRows(service, 'notices', ended, { address })).to.equal(2);
    });

    it('still receive what others share with them or request of them', async () => {
      const push = await newPush(ann);
      const friend = newChatUser();
      await domain.pushes.share(ann, push.id, [chatUser]);
      await chat.requests.create(friend, [chatUser], {});
      await chat.identities.unlink(chatUser, ann);
      expect(summarize(await deliverNotices(domain))).to.deep.equal(
        [`${chatUser.address} requested`, `${chatUser.address} shared`].sort(),
      );
    });

    it('do not hold up a concurrent delivery', async () => {
      const people = await times(6, async () => {
        const newcomer = newChatUser();
        await connect(newcomer, ann);
        return newcomer;
      });
      const pushes = await times(10, () => newPush(ann));
      await Promise.all(pushes.map(view));
      const parting = Promise.all(people.map((newcomer) => chat.identities.unlink(newcomer, ann)));
      const brought = await deliverNotices(domain);
      await parting;
      const all = [...brought, ...(await deliverNotices(domain))]
        .filter(({ notice }) => notice.event === 'viewed')
        .map(({ address }) => address);
      expect(all.filter((address) => address === chatUser.address)).to.have.length(10);
      expect(await countRows(service, 'notices', 'due_at IS NOT NULL')).to.equal(0);
    });
  });

  describe('in the preview of linking', () => {
    it('bring nothing if they are new', async () => {
      expect(await chat.identities.previewLink(chatUser, ann)).to.deep.equal({
        effect: 'merge',
        pushes: 0,
        tokens: 0,
        endsSignIn: false,
      });
    });

    it('bring the pushes and tokens of an account that is merged', async () => {
      const own = await chat.identities.accountOf(chatUser);
      await chat.pushes.create(chatCaller(), { payload: 'tulip' });
      const [, ended] = [await newPush(own), await newPush(own)];
      await domain.pushes.expire(ended.urlToken, { account: own, client: someClient });
      await domain.apiTokens.issue(own, { name: 'laptop' });
      const foreseen = await chat.identities.previewLink(chatUser, ann);
      expect(foreseen).to.deep.equal({ effect: 'merge', pushes: 2, tokens: 1, endsSignIn: false });
      await chat.identities.link(chatUser, ann);
      const { id } = ann;
      expect(await countRows(service, 'pushes', 'account_id = $id', { id })).to.equal(2);
    });

    it('show the account that they leave, or that nothing changes', async () => {
      const ben = await newAccount();
      await connect(chatUser, ben);
      expect(await chat.identities.previewLink(chatUser, ann)).to.deep.equal({
        effect: 'move',
        from: ben.email,
      });
      expect(await chat.identities.previewLink(chatUser, ben)).to.deep.equal({ effect: 'nothing' });
    });
  });
});

import { expect } from 'chai';
import type { Domain, Owner, Speaker } from '../../src/domain/index.ts';
import { times } from '../harness/api.ts';
import { asker, countOf, inShort, somebody, told, whileErasing } from '../harness/chat.ts';
import {
  anybody,
  makeAccount,
  refusal,
  someVisit,
  startService,
  type TestService,
} from '../harness/service.ts';

describe('somebody who speaks in a chat', () => {
  let service: TestService;
  let domain: Domain;
  let chat: Domain['chat'];
  let emails = 0;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ chat } = domain);
  });

  after(() => service.stop());

  const newEmail = () => {
    emails += 1;
    return `person${emails}@example.com`;
  };
  const accountWithEmail = async () => (await makeAccount(domain, newEmail())).owner;

  const activeOf = async (owner: Owner) => (await domain.pushes.list(owner, 'active', 1)).map(({ id }) => id);

  /** Makes a push, and has somebody view it, which its owner hears of. */
  async function viewOnePushOf(owner: Owner): Promise<void> {
    const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { owner, visit: someVisit });
    await domain.pushes.reveal(urlToken, undefined, anybody);
  }

  const heardOf = async (owner: Owner, people: Speaker[]) => {
    await told(domain);
    await viewOnePushOf(owner);
    return inShort(await told(domain, people));
  };

  describe('for the first time', () => {
    it('gets one account, though they come twenty times at once', async () => {
      const speaker = somebody();
      const owners = await times(20, () => chat.identities.ownerOf(speaker));
      expect(new Set(owners.map(({ id }) => id.toString('hex'))).size).to.equal(1);
      const name = `slack:${speaker.address}`;
      expect(owners[0]).to.include({ email: name, subscribed: false });
      expect(await countOf(service, 'accounts', 'email = $name', { name })).to.equal(1);
      const { address } = speaker;
      expect(await countOf(service, 'chat_identities', 'address = $address', { address })).to.equal(1);
      expect(await countOf(service, 'recipients', 'address = $address', { address })).to.equal(1);
      expect(await chat.identities.ownerOf(speaker)).to.deep.equal(owners[0]);
    });

    it('is somebody else than the same user id in another workspace, or on another platform', async () => {
      const [here, there] = [somebody('T1'), somebody('T2')];
      const [, user] = here.address.split(':');
      const namesake: Speaker = { ...there, address: `T2:${user}` };
      const onDiscord: Speaker = { platform: 'discord', address: here.address };
      const ids = await Promise.all(
        [here, namesake, onDiscord].map(async (who) =>
          (await chat.identities.ownerOf(who)).id.toString('hex'),
        ),
      );
      expect(new Set(ids).size).to.equal(3);
    });

    it('is no other than they were, whatever letters their address has', async () => {
      const speaker = somebody();
      const small: Speaker = { ...speaker, address: speaker.address.toLowerCase() };
      const [one, other] = [await chat.identities.ownerOf(speaker), await chat.identities.ownerOf(small)];
      expect(one.id.equals(other.id)).to.equal(false);
    });

    it('has a name that nobody can register with', async () => {
      expect(await refusal(domain.accounts.create({ email: 'slack:T1:U1' }))).to.match(/^invalid: email/);
    });
  });

  describe('then', () => {
    it('finds what they make in the account’s list, for chat, API and pages alike', async () => {
      const [speaker, other] = [somebody(), somebody()];
      const push = await chat.make(asker(speaker), { payload: 'tulip', name: 'VPN' });
      const owner = await chat.identities.ownerOf(speaker);
      const [found, ...others] = await domain.pushes.list(owner, 'active', 1);
      expect(others).to.be.empty;
      expect({ ...found, now: push.now }).to.deep.equal(push);
      expect(await activeOf(await chat.identities.ownerOf(other))).to.be.empty;
      expect(await chat.identities.speakersOf(push.id, 'slack')).to.deep.equal([speaker]);
      expect(await chat.identities.speakersOf(push.id, 'discord')).to.be.empty;
    });

    it('hears of what happens to it where they are', async () => {
      const speaker = somebody();
      const { urlToken, id } = await chat.make(asker(speaker), { payload: 'tulip' });
      await domain.pushes.reveal(urlToken, undefined, anybody);
      const [first, ...others] = await told(domain, [speaker]);
      expect(others).to.be.empty;
      expect(first?.notice).to.deep.include({ event: 'viewed', times: 1 });
      expect(first?.notice).to.have.nested.property('push.id', id);
      expect(first?.notice).to.have.nested.property('push.urlToken', urlToken);
    });

    it('chooses what to hear of', async () => {
      const speaker = somebody();
      const owner = await chat.identities.ownerOf(speaker);
      expect(domain.accounts.noticesOf(owner)).to.deep.equal({
        viewed: 'every',
        expired: true,
        failedPassphrase: true,
        reminder: true,
        askedAgain: true,
      });
      await domain.accounts.setNotices(owner, { viewed: 'none' });
      const again = await chat.identities.ownerOf(speaker);
      expect(domain.accounts.noticesOf(again)).to.include({ viewed: 'none', expired: true });
      expect(await heardOf(again, [speaker])).to.be.empty;
    });

    it('can be remembered as out of reach since a moment, until a message comes through', async () => {
      const speaker = somebody();
      await chat.identities.ownerOf(speaker);
      const since = async () => {
        const [row] = await service.database.rows<{ since: number | null }>(
          'SELECT unreachable_since AS since FROM chat_identities WHERE address = $address',
          { address: speaker.address },
        );
        return row?.since;
      };
      const before = await domain.clock();
      await chat.identities.setReachable(speaker, false);
      const first = await since();
      expect(first).to.be.within(before, await domain.clock());
      await chat.identities.setReachable(speaker, false);
      expect(await since()).to.equal(first);
      await chat.identities.setReachable(speaker, true);
      expect(await since()).to.equal(null);
    });
  });

  describe('who joins an account', () => {
    it('brings along what is theirs, and is told of what happens to any of its pushes', async () => {
      const [speaker, boss] = [somebody(), somebody()];
      const ann = await accountWithEmail();
      const annsPush = await domain.pushes.create({ payload: 'tulip' }, { owner: ann, visit: someVisit });
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      const asked = await chat.requests.make(speaker, boss, { reason: 'the VPN' });
      await chat.settings.setPerson(speaker, { expireAfterViews: 3 });

      await chat.identities.join(speaker, ann);

      expect(await chat.identities.ownerOf(speaker)).to.deep.equal(ann);
      expect(await activeOf(ann)).to.have.members([annsPush.id, push.id]);
      expect(await chat.requests.list(speaker)).to.deep.equal([asked]);
      expect(await chat.settings.ofPerson(speaker)).to.deep.equal({ expireAfterViews: 3 });
      expect(await heardOf(ann, [speaker])).to.deep.equal([`${speaker.address} viewed`]);
      await domain.pushes.reveal(push.urlToken, undefined, anybody);
      expect(inShort(await told(domain, [speaker]))).to.deep.equal([`${speaker.address} viewed`]);
      const name = `slack:${speaker.address}`;
      expect(await countOf(service, 'accounts', 'email = $name', { name })).to.equal(0);
    });

    it('brings along nobody else’s', async () => {
      const [speaker, other] = [somebody(), somebody()];
      const ann = await accountWithEmail();
      const ben = await accountWithEmail();
      const others = await chat.make(asker(other), { payload: 'tulip' });
      const bens = await domain.pushes.create({ payload: 'tulip' }, { owner: ben, visit: someVisit });
      await chat.identities.join(speaker, ann);
      expect(await activeOf(ann)).to.be.empty;
      expect(await activeOf(await chat.identities.ownerOf(other))).to.deep.equal([others.id]);
      expect(await activeOf(ben)).to.deep.equal([bens.id]);
    });

    it('may do so twice, and twenty times at once', async () => {
      const speaker = somebody();
      const ann = await accountWithEmail();
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      await times(20, () => chat.identities.join(speaker, ann));
      await chat.identities.join(speaker, ann);
      expect(await activeOf(ann)).to.deep.equal([push.id]);
      expect(await heardOf(ann, [speaker])).to.deep.equal([`${speaker.address} viewed`]);
    });

    it('without ever having spoken has nothing to bring, and belongs to it', async () => {
      const speaker = somebody();
      const ann = await accountWithEmail();
      await chat.identities.join(speaker, ann);
      expect((await chat.identities.ownerOf(speaker)).id.equals(ann.id)).to.equal(true);
    });

    it('and then another leaves what the first has to it, and hears of it no more', async () => {
      const speaker = somebody();
      const [ann, ben] = [await accountWithEmail(), await accountWithEmail()];
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      await chat.identities.join(speaker, ann);
      await chat.identities.join(speaker, ben);
      expect(await activeOf(ann)).to.deep.equal([push.id]);
      expect(await activeOf(ben)).to.be.empty;
      expect(await heardOf(ann, [speaker])).to.be.empty;
      expect(await heardOf(ben, [speaker])).to.deep.equal([`${speaker.address} viewed`]);
    });

    it('and another at the same time hears of one of them alone', async () => {
      const speaker = somebody();
      const [ann, ben] = [await accountWithEmail(), await accountWithEmail()];
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      await Promise.all([chat.identities.join(speaker, ann), chat.identities.join(speaker, ben)]);
      const { id } = await chat.identities.ownerOf(speaker);
      const [mine, other] = id.equals(ann.id) ? [ann, ben] : [ben, ann];
      expect([...(await activeOf(mine)), ...(await activeOf(other))]).to.deep.equal([push.id]);
      expect(await heardOf(mine, [speaker])).to.deep.equal([`${speaker.address} viewed`]);
      expect(await heardOf(other, [speaker])).to.be.empty;
    });

    it('brings along who had joined them, and their webhooks', async () => {
      const [speaker, friend] = [somebody(), somebody()];
      const ann = await accountWithEmail();
      const mine = await chat.identities.ownerOf(speaker);
      await chat.identities.join(friend, mine);
      const { id } = await domain.webhooks.register(mine, { url: 'https://example.com/hook' });

      await chat.identities.join(speaker, ann);

      expect((await chat.identities.ownerOf(friend)).id.equals(ann.id)).to.equal(true);
      expect((await domain.webhooks.list(ann)).map((webhook) => webhook.id)).to.deep.equal([id]);
      await told(domain);
      await viewOnePushOf(ann);
      expect(inShort(await told(domain))).to.deep.equal(
        [speaker.address, friend.address, id].map((address) => `${address} viewed`).sort(),
      );
      const gone = 'account_id NOT IN (SELECT id FROM accounts)';
      for (const table of ['recipients', 'chat_identities', 'pushes', 'webhooks'])
        expect(await countOf(service, table, gone), table).to.equal(0);
    });

    it('of which several are people who join one another at once leaves each with an account that is there', async () => {
      for (let round = 0; round < 5; round++) {
        const [one, other] = [somebody(), somebody()];
        const [ones, others] = [await chat.identities.ownerOf(one), await chat.identities.ownerOf(other)];
        const push = await chat.make(asker(one), { payload: 'tulip' });
        await Promise.allSettled([chat.identities.join(one, others), chat.identities.join(other, ones)]);
        const now = [await chat.identities.ownerOf(one), await chat.identities.ownerOf(other)];
        for (const { email } of now) await domain.accounts.find(email);
        expect((await Promise.all(now.map(activeOf))).flat()).to.contain(push.id);
      }
    });

    it('that is gone by then keeps what they have', async () => {
      const speaker = somebody();
      const ann = await accountWithEmail();
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      await domain.accounts.erase(ann.email);
      expect(await refusal(chat.identities.join(speaker, ann))).to.equal('not_found: The account is gone.');
      expect(await activeOf(await chat.identities.ownerOf(speaker))).to.deep.equal([push.id]);
    });

    it('that is being erased keeps what they have', async () => {
      const speaker = somebody();
      const ann = await accountWithEmail();
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      const joined = await whileErasing(service, ann.id, () => chat.identities.join(speaker, ann));
      expect(joined).to.have.nested.property('reason.code', 'not_found');
      expect(await activeOf(await chat.identities.ownerOf(speaker))).to.deep.equal([push.id]);
    });
  });

  describe('whose account is erased', () => {
    it('is forgotten with it, and is new when they come again', async () => {
      const speaker = somebody();
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      const { id, email } = await chat.identities.ownerOf(speaker);
      await domain.accounts.erase(email);
      const { address } = speaker;
      for (const table of ['chat_identities', 'recipients'])
        expect(await countOf(service, table, 'address = $address', { address }), table).to.equal(0);
      expect(await refusal(domain.pushes.peek(push.urlToken, anybody))).to.match(/^not_found/);
      const again = await chat.identities.ownerOf(speaker);
      expect(again.id.equals(id)).to.equal(false);
      expect(await activeOf(again)).to.be.empty;
      expect(await heardOf(again, [speaker])).to.deep.equal([`${address} viewed`]);
    });

    it('is new as well when it was an account that they had joined', async () => {
      const speaker = somebody();
      const ann = await accountWithEmail();
      await chat.identities.join(speaker, ann);
      await domain.accounts.erase(ann.email);
      const again = await chat.identities.ownerOf(speaker);
      expect(again.email).to.equal(`slack:${speaker.address}`);
      expect(again.id.equals(ann.id)).to.equal(false);
    });

    it('has a name that operators can call it by', async () => {
      const owner = await chat.identities.ownerOf(somebody());
      expect(await domain.accounts.find(` ${owner.email} `)).to.deep.equal(owner);
      const token = await domain.apiTokens.create(owner, { name: 'laptop' });
      expect((await domain.apiTokens.authenticate(token, owner.email)).owner).to.deep.equal(owner);
      expect(await refusal(domain.apiTokens.authenticate(token, owner.email.toLowerCase()))).to.match(
        /^unauthenticated/,
      );
    });

    it('leaves neither what they asked for, nor their settings', async () => {
      const [speaker, other] = [somebody(), somebody()];
      await chat.identities.ownerOf(other);
      const push = await chat.make(asker(speaker), { payload: 'tulip' });
      const { id } = await chat.requests.make(speaker, other, { reason: 'the VPN' });
      const { id: others } = await chat.requests.make(other, speaker, {});
      for (const who of [speaker, other]) {
        await chat.settings.setPerson(who, { expireAfterViews: 3 });
        await chat.messages.keep(push.id, who, { channel: 'D1', message: '1.0' });
      }
      await domain.accounts.erase(`slack:${speaker.address}`);
      expect(await chat.requests.maybeFind(Buffer.from(id, 'hex'))).to.equal(undefined);
      expect(await chat.settings.ofPerson(speaker)).to.deep.equal({});
      expect(await chat.messages.maybeFind(push.id, speaker)).to.equal(undefined);
      expect((await chat.requests.list(other)).map((each) => each.id)).to.deep.equal([others]);
      expect(await chat.settings.ofPerson(other)).to.deep.equal({ expireAfterViews: 3 });
      expect(await chat.messages.maybeFind(push.id, other)).to.not.equal(undefined);
    });
  });
});

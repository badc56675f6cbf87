import { expect } from 'chai';
import type { ChatUser, Delivery, Domain, SecretRequest } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import {
  askFor,
  chatCaller,
  connectChat,
  countRows,
  deliverNotices,
  dumpDatabase,
  newChatUser,
  summarize,
} from '../../harness/chat.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { refusal, startService, type TestService } from '../../harness/service.ts';

const dayMs = 86_400_000;
const over = 'not_found: This request has ended.';

describe('A request for a secret', () => {
  let service: TestService;
  let domain: Domain;
  let requests: Domain['chat']['requests'];
  let ann: ChatUser;
  let ben: ChatUser;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    ({ requests } = domain.chat);
  });

  after(() => service.stop());

  beforeEach(async () => {
    [ann, ben] = [newChatUser(), newChatUser()];
    await deliverNotices(domain);
  });

  const ask = (input: unknown = { reason: 'the VPN' }) => askFor(domain, ann, ben, input);
  const found = ({ id }: SecretRequest) => requests.maybeFind(Buffer.from(id, 'hex'));
  const age = ({ id }: SecretRequest, ms: number) =>
    service.database.execute(
      'UPDATE requests SET expires_at = expires_at - $ms, due_at = due_at - $ms WHERE id = $id',
      { ms, id: Buffer.from(id, 'hex') },
    );

  describe('when it is created', () => {
    it('states requester, provider, reason and expiry', async () => {
      const before = await domain.clock();
      const request = await ask();
      expect(request).to.deep.include({ requester: ann, provider: ben, reason: 'the VPN', state: 'open' });
      expect(request.createdAt).to.be.within(before, await domain.clock());
      expect(request.expiresAt - request.createdAt).to.equal(14 * dayMs);
      expect(request.id).to.match(/^[0-9a-f]{32}$/);
      expect(await found(request)).to.deep.equal(request);
      expect(await requests.requireOpen(request.id, ben)).to.deep.equal(request);
      expect(await requests.list(ann)).to.deep.equal([request]);
      expect(await requests.list(ben)).to.be.empty;
    });

    it('notifies the provider at once, with the whole request', async () => {
      let woken = 0;
      domain.notices.onWritten(() => {
        woken += 1;
      });
      const request = await ask();
      expect(woken).to.equal(1);
      const all = await deliverNotices(domain, [ann, ben]);
      expect(summarize(all)).to.deep.equal([`${ben.address} requested`]);
      expect(all[0]?.notice).to.deep.include({ event: 'requested', request, times: 1, attempt: 1 });
    });

    it('has its reason sealed in the database', async () => {
      const { id } = await ask({ reason: 'reason-4711' });
      const dump = await dumpDatabase(service);
      expect(dump).to.not.contain('reason-4711');
      expect(dump).to.not.contain(Buffer.from('reason-4711').toString('hex'));
      expect(dump).to.contain(id);
    });

    it('needs no reason, and accepts one of at most 500 characters', async () => {
      for (const none of [{}, { reason: null }, { reason: '' }, { reason: ' \n ' }])
        expect(await ask(none)).to.include({ reason: null });
      expect(await ask({ reason: ` ${'ü'.repeat(500)} ` })).to.include({ reason: 'ü'.repeat(500) });
      const { code, problems } = await refusalOf(ask({ reason: 'x'.repeat(501) }));
      expect(code).to.equal('invalid');
      expect(problems).to.deep.equal({ reason: [{ code: 'maxLength', max: 500, unit: 'characters' }] });
      expect((await refusalOf(ask({ reason: 7 }))).problems).to.deep.equal({ reason: [{ code: 'text' }] });
    });

    it('is refused to people who ask themselves', async () => {
      const { code, problems } = await refusalOf(requests.create(ann, [ben, { ...ann }], {}));
      expect(code).to.equal('invalid');
      expect(problems).to.have.key('providers');
      expect(await deliverNotices(domain, [ann, ben])).to.be.empty;
    });

    it('is refused to a person with fifty open requests', async () => {
      for (let batch = 0; batch < 5; batch++) await times(10, () => ask());
      const { code, messageCode } = await refusalOf(ask());
      expect([code, messageCode]).to.deep.equal(['too_many', 'tooManyOpenRequests']);
      await requests.create(ben, [ann], {}); // somebody else’s request
      const open = await requests.list(ann);
      expect(open).to.have.length(50);
      await requests.cancel((open[0] as SecretRequest).id, ann);
      await ask();
      const [, second] = open;
      await requests.decline((second as SecretRequest).id, ben);
      await age(open[2] as SecretRequest, 14 * dayMs);
      await ask();
      await ask();
      expect(await refusal(ask())).to.match(/^too_many/);
    });

    it('is listed newest first', async () => {
      const created = [];
      for (const reason of ['one', 'two', 'three']) {
        created.unshift(await ask({ reason }));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      expect(await requests.list(ann)).to.deep.equal(created);
    });
  });

  describe('when it ends', () => {
    it('notifies the requester if the provider declined it', async () => {
      const request = await ask();
      await deliverNotices(domain);
      const declined = { ...request, state: 'declined' };
      expect(await requests.decline(request.id, ben)).to.deep.equal(declined);
      expect(await found(request)).to.deep.equal(declined);
      const all = await deliverNotices(domain, [ann, ben]);
      expect(summarize(all)).to.deep.equal([`${ann.address} declined`]);
      expect(all[0]?.notice).to.have.property('request').that.deep.equals(declined);
    });

    it('notifies the provider if the requester cancelled it', async () => {
      const request = await ask();
      await deliverNotices(domain);
      const cancelled = { ...request, state: 'cancelled' };
      expect(await requests.cancel(request.id, ann)).to.deep.equal(cancelled);
      const all = await deliverNotices(domain, [ann, ben]);
      expect(summarize(all)).to.deep.equal([`${ben.address} cancelled`]);
      expect(all[0]?.notice).to.have.property('request').that.deep.equals(cancelled);
      expect(await requests.list(ann)).to.be.empty;
    });

    it('wakes the delivery', async () => {
      const [one, other] = [await ask(), await ask()];
      let woken = 0;
      domain.notices.onWritten(() => {
        woken += 1;
      });
      await requests.decline(one.id, ben);
      await requests.cancel(other.id, ann);
      expect(woken).to.equal(2);
    });

    it('can be declined only by its provider and cancelled only by its requester', async () => {
      const request = await ask();
      const carl = newChatUser();
      await deliverNotices(domain);
      for (const user of [ann, carl, { ...ben, platform: 'discord' } as const])
        expect(await refusal(requests.decline(request.id, user))).to.equal(over);
      for (const user of [ben, carl]) expect(await refusal(requests.cancel(request.id, user))).to.equal(over);
      expect(await found(request)).to.include({ state: 'open' });
      expect(await deliverNotices(domain, [ann, ben, carl])).to.be.empty;
    });

    it('can be answered only by its provider', async () => {
      const request = await ask();
      for (const other of [ann, newChatUser(), { ...ben, platform: 'discord' as const }])
        expect(await refusal(requests.requireOpen(request.id, other))).to.equal(over);
      expect((await requests.requireOpen(request.id, ben)).id).to.equal(request.id);
    });

    it('ends once when both end it ten times concurrently', async () => {
      const request = await ask();
      await deliverNotices(domain);
      const ended = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          index % 2 === 0 ? requests.decline(request.id, ben) : requests.cancel(request.id, ann),
        ),
      );
      const refused = ended.filter(({ status }) => status === 'rejected');
      expect(refused).to.have.length(19);
      for (const each of refused) expect(each).to.have.nested.property('reason.code', 'not_found');
      expect(await deliverNotices(domain, [ann, ben])).to.have.length(1);
      expect(await refusal(requests.decline(request.id, ben))).to.equal(over);
      expect(await refusal(requests.cancel(request.id, ann))).to.equal(over);
      expect(await refusal(requests.requireOpen(request.id, ben))).to.equal(over);
      expect(await deliverNotices(domain, [ann, ben])).to.be.empty;
    });

    it('expires by the database’s clock', async () => {
      const request = await ask();
      await age(request, 14 * dayMs - 5_000);
      await domain.chat.purge();
      expect(await requests.requireOpen(request.id, ben)).to.include({ id: request.id });
      await age(request, 5_000);
      await deliverNotices(domain);
      expect(await requests.list(ann)).to.be.empty;
      expect(await refusal(requests.requireOpen(request.id, ben))).to.equal(over);
      expect(await refusal(requests.decline(request.id, ben))).to.equal(over);
      expect(await refusal(requests.cancel(request.id, ann))).to.equal(over);
      const making = domain.chat.pushes.create(
        chatCaller(ben),
        { payload: 'tulip' },
        { requestId: request.id },
      );
      expect(await refusal(making)).to.equal(over);
      expect(await deliverNotices(domain, [ann, ben])).to.be.empty;
      await new Promise((resolve) => setTimeout(resolve, 2)); // so that its last millisecond has passed
      await domain.chat.purge();
      expect(await found(request)).to.include({ state: 'expired' });
      const told = [ann, ben].map(({ address }) => `${address} request_expired`).sort();
      expect(summarize(await deliverNotices(domain, [ann, ben]))).to.deep.equal(told);
      await age(request, 7 * dayMs);
      await domain.chat.purge();
      expect(await found(request)).to.equal(undefined);
    });

    it('ends once when no message can bring it to its provider, and its requester is told', async () => {
      const request = await ask();
      await deliverNotices(domain);
      for (const _ of [1, 2]) await requests.endUndelivered(request.id);
      expect(await found(request)).to.include({ state: 'undelivered' });
      expect(summarize(await deliverNotices(domain, [ann, ben]))).to.deep.equal([
        `${ann.address} undelivered`,
      ]);
      expect(await requests.list(ann)).to.be.empty;
    });

    it('cannot be reopened after it was cancelled', async () => {
      const request = await ask();
      await requests.cancel(request.id, ann);
      await service.database.transaction((transaction) => requests.reopen(request.id, transaction));
      expect(await found(request)).to.include({ state: 'cancelled' });
    });

    it('is found only by its exact id', async () => {
      const request = await ask();
      for (const id of ['', 'x', '0'.repeat(32), request.id.toUpperCase(), `${request.id}00`])
        expect(await refusal(requests.cancel(id, ann)), id).to.equal(over);
    });
  });

  describe('to several people', () => {
    let carl: ChatUser;

    beforeEach(() => {
      carl = newChatUser();
    });

    const askBoth = (input: object = {}) => requests.create(ann, [ben, carl], input);
    const told = async (people: ChatUser[]) => summarize(await deliverNotices(domain, people));

    it('asks each of them once, and is answered by each of them', async () => {
      const asked = await requests.create(ann, [ben, carl, { ...ben }], { reason: 'the VPN' });
      expect(asked.map(({ provider }) => provider)).to.eql([ben, carl]);
      for (const request of asked) expect(request).to.include({ reason: 'the VPN', state: 'open' });
      expect(await told([ann, ben, carl])).to.have.members(
        [ben, carl].map(({ address }) => `${address} requested`),
      );
      const [bens, carls] = asked as [SecretRequest, SecretRequest];
      await domain.chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: bens.id });
      expect(await found(carls)).to.include({ state: 'open' });
      await requests.decline(carls.id, carl);
      expect(await told([ann])).to.have.members([`${ann.address} shared`, `${ann.address} declined`]);
      expect(await requests.list(ann)).to.be.empty;
    });

    it('asks all of them, or nobody', async () => {
      for (let batch = 0; batch < 6; batch++) await times(8, () => ask());
      await deliverNotices(domain);
      expect((await refusalOf(requests.create(ann, [ben, carl, newChatUser()], {}))).code).to.equal(
        'too_many',
      );
      expect(await told([ben, carl])).to.be.empty;
      expect(await askBoth()).to.have.length(2);
      const crowd = Array.from({ length: 26 }, () => newChatUser());
      for (const people of [[], crowd])
        expect((await refusalOf(requests.create(ben, people, {}))).problems).to.have.key('providers');
    });

    it('is cancelled for all who have not answered', async () => {
      const [bens, carls] = (await askBoth()) as [SecretRequest, SecretRequest];
      await requests.decline(bens.id, ben);
      await deliverNotices(domain);
      for (const id of [carls.id, bens.id.toUpperCase(), ''])
        expect(await refusal(requests.cancelAll(id, ann))).to.equal(over);
      expect(await refusal(requests.cancelAll(bens.groupId, ben))).to.equal(over);
      const cancelled = await requests.cancelAll(bens.groupId, ann);
      expect(cancelled.map(({ id, state }) => [id, state])).to.eql([[carls.id, 'cancelled']]);
      expect(await told([ann, ben, carl])).to.eql([`${carl.address} cancelled`]);
      expect(await refusal(requests.cancelAll(bens.groupId, ann))).to.equal(over);
    });

    it('tells its requester once who has not answered in time', async () => {
      const dora = newChatUser();
      const asked = await requests.create(ann, [ben, carl, dora], {});
      const [bens] = asked as [SecretRequest];
      await requests.decline(bens.id, ben); // the first, after which the group is named
      await deliverNotices(domain);
      for (const request of asked) await age(request, 15 * dayMs);
      for (const _ of [1, 2]) await requests.sweep();
      const notices = await deliverNotices(domain, [ann, ben, carl, dora]);
      expect(summarize(notices)).to.have.members(
        [ann, carl, dora].map(({ address }) => `${address} request_expired`),
      );
      const hers = notices.find(({ address }) => address === ann.address);
      expect(hers?.notice).to.have.property('unanswered').that.deep.equals([carl, dora]);
    });
  });

  describe('with a due time', () => {
    const minuteMs = 60_000;

    it('expires then, after ten minutes at the earliest and fourteen days at the latest', async () => {
      for (const dueInMinutes of [10, 90, 14 * 24 * 60]) {
        const { createdAt, expiresAt } = await ask({ dueInMinutes });
        expect(expiresAt - createdAt).to.equal(dueInMinutes * minuteMs);
      }
      for (const dueInMinutes of [9, 14 * 24 * 60 + 1])
        expect((await refusalOf(ask({ dueInMinutes }))).messageCode).to.equal('requestDueOutOfRange');
      for (const dueInMinutes of ['ten', 10.5, Number.NaN, 1e300])
        expect((await refusalOf(ask({ dueInMinutes }))).code, String(dueInMinutes)).to.equal('invalid');
    });

    const setReminder = ({ id }: SecretRequest, at: number) =>
      service.database.execute('UPDATE requests SET due_at = $at WHERE id = $id', {
        at,
        id: Buffer.from(id, 'hex'),
      });

    it('reminds its provider once, a day before or after three quarters of the time', async () => {
      for (const [dueInMinutes, leadMinutes] of [
        [60, 15],
        [7 * 24 * 60, 24 * 60],
      ] as const) {
        const request = await ask({ dueInMinutes });
        const [row] = await service.database.select<{ dueAt: number }>(
          'SELECT due_at AS dueAt FROM requests WHERE id = $id',
          { id: Buffer.from(request.id, 'hex') },
        );
        expect(request.expiresAt - Number(row?.dueAt)).to.equal(leadMinutes * minuteMs);
      }
      await deliverNotices(domain);
      await requests.sweep();
      expect(await deliverNotices(domain, [ben])).to.be.empty;
      const request = await ask();
      await setReminder(request, (await domain.clock()) - 1);
      for (const _ of [1, 2]) await requests.sweep();
      const all = await deliverNotices(domain, [ann, ben]);
      expect(summarize(all)).to.eql([`${ben.address} request_reminder`, `${ben.address} requested`]);
      await requests.sweep();
      expect(await deliverNotices(domain, [ann, ben])).to.be.empty;
    });

    it('reminds nobody who has answered, and of nothing that has ended', async () => {
      const [declined, cancelled, provided, late] = [await ask(), await ask(), await ask(), await ask()];
      await requests.decline(declined.id, ben);
      await requests.cancel(cancelled.id, ann);
      await domain.chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: provided.id });
      await age(late, 15 * dayMs);
      await service.database.execute('UPDATE requests SET due_at = 1 WHERE due_at IS NOT NULL', {});
      await deliverNotices(domain);
      await requests.sweep();
      expect(summarize(await deliverNotices(domain, [ben]))).to.eql([`${ben.address} request_expired`]);
    });
  });

  describe('of an account', () => {
    const connect = async (chatUser: ChatUser, name: string) => connectChat(domain, chatUser, { name });

    it('is listed for provider and requester, with the name of the other', async () => {
      const [anns, bens] = [await connect(ann, '@ann'), await domain.chat.identities.accountOf(ben)];
      const request = await ask();
      await ask({ reason: null });
      expect(await requests.listFor({ account: bens })).to.have.property('sent').that.is.empty;
      const { received } = await requests.listFor({ account: bens });
      expect(received).to.have.length(2);
      expect(received.find(({ id }) => id === request.id)).to.deep.equal({ ...request, otherName: '@ann' });
      const { received: none, sent } = await requests.listFor({ account: anns });
      expect(none).to.be.empty;
      expect(sent.map(({ otherName }) => otherName)).to.deep.equal([null, null]);
      await connect(ben, '@ben');
      expect((await requests.listFor({ account: anns })).sent[0]?.otherName).to.equal('@ben');
    });

    it('is listed from all chats of the account, and from no other account', async () => {
      const [elsewhere, stranger] = [newChatUser('T2'), newChatUser()];
      const account = await domain.chat.identities.accountOf(ann);
      await domain.chat.identities.accountOf(stranger);
      await domain.chat.identities.link(elsewhere, account);
      const mine = [await askFor(domain, ann, ben), await askFor(domain, elsewhere, ben)];
      await requests.create(stranger, [ben], {});
      const { sent } = await requests.listFor({ account });
      expect(sent.map(({ id }) => id)).to.have.members(mine.map(({ id }) => id));
      expect(
        (await requests.listFor({ account: await domain.chat.identities.accountOf(ben) })).received,
      ).to.have.length(3);
    });

    it('is listed for the provider while it is open, and for the requester until it expires', async () => {
      const [anns, bens] = [
        await domain.chat.identities.accountOf(ann),
        await domain.chat.identities.accountOf(ben),
      ];
      const [declined, cancelled, provided, late] = [await ask(), await ask(), await ask(), await ask()];
      await requests.decline(declined.id, ben);
      await requests.cancel(cancelled.id, ann);
      await domain.chat.pushes.create(chatCaller(ben), { payload: 'tulip' }, { requestId: provided.id });
      await age(late, 15 * dayMs);
      expect((await requests.listFor({ account: bens })).received).to.be.empty;
      const states = Object.fromEntries(
        (await requests.listFor({ account: anns })).sent.map(({ id, state }) => [id, state]),
      );
      expect(states).to.include({
        [declined.id]: 'declined',
        [cancelled.id]: 'cancelled',
        [provided.id]: 'provided',
      });
    });

    it('is listed among the newest fifty of its kind', async () => {
      const [anns, bens] = [
        await domain.chat.identities.accountOf(ann),
        await domain.chat.identities.accountOf(ben),
      ];
      const oldest = await ask();
      await new Promise((resolve) => setTimeout(resolve, 2));
      for (let batch = 0; batch < 5; batch++) {
        const created = await times(10, () => ask());
        if (batch < 2) for (const { id } of created) await requests.cancel(id, ann);
      }
      await times(20, () => requests.create(newChatUser(), [ben], {}));
      const { sent } = await requests.listFor({ account: anns });
      expect(sent).to.have.length(50);
      expect(sent.map(({ id }) => id)).to.not.include(oldest.id);
      expect((await requests.listFor({ account: bens })).received).to.have.length(50);
    });

    it('can be answered only by the account’s own chat users', async () => {
      const [anns, bens] = [
        await domain.chat.identities.accountOf(ann),
        await domain.chat.identities.accountOf(ben),
      ];
      const { id } = await ask();
      expect(await requests.chatUserFor(bens, id, 'provider')).to.deep.equal(ben);
      expect(await requests.chatUserFor(anns, id, 'requester')).to.deep.equal(ann);
      const stranger = await domain.chat.identities.accountOf(newChatUser());
      for (const [account, part] of [
        [anns, 'provider'],
        [bens, 'requester'],
        [stranger, 'provider'],
        [stranger, 'requester'],
      ] as const)
        expect(await refusal(requests.chatUserFor(account, id, part))).to.equal(over);
      for (const odd of ['', 'x', '0'.repeat(32), id.toUpperCase()])
        expect(await refusal(requests.chatUserFor(bens, odd, 'provider')), odd).to.equal(over);
      await requests.cancel(id, ann);
      expect(await refusal(requests.chatUserFor(bens, id, 'provider'))).to.equal(over);
    });

    it('is answered by a link whose push reaches the requester by the rules of the workspace', async () => {
      const bens = await domain.chat.identities.accountOf(ben);
      const { id } = await ask();
      const other = await domain.chat.identities.accountOf(newChatUser());
      expect(await refusal(domain.chat.createProvideLink(other, id))).to.equal(over);
      const token = await domain.chat.createProvideLink(bens, id);
      const { context } = await domain.chat.previewCompose(token);
      expect(context).to.deep.equal({ chatUser: ben, workspace: 'T1', requestId: id });
      await deliverNotices(domain);
      await domain.chat.compose(token, { payload: 'tulip' });
      expect(summarize(await deliverNotices(domain, [ann, ben]))).to.deep.equal(
        [`${ann.address} shared`, `${ben.address} composed`].sort(),
      );
      expect(await refusal(domain.chat.createProvideLink(bens, id))).to.equal(over);
    });
  });

  describe('with waiting notices', () => {
    it('appears in them as it is at delivery', async () => {
      const request = await ask();
      await requests.cancel(request.id, ann);
      const all = await deliverNotices(domain, [ben]);
      expect(summarize(all)).to.deep.equal([`${ben.address} cancelled`, `${ben.address} requested`].sort());
      for (const { notice } of all) expect(notice).to.have.nested.property('request.state', 'cancelled');
    });

    it('drops them once it is purged', async () => {
      const request = await ask();
      await age(request, 22 * dayMs);
      await domain.chat.purge();
      expect(await deliverNotices(domain, [ben])).to.be.empty;
      const id = Buffer.from(request.id, 'hex');
      expect(await countRows(service, 'notices', 'request_id = $id', { id })).to.equal(0);
    });

    it('retries them when the messenger fails', async () => {
      const request = await ask();
      let tries = 0;
      const answer = (): Delivery => {
        tries += 1;
        return tries === 1 ? { outcome: 'later', reason: 'busy', afterMs: 1 } : { outcome: 'sent' };
      };
      const all = await deliverNotices(domain, [ben], answer);
      await new Promise((resolve) => setTimeout(resolve, 5)); // by then it may or may not be due again
      all.push(...(await deliverNotices(domain, [ben], answer)));
      expect(all.map(({ notice }) => notice.attempt)).to.deep.equal([1, 2]);
      for (const { notice } of all) expect(notice).to.deep.include({ event: 'requested', request });
    });
  });
});

import { expect } from 'chai';
import type { Account, ChatUser, Domain, Push } from '../../../src/domain/index.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import {
  askFor,
  chatCaller,
  countRows,
  deliverNotices,
  newChatUser,
  setRules,
  summarize,
} from '../../harness/chat.ts';
import { anonymous, refusal, someClient, startService, type TestService } from '../../harness/service.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rules = { requireRecipients: false, allowSlashText: true };
const unknown = 'not_found: There is no such push.';

describe('A push in its owner’s chat', () => {
  let service: TestService;
  let domain: Domain;
  let pushes: Domain['pushes'];
  let chatUser: ChatUser;
  let account: Account;
  let other: Account;

  before(async () => {
    service = await startService({ MAX_EXPIRE_AFTER_DAYS: '30' });
    ({ domain } = service);
    ({ pushes } = domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    chatUser = newChatUser();
    account = await domain.chat.identities.accountOf(chatUser);
    other = await domain.chat.identities.accountOf(newChatUser());
    await deliverNotices(domain);
  });

  const newPush = (input: object = {}): Promise<Push> =>
    pushes.create({ payload: 'tulip', ...input }, { account, client: someClient });
  const mine = () => ({ account, client: someClient });
  const oddIds = ['', 'x', '0'.repeat(32), "' OR '1'='1"];

  describe('looked up by its id', () => {
    it('is found by its owner only', async () => {
      const { id, urlToken } = await newPush();
      expect(await pushes.requireUrlToken(account, id)).to.equal(urlToken);
      expect(await refusal(pushes.requireUrlToken(other, id))).to.equal(unknown);
      for (const odd of [...oddIds, id.toUpperCase(), `${id} `, urlToken])
        expect(await refusal(pushes.requireUrlToken(account, odd)), odd).to.equal(unknown);
    });

    it('is not found when it is anonymous', async () => {
      const { id } = await pushes.create({ payload: 'tulip' }, anonymous);
      expect(await refusal(pushes.requireUrlToken(account, id))).to.equal(unknown);
    });

    it('is found after its end too', async () => {
      const { id, urlToken } = await newPush();
      await pushes.expire(urlToken, mine());
      expect(await pushes.requireUrlToken(account, id)).to.equal(urlToken);
    });
  });

  describe('when it is shared', () => {
    it('sends its link, with its remaining time and views', async () => {
      const [ann, ben] = [newChatUser(), newChatUser()];
      const push = await newPush({ notify: { viewed: 'none' }, name: 'VPN' });
      await pushes.reveal(push.urlToken, undefined, anonymous);
      let woken = 0;
      domain.notices.onWritten(() => {
        woken += 1;
      });
      await pushes.share(account, push.id, [ann, ben]);
      expect(woken).to.equal(1);
      const all = await deliverNotices(domain);
      expect(summarize(all)).to.deep.equal([`${ann.address} shared`, `${ben.address} shared`].sort());
      for (const { notice } of all)
        expect(notice).to.have.property('push').that.includes({
          id: push.id,
          urlToken: push.urlToken,
          viewsUsed: 1,
          viewsMax: 5,
          name: null,
        });
    });

    it('notifies each recipient once while the notice waits, and again after that', async () => {
      const ann = newChatUser();
      const { id } = await newPush();
      await pushes.share(account, id, [ann, ann]);
      await pushes.share(account, id, [ann]);
      const [first, ...more] = await deliverNotices(domain);
      expect(first?.notice).to.include({ event: 'shared', times: 1 });
      expect(more).to.be.empty;
      await pushes.share(account, id, [ann]);
      expect(await deliverNotices(domain)).to.have.length(1);
    });

    it('sends one notice even if it is shared ten times concurrently', async () => {
      const ann = newChatUser();
      const { id } = await newPush();
      await times(10, () => pushes.share(account, id, [ann]));
      expect(await deliverNotices(domain)).to.have.length(1);
    });

    it('must be live and belong to the caller', async () => {
      const ann = newChatUser();
      const { id, urlToken } = await newPush();
      expect(await refusal(pushes.share(other, id, [ann]))).to.equal(unknown);
      for (const odd of oddIds)
        expect(await refusal(pushes.share(account, odd, [ann])), odd).to.equal(unknown);
      const channel = { platform: 'slack', address: 'T1:C1' } as const;
      expect((await pushes.shareInChannel(mine(), id, channel)).id).to.equal(id);
      await expirePushIn(service, urlToken, 0);
      expect(await refusal(pushes.shareInChannel(mine(), id, channel))).to.equal(unknown);
      expect(await refusal(pushes.share(account, id, [ann]))).to.equal(unknown);
      expect(await deliverNotices(domain)).to.be.empty;
    });
  });

  describe('when it is withdrawn', () => {
    it('is removed completely', async () => {
      const { id, urlToken } = await newPush();
      await pushes.reveal(urlToken, undefined, anonymous);
      await pushes.share(account, id, [newChatUser()]);
      const push = Buffer.from(id, 'hex');
      expect(await countRows(service, 'notices', 'push_id = $push', { push })).to.equal(2);
      await pushes.withdraw(account, id);
      expect(await countRows(service, 'pushes', 'id = $push', { push })).to.equal(0);
      for (const table of ['notices', 'audit_rows'])
        expect(await countRows(service, table, 'push_id = $push', { push }), table).to.equal(0);
      expect(await deliverNotices(domain)).to.be.empty;
      expect(await refusal(pushes.reveal(urlToken, undefined, anonymous))).to.equal(unknown);
      await pushes.withdraw(account, id);
    });

    it('must belong to the caller, and is ignored when it is unknown', async () => {
      const { id, urlToken } = await newPush();
      await pushes.reveal(urlToken, undefined, anonymous);
      let undone = 0;
      const inTransaction = async () => {
        undone += 1;
      };
      await pushes.withdraw(other, id, inTransaction);
      for (const odd of oddIds) await pushes.withdraw(account, odd, inTransaction);
      expect(undone).to.equal(0);
      expect(await pushes.auditLog(urlToken, 1, mine())).to.have.length(2);
      expect(await deliverNotices(domain)).to.have.length(1);
      await pushes.withdraw(account, id, inTransaction);
      expect(undone).to.equal(1);
    });
  });

  describe('when it is extended', () => {
    const dueIn = async ({ id }: Push) => {
      const [row] = await service.database.select<{ ms: number }>(
        'SELECT expires_at - due_at AS ms FROM pushes WHERE id = $id',
        { id: Buffer.from(id, 'hex') },
      );
      return row?.ms;
    };

    const backdate = ({ id }: Push, ms: number) =>
      service.database.execute('UPDATE pushes SET created_at = created_at - $ms WHERE id = $id', {
        ms,
        id: Buffer.from(id, 'hex'),
      });

    it('gets the lifetime that it was created with once each time, however often', async () => {
      const push = await newPush({ expireAfterDays: 3 });
      const before = await domain.clock();
      const extended = await pushes.extend(push.urlToken, mine());
      expect(extended.expiresAt).to.equal(push.expiresAt + 3 * dayMs);
      expect(extended).to.include({ createdAt: push.createdAt, viewsUsed: 0, expiredOn: null });
      expect(extended.updatedAt).to.be.within(before, await domain.clock());
      expect((await pushes.preview(push.urlToken, mine())).expiresAt).to.equal(extended.expiresAt);
      const hour = await newPush({ expireAfterHours: 1 });
      for (const times of [1, 2, 3]) {
        const { expiresAt, extendedMs } = await pushes.extend(hour.urlToken, mine());
        expect([expiresAt - hour.expiresAt, extendedMs]).to.eql([times * hourMs, hourMs]);
      }
    });

    it('lives no longer than the rules of its workspace allow, in all', async () => {
      await setRules(domain, 'slack', 'T1', { ...rules, maxDays: 3 });
      const push = await domain.chat.pushes.create(chatCaller(chatUser), {
        payload: 'tulip',
        expireAfterDays: 2,
      });
      await setRules(domain, 'slack', 'T1', rules);
      const [first, second] = [
        await pushes.extend(push.urlToken, mine()),
        await pushes.extend(push.urlToken, mine()),
      ];
      expect(first.expiresAt).to.equal(push.createdAt + 3 * dayMs);
      expect(first).to.include({ extendedMs: dayMs, extensionMs: 0 });
      expect(second).to.include({ expiresAt: first.expiresAt, extendedMs: 0 });
      const later = (days: number) => pushes.setExpiry(push.urlToken, { minutes: days * 24 * 60 }, mine());
      expect(await refusal(later(4))).to.match(/^conflict: The workspace of this link/);
    });

    it('lives no longer than the service allows, counted from its creation, by whatever door and order', async () => {
      const longest = 30 * dayMs;
      const push = await newPush({ expireAfterDays: 20 });
      await backdate(push, 5 * dayMs);
      const end = push.createdAt - 5 * dayMs + longest;
      const set = (minutes: number) => pushes.setExpiry(push.urlToken, { minutes }, mine());
      const sentence = 'conflict: No link lives longer than 30 days here, counted from when it was created.';
      expect(await refusal(set(30 * 24 * 60))).to.equal(sentence);
      expect(await refusal(set(25 * 24 * 60 + 1))).to.equal(sentence);
      expect((await set(20 * 24 * 60)).expiresAt).to.be.below(end);
      const { expiresAt, extendedMs } = await pushes.extend(push.urlToken, mine());
      expect(expiresAt).to.equal(end);
      expect(extendedMs).to.be.below(20 * dayMs);
      expect(await pushes.extend(push.urlToken, mine())).to.include({ expiresAt: end, extendedMs: 0 });
      expect(await pushes.extendAll([{ id: push.id, expiresAt: end }], mine())).to.equal(0);
      expect(await refusal(set(26 * 24 * 60))).to.equal(sentence);
      expect((await pushes.preview(push.urlToken, mine())).expiresAt).to.equal(end);
    });

    it('lives no longer than the service allows when it is extended several times at once', async () => {
      const push = await newPush({ expireAfterDays: 20 });
      await Promise.all([1, 2, 3, 4, 5].map(() => pushes.extend(push.urlToken, mine())));
      expect((await pushes.preview(push.urlToken, mine())).expiresAt).to.equal(push.createdAt + 30 * dayMs);
    });

    it('lives no longer than the rules of its workspace allow when it is extended several times at once', async () => {
      await setRules(domain, 'slack', 'T1', { ...rules, maxDays: 25 });
      const push = await domain.chat.pushes.create(chatCaller(chatUser), {
        payload: 'tulip',
        expireAfterDays: 20,
      });
      await setRules(domain, 'slack', 'T1', rules);
      await Promise.all([1, 2, 3, 4, 5].map(() => pushes.extend(push.urlToken, mine())));
      expect((await pushes.preview(push.urlToken, mine())).expiresAt).to.equal(push.createdAt + 25 * dayMs);
    });

    it('lives no longer than the service allows, where the rules of its workspace allow more', async () => {
      await setRules(domain, 'slack', 'T1', { ...rules, maxDays: 30 });
      const input = { payload: 'tulip', expireAfterDays: 20 };
      const push = await domain.chat.pushes.create(chatCaller(chatUser), input);
      await setRules(domain, 'slack', 'T1', rules);
      await service.database.execute(
        'UPDATE pushes SET expires_at_max = expires_at_max + $dayMs WHERE id = $id',
        { dayMs, id: Buffer.from(push.id, 'hex') },
      );
      const extended = await pushes.extend(push.urlToken, mine());
      expect(extended).to.include({ expiresAt: push.createdAt + 30 * dayMs, extendedMs: 10 * dayMs });
    });

    it('keeps a lifetime that the service no longer allows', async () => {
      const push = await newPush({ expireAfterDays: 30 });
      await expirePushIn(service, push.urlToken, 40 * dayMs);
      const { expiresAt } = await pushes.preview(push.urlToken, mine());
      expect((await pushes.extend(push.urlToken, mine())).expiresAt).to.equal(expiresAt);
      expect(await pushes.auditLog(push.urlToken, 1, mine())).to.have.length(1);
    });

    it('records the extension in its audit log', async () => {
      const { urlToken } = await newPush();
      await pushes.extend(urlToken, mine());
      const log = await pushes.auditLog(urlToken, 1, mine());
      expect(log.map(({ kind }) => kind)).to.deep.equal(['creation', 'edit']);
    });

    it('gets a new reminder before its new end, if its owner wants one', async () => {
      const week = await newPush({ expireAfterDays: 7 });
      expect(await dueIn(week)).to.equal(dayMs);
      await expirePushIn(service, week.urlToken, 12 * hourMs);
      await domain.sweeps.remindUnread();
      await deliverNotices(domain);
      await pushes.extend(week.urlToken, mine());
      expect(await dueIn(week)).to.equal(dayMs);
      await domain.sweeps.remindUnread();
      expect(await deliverNotices(domain)).to.be.empty;
      const binds = { id: Buffer.from(week.id, 'hex') };
      const { now } = service.database.dialect;
      await service.database.execute(`UPDATE pushes SET due_at = ${now} WHERE id = $id`, binds);
      await domain.sweeps.remindUnread();
      expect(summarize(await deliverNotices(domain))).to.deep.equal([`${chatUser.address} about_to_expire`]);

      const hour = await newPush({ expireAfterHours: 1 });
      await pushes.extend(hour.urlToken, mine());
      expect(await dueIn(hour)).to.be.within(0.5 * hourMs - 100_000, 0.5 * hourMs);

      const quiet = await newPush({ notify: { reminder: false } });
      await pushes.extend(quiet.urlToken, mine());
      expect(await dueIn(quiet)).to.equal(0);
    });

    it('is erased later', async () => {
      const { urlToken, id } = await newPush({ expireAfterHours: 1 });
      await expirePushIn(service, urlToken, 1_000);
      await pushes.extend(urlToken, mine());
      const push = Buffer.from(id, 'hex');
      await service.database.execute(
        'UPDATE pushes SET expires_at = expires_at - $ms, due_at = due_at - $ms WHERE id = $push',
        {
          ms: 0.5 * hourMs,
          push,
        },
      );
      await domain.sweeps.expireDue();
      expect((await pushes.reveal(urlToken, undefined, anonymous)).payload).to.equal('tulip');
      await service.database.execute(
        'UPDATE pushes SET expires_at = expires_at - $ms, due_at = due_at - $ms WHERE id = $push',
        {
          ms: 2 * hourMs,
          push,
        },
      );
      await domain.sweeps.expireDue();
      expect(await countRows(service, 'pushes', 'id = $push AND payload IS NULL', { push })).to.equal(1);
    });

    it('must not have expired, by whatever limit', async () => {
      const [byTime, byViews, byHand] = [
        await newPush(),
        await newPush({ expireAfterViews: 1 }),
        await newPush(),
      ];
      await expirePushIn(service, byTime.urlToken, 0);
      await pushes.reveal(byViews.urlToken, undefined, anonymous);
      await pushes.expire(byHand.urlToken, mine());
      for (const { urlToken } of [byTime, byViews, byHand]) {
        const before = await pushes.preview(urlToken, mine());
        const { now: _, extendedMs, ...after } = await pushes.extend(urlToken, mine());
        expect(extendedMs).to.equal(0);
        expect({ ...before, now: 0 }).to.deep.equal({ ...after, now: 0 });
        expect(after.expiredOn).to.be.a('number');
        const kinds = (await pushes.auditLog(urlToken, 1, mine())).map(({ kind }) => kind);
        expect(kinds).to.not.contain('edit');
        expect((await pushes.reveal(urlToken, undefined, anonymous)).payload).to.equal(null);
      }
    });

    it('must belong to the caller', async () => {
      const { urlToken, expiresAt } = await newPush();
      for (const user of [other, null])
        expect(await refusal(pushes.extend(urlToken, { account: user, client: someClient }))).to.equal(
          "forbidden: That push doesn't belong to you.",
        );
      expect(await refusal(pushes.extend('0'.repeat(26), mine()))).to.equal(unknown);
      expect((await pushes.preview(urlToken, mine())).expiresAt).to.equal(expiresAt);
    });
  });

  it('is created once by the link of its form', async () => {
    const { token, save } = domain.chat.prepareComposeLink(chatCaller(chatUser));
    await save();
    await domain.chat.compose(token, { payload: 'tulip' });
    expect(await refusal(domain.chat.compose(token, { payload: 'rose' }))).to.match(/^not_found/);
  });

  it('notifies its owner and the owner’s webhook of events, and never sends its recipients to the webhook', async () => {
    const webhook = await domain.webhooks.create(account, { url: 'https://example.com/hook' });
    const [ann, ben] = [newChatUser(), newChatUser()];
    const { id: asked } = await askFor(domain, ann, chatUser, { reason: 'the VPN' });
    await domain.chat.requests.create(chatUser, [ben], {});
    const { token, save } = domain.chat.prepareComposeLink({
      ...chatCaller(chatUser),
      requestId: asked,
      recipients: [ben],
    });
    await save();
    const { push } = await domain.chat.compose(token, { payload: 'tulip' });
    for (const recipient of [ann, ben])
      await pushes.reveal(await pushes.openBound(push.id, recipient), undefined, anonymous);
    const all = await deliverNotices(domain);
    expect(summarize(all.filter(({ address }) => address === webhook.id))).to.deep.equal([
      `${webhook.id} expired_by_views`,
      `${webhook.id} viewed`,
    ]);
    expect(summarize(all.filter(({ address }) => address === ann.address))).to.deep.equal(
      ['shared', 'opened', 'ended'].map((event) => `${ann.address} ${event}`).sort(),
    );
    expect(all).to.have.length(2 + 2 + 5 + 3);
  });
});

import { expect } from 'chai';
import type { Domain, Owner, Push, Speaker } from '../../src/domain/index.ts';
import { endPushIn, times } from '../harness/api.ts';
import { asker, countOf, inShort, somebody, told } from '../harness/chat.ts';
import { anybody, refusal, someVisit, startService, type TestService } from '../harness/service.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const unknown = 'not_found: There is no such push.';

describe('the owner of a push', () => {
  let service: TestService;
  let domain: Domain;
  let pushes: Domain['pushes'];
  let speaker: Speaker;
  let owner: Owner;
  let other: Owner;

  before(async () => {
    service = await startService({ MAX_EXPIRE_AFTER_DAYS: '30' });
    ({ domain } = service);
    ({ pushes } = domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    speaker = somebody();
    owner = await domain.chat.identities.ownerOf(speaker);
    other = await domain.chat.identities.ownerOf(somebody());
    await told(domain);
  });

  const newPush = (input: object = {}): Promise<Push> =>
    pushes.create({ payload: 'tulip', ...input }, { owner, visit: someVisit });
  const mine = () => ({ owner, visit: someVisit });
  const oddIds = ['', 'x', '0'.repeat(32), "' OR '1'='1"];

  describe('finds its link', () => {
    it('by its id, and nobody else does', async () => {
      const { id, urlToken } = await newPush();
      expect(await pushes.tokenOf(owner, id)).to.equal(urlToken);
      expect(await refusal(pushes.tokenOf(other, id))).to.equal(unknown);
      for (const odd of [...oddIds, id.toUpperCase(), `${id} `, urlToken])
        expect(await refusal(pushes.tokenOf(owner, odd)), odd).to.equal(unknown);
    });

    it('but not that of an anonymous push, which nobody owns', async () => {
      const { id } = await pushes.create({ payload: 'tulip' }, anybody);
      expect(await refusal(pushes.tokenOf(owner, id))).to.equal(unknown);
    });

    it('after its end as well', async () => {
      const { id, urlToken } = await newPush();
      await pushes.expire(urlToken, mine());
      expect(await pushes.tokenOf(owner, id)).to.equal(urlToken);
    });
  });

  describe('hands it to more people', () => {
    const recipientOf = ({ address }: Speaker) => ({ messenger: 'slack', address });

    it('who get its link, with what is left of it', async () => {
      const [ann, ben] = [somebody(), somebody()];
      const push = await newPush({ notify: { viewed: 'none' }, name: 'VPN' });
      await pushes.reveal(push.urlToken, undefined, anybody);
      let woken = 0;
      domain.notices.whenWritten(() => {
        woken += 1;
      });
      await pushes.share(owner, push.id, [ann, ben].map(recipientOf));
      expect(woken).to.equal(1);
      const all = await told(domain);
      expect(inShort(all)).to.deep.equal([`${ann.address} shared`, `${ben.address} shared`].sort());
      for (const { notice } of all)
        expect(notice).to.have.property('push').that.includes({
          id: push.id,
          urlToken: push.urlToken,
          viewsUsed: 1,
          viewsMax: 5,
          name: null,
        });
    });

    it('each of them once while it waits, and again when they are handed it again', async () => {
      const ann = recipientOf(somebody());
      const { id } = await newPush();
      await pushes.share(owner, id, [ann, ann]);
      await pushes.share(owner, id, [ann]);
      const [first, ...more] = await told(domain);
      expect(first?.notice).to.include({ event: 'shared', times: 1 });
      expect(more).to.be.empty;
      await pushes.share(owner, id, [ann]);
      expect(await told(domain)).to.have.length(1);
    });

    it('once, though they do so ten times at once', async () => {
      const ann = recipientOf(somebody());
      const { id } = await newPush();
      await times(10, () => pushes.share(owner, id, [ann]));
      expect(await told(domain)).to.have.length(1);
    });

    it('while it lives, and nobody else can', async () => {
      const ann = recipientOf(somebody());
      const { id, urlToken } = await newPush();
      expect(await refusal(pushes.share(other, id, [ann]))).to.equal(unknown);
      for (const odd of oddIds) expect(await refusal(pushes.share(owner, odd, [ann])), odd).to.equal(unknown);
      await endPushIn(service, urlToken, 0);
      expect(await refusal(pushes.share(owner, id, [ann]))).to.equal(unknown);
      expect(await told(domain)).to.be.empty;
    });
  });

  describe('takes back one that was made in vain', () => {
    it('so that nothing of it is left', async () => {
      const { id, urlToken } = await newPush();
      await pushes.reveal(urlToken, undefined, anybody);
      await pushes.share(owner, id, [{ messenger: 'slack', address: somebody().address }]);
      const push = Buffer.from(id, 'hex');
      expect(await countOf(service, 'notices', 'push_id = $push', { push })).to.equal(2);
      await pushes.withdraw(owner, id);
      expect(await countOf(service, 'pushes', 'id = $push', { push })).to.equal(0);
      for (const table of ['notices', 'audit_rows'])
        expect(await countOf(service, table, 'push_id = $push', { push }), table).to.equal(0);
      expect(await told(domain)).to.be.empty;
      expect(await refusal(pushes.reveal(urlToken, undefined, anybody))).to.equal(unknown);
      await pushes.withdraw(owner, id);
    });

    it('and nobody else can, nor does one that is not there matter', async () => {
      const { id, urlToken } = await newPush();
      await pushes.reveal(urlToken, undefined, anybody);
      let undone = 0;
      const alongside = async () => {
        undone += 1;
      };
      await pushes.withdraw(other, id, alongside);
      for (const odd of oddIds) await pushes.withdraw(owner, odd, alongside);
      expect(undone).to.equal(0);
      expect(await pushes.auditLog(urlToken, 1, mine())).to.have.length(2);
      expect(await told(domain)).to.have.length(1);
      await pushes.withdraw(owner, id, alongside);
      expect(undone).to.equal(1);
    });
  });

  describe('gives it more time', () => {
    const dueIn = async ({ id }: Push) => {
      const [row] = await service.database.rows<{ ms: number }>(
        'SELECT expires_at - due_at AS ms FROM pushes WHERE id = $id',
        { id: Buffer.from(id, 'hex') },
      );
      return row?.ms;
    };

    it('as much again as it had', async () => {
      const push = await newPush({ expireAfterDays: 3 });
      const before = await domain.clock();
      const extended = await pushes.extend(push.urlToken, mine());
      expect(extended.expiresAt).to.equal(push.expiresAt + 3 * dayMs);
      expect(extended).to.include({ createdAt: push.createdAt, viewsUsed: 0, expiredOn: null });
      expect(extended.updatedAt).to.be.within(before, await domain.clock());
      expect((await pushes.peek(push.urlToken, mine())).expiresAt).to.equal(extended.expiresAt);
    });

    it('a day at least', async () => {
      const push = await newPush({ expireAfterHours: 1 });
      const { expiresAt } = await pushes.extend(push.urlToken, mine());
      expect(expiresAt).to.equal(push.expiresAt + dayMs);
    });

    it('never beyond what the service allows from now on, however often', async () => {
      const push = await newPush({ expireAfterDays: 20 });
      for (const _ of [1, 2, 3]) {
        const before = await domain.clock();
        const { expiresAt } = await pushes.extend(push.urlToken, mine());
        expect(expiresAt).to.be.within(before + 30 * dayMs, (await domain.clock()) + 30 * dayMs);
      }
    });

    it('and never less, though the service allows less by now', async () => {
      const push = await newPush({ expireAfterDays: 30 });
      await endPushIn(service, push.urlToken, 40 * dayMs);
      const { expiresAt } = await pushes.peek(push.urlToken, mine());
      expect((await pushes.extend(push.urlToken, mine())).expiresAt).to.equal(expiresAt);
      expect(await pushes.auditLog(push.urlToken, 1, mine())).to.have.length(1);
    });

    it('which its log tells', async () => {
      const { urlToken } = await newPush();
      await pushes.extend(urlToken, mine());
      const log = await pushes.auditLog(urlToken, 1, mine());
      expect(log.map(({ kind }) => kind)).to.deep.equal(['creation', 'edit']);
    });

    it('and is reminded anew before its new end, where they want that', async () => {
      const week = await newPush({ expireAfterDays: 7 });
      expect(await dueIn(week)).to.equal(dayMs);
      await endPushIn(service, week.urlToken, 12 * hourMs);
      await domain.sweeps.remindUnread();
      await told(domain);
      await pushes.extend(week.urlToken, mine());
      expect(await dueIn(week)).to.equal(dayMs);
      await domain.sweeps.remindUnread();
      expect(await told(domain)).to.be.empty;
      const binds = { id: Buffer.from(week.id, 'hex') };
      const { now } = service.database.dialect;
      await service.database.change(`UPDATE pushes SET due_at = ${now} WHERE id = $id`, binds);
      await domain.sweeps.remindUnread();
      expect(inShort(await told(domain))).to.deep.equal([`${speaker.address} about_to_expire`]);

      const hour = await newPush({ expireAfterHours: 1 });
      await pushes.extend(hour.urlToken, mine());
      expect(await dueIn(hour)).to.be.within(6.25 * hourMs - 5_000, 6.25 * hourMs);

      const quiet = await newPush({ notify: { reminder: false } });
      await pushes.extend(quiet.urlToken, mine());
      expect(await dueIn(quiet)).to.equal(0);
    });

    it('by which it is erased later', async () => {
      const { urlToken, id } = await newPush({ expireAfterHours: 1 });
      await endPushIn(service, urlToken, 1_000);
      await pushes.extend(urlToken, mine());
      const push = Buffer.from(id, 'hex');
      await service.database.change(
        'UPDATE pushes SET expires_at = expires_at - $ms, due_at = due_at - $ms WHERE id = $push',
        {
          ms: dayMs - hourMs,
          push,
        },
      );
      await domain.sweeps.expireDue();
      expect((await pushes.reveal(urlToken, undefined, anybody)).payload).to.equal('tulip');
      await service.database.change(
        'UPDATE pushes SET expires_at = expires_at - $ms, due_at = due_at - $ms WHERE id = $push',
        {
          ms: 2 * hourMs,
          push,
        },
      );
      await domain.sweeps.expireDue();
      expect(await countOf(service, 'pushes', 'id = $push AND payload IS NULL', { push })).to.equal(1);
    });

    it('but not once it has expired, by whatever limit', async () => {
      const [byTime, byViews, byHand] = [
        await newPush(),
        await newPush({ expireAfterViews: 1 }),
        await newPush(),
      ];
      await endPushIn(service, byTime.urlToken, 0);
      await pushes.reveal(byViews.urlToken, undefined, anybody);
      await pushes.expire(byHand.urlToken, mine());
      for (const { urlToken } of [byTime, byViews, byHand]) {
        const before = await pushes.peek(urlToken, mine());
        const { now: _, ...after } = await pushes.extend(urlToken, mine());
        expect({ ...before, now: 0 }).to.deep.equal({ ...after, now: 0 });
        expect(after.expiredOn).to.be.a('number');
        const kinds = (await pushes.auditLog(urlToken, 1, mine())).map(({ kind }) => kind);
        expect(kinds).to.not.contain('edit');
        expect((await pushes.reveal(urlToken, undefined, anybody)).payload).to.equal(null);
      }
    });

    it('and nobody else can', async () => {
      const { urlToken, expiresAt } = await newPush();
      for (const who of [other, null])
        expect(await refusal(pushes.extend(urlToken, { owner: who, visit: someVisit }))).to.equal(
          "forbidden: That push doesn't belong to you.",
        );
      expect(await refusal(pushes.extend('0'.repeat(26), mine()))).to.equal(unknown);
      expect((await pushes.peek(urlToken, mine())).expiresAt).to.equal(expiresAt);
    });
  });

  it('and a webhook of theirs are told of what happens to it, the webhook never of whom it is for', async () => {
    const webhook = await domain.webhooks.register(owner, { url: 'https://example.com/hook' });
    const [ann, ben] = [somebody(), somebody()];
    const { id: asked } = await domain.chat.requests.make(ann, speaker, { reason: 'the VPN' });
    await domain.chat.requests.make(speaker, ben, {});
    const { token, keep } = domain.chat.prepareComposing({ ...asker(speaker), answering: asked });
    await keep();
    const { push } = await domain.chat.compose(token, { payload: 'tulip', expireAfterViews: 1 });
    await pushes.share(owner, push.id, [{ messenger: 'slack', address: ben.address }]);
    await pushes.reveal(push.urlToken, undefined, anybody);
    const all = await told(domain);
    expect(inShort(all.filter(({ address }) => address === webhook.id))).to.deep.equal([
      `${webhook.id} expired_by_views`,
      `${webhook.id} viewed`,
    ]);
    expect(all).to.have.length(2 + 2 + 5);
  });
});

import { expect } from 'chai';
import type { Owner } from '../../src/domain/index.ts';
import { endPushIn } from '../harness/api.ts';
import {
  anybody,
  makeAccount,
  refusalOf,
  someVisit,
  startService,
  type TestService,
} from '../harness/service.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

describe('what an owner may do with pushes', () => {
  let service: TestService;
  let ann: Owner;
  let bob: Owner;

  before(async () => {
    service = await startService();
    ann = (await makeAccount(service.domain, 'ann@example.com')).owner;
    bob = (await makeAccount(service.domain, 'bob@example.com')).owner;
  });
  after(() => service.stop());

  const as = (owner: Owner) => ({ owner, visit: someVisit });
  const make = (fields: object = {}, owner = ann) =>
    service.domain.pushes.create({ payload: 'tulip', ...fields }, as(owner));

  describe('more time', () => {
    it('is given from now on, and is on record', async () => {
      const { urlToken } = await make({ expireAfterDays: 1 });
      const push = await service.domain.pushes.endLater(urlToken, { minutes: 3 * dayMinutes }, as(ann));
      expect(push.expiresAt - push.now).to.be.within(
        3 * dayMinutes * minuteMs - 5_000,
        3 * dayMinutes * minuteMs,
      );
      const log = await service.domain.pushes.auditLog(urlToken, 1, as(ann));
      expect(log.map(({ kind }) => kind)).to.deep.equal(['creation', 'edit']);
    });

    it('is kept: the push is neither erased nor refused at its former end', async () => {
      const { urlToken } = await make();
      await endPushIn(service, urlToken, 60_000);
      await service.domain.pushes.endLater(urlToken, { minutes: 10 }, as(ann));
      await service.database.change(
        'UPDATE pushes SET created_at = created_at - 120000, expires_at = expires_at - 120000, due_at = due_at - 120000',
        {},
      );
      await service.domain.sweeps.expireDue();
      expect((await service.domain.pushes.reveal(urlToken, undefined, anybody)).payload).to.equal('tulip');
    });

    it('is no less time', async () => {
      const { urlToken } = await make({ expireAfterDays: 5 });
      expect(
        (await refusalOf(service.domain.pushes.endLater(urlToken, { minutes: dayMinutes }, as(ann)))).code,
      ).to.equal('conflict');
    });

    it('is no more than a new push could have', async () => {
      const { urlToken } = await make();
      for (const minutes of [0, -1, 90 * dayMinutes + 1, 1.5, Number.NaN, 'x']) {
        const { fields } = await refusalOf(service.domain.pushes.endLater(urlToken, { minutes }, as(ann)));
        expect(fields, String(minutes)).to.have.property('minutes');
      }
    });

    it('is for no push that has ended', async () => {
      const { urlToken } = await make();
      await service.domain.pushes.expire(urlToken, as(ann));
      expect(
        (await refusalOf(service.domain.pushes.endLater(urlToken, { minutes: 10 * dayMinutes }, as(ann))))
          .code,
      ).to.equal('conflict');
    });

    it('is for nobody else to give', async () => {
      const { urlToken } = await make();
      for (const asking of [as(bob), anybody])
        expect(
          (await refusalOf(service.domain.pushes.endLater(urlToken, { minutes: 10 * dayMinutes }, asking)))
            .code,
        ).to.equal('forbidden');
    });
  });

  describe('a search', () => {
    it('finds by name, note and link, whatever the case, and nothing of others', async () => {
      const owner = (await makeAccount(service.domain, 'carol@example.com')).owner;
      const named = await make({ name: 'VPN für Bob' }, owner);
      const noted = await make({ note: 'the printer' }, owner);
      await make({ name: 'VPN' }, bob);
      const found = async (words: string) =>
        (await service.domain.pushes.search(owner, 'active', words, 1)).map(({ urlToken }) => urlToken);
      expect(await found('vpn FU\u0308R')).to.deep.equal([named.urlToken]);
      expect(await found('Printer')).to.deep.equal([noted.urlToken]);
      expect(await found(named.urlToken.slice(3, 20))).to.deep.equal([named.urlToken]);
      expect(await found('tulip')).to.deep.equal([]);
      expect(await service.domain.pushes.search(owner, 'expired', 'vpn', 1)).to.deep.equal([]);
    });

    it('gives pages of fifty, the newest first', async () => {
      const owner = (await makeAccount(service.domain, 'dan@example.com')).owner;
      for (let i = 0; i < 60; i++) await make({ name: `${i % 2 ? 'odd' : 'even'} ${i}` }, owner);
      for (let i = 60; i < 120; i++) await make({ name: `odd ${i}` }, owner);
      const names = async (page: number) =>
        (await service.domain.pushes.search(owner, 'active', 'odd', page)).map(({ name }) => name);
      expect(await names(1))
        .to.have.lengthOf(50)
        .and.include('odd 119');
      expect(await names(2))
        .to.have.lengthOf(40)
        .and.include('odd 1');
      expect(await names(3)).to.deep.equal([]);
    });
  });

  it('is hidden from others, as if the push did not exist', async () => {
    const { urlToken } = await make({ name: 'rose' });
    expect((await service.domain.pushes.peekOwn(urlToken, as(ann))).name).to.equal('rose');
    for (const asking of [as(bob), anybody])
      expect((await refusalOf(service.domain.pushes.peekOwn(urlToken, asking))).code).to.equal('not_found');
  });
});

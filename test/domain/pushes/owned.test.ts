import { expect } from 'chai';
import type { Account } from '../../../src/domain/index.ts';
import { expirePushIn } from '../../harness/api.ts';
import { refusalOf } from '../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

const minuteMs = 60_000;
const dayMinutes = 1_440;

describe('An owned push', () => {
  let service: TestService;
  let ann: Account;
  let bob: Account;

  before(async () => {
    service = await startService();
    ann = (await createAccount(service.domain, 'ann@example.com')).account;
    bob = (await createAccount(service.domain, 'bob@example.com')).account;
  });
  after(() => service.stop());

  const as = (account: Account) => ({ account, client: someClient });
  const newPush = (fields: object = {}, account = ann) =>
    service.domain.pushes.create({ payload: 'tulip', ...fields }, as(account));

  describe('with a new expiry', () => {
    it('expires that much later from now on, and records the change', async () => {
      const { urlToken } = await newPush({ expireAfterDays: 1 });
      const push = await service.domain.pushes.setExpiry(urlToken, { minutes: 3 * dayMinutes }, as(ann));
      expect(push.expiresAt - push.now).to.be.within(
        3 * dayMinutes * minuteMs - 5_000,
        3 * dayMinutes * minuteMs,
      );
      const log = await service.domain.pushes.auditLog(urlToken, 1, as(ann));
      expect(log.map(({ kind }) => kind)).to.deep.equal(['creation', 'edit']);
    });

    it('is neither erased nor refused at its former end', async () => {
      const { urlToken } = await newPush();
      await expirePushIn(service, urlToken, 60_000);
      await service.domain.pushes.setExpiry(urlToken, { minutes: 10 }, as(ann));
      await service.database.execute(
        'UPDATE pushes SET created_at = created_at - 120000, expires_at = expires_at - 120000, due_at = due_at - 120000',
        {},
      );
      await service.domain.sweeps.expireDue();
      expect((await service.domain.pushes.reveal(urlToken, undefined, anonymous)).payload).to.equal('tulip');
    });

    it('cannot get less time', async () => {
      const { urlToken } = await newPush({ expireAfterDays: 5 });
      expect(
        (await refusalOf(service.domain.pushes.setExpiry(urlToken, { minutes: dayMinutes }, as(ann)))).code,
      ).to.equal('conflict');
    });

    it('cannot get more time than a new push', async () => {
      const { urlToken } = await newPush();
      for (const minutes of [0, -1, 90 * dayMinutes + 1, 1.5, Number.NaN, 'x']) {
        const { problems } = await refusalOf(service.domain.pushes.setExpiry(urlToken, { minutes }, as(ann)));
        expect(problems, String(minutes)).to.have.property('minutes');
      }
    });

    it('cannot get more time once it has ended', async () => {
      const { urlToken } = await newPush();
      await service.domain.pushes.expire(urlToken, as(ann));
      expect(
        (await refusalOf(service.domain.pushes.setExpiry(urlToken, { minutes: 10 * dayMinutes }, as(ann))))
          .code,
      ).to.equal('conflict');
    });

    it('cannot get more time from anybody but its owner', async () => {
      const { urlToken } = await newPush();
      for (const caller of [as(bob), anonymous])
        expect(
          (await refusalOf(service.domain.pushes.setExpiry(urlToken, { minutes: 10 * dayMinutes }, caller)))
            .code,
        ).to.equal('forbidden');
    });
  });

  describe('in a search', () => {
    it('is found by name, note and link, regardless of case, and only by its owner', async () => {
      const account = (await createAccount(service.domain, 'carol@example.com')).account;
      const named = await newPush({ name: 'VPN für Bob' }, account);
      const noted = await newPush({ note: 'the printer' }, account);
      await newPush({ name: 'VPN' }, bob);
      const found = async (words: string) =>
        (await service.domain.pushes.list({ account }, 'active', 1, { search: words })).map(
          ({ urlToken }) => urlToken,
        );
      expect(await found('vpn FU\u0308R')).to.deep.equal([named.urlToken]);
      expect(await found('Printer')).to.deep.equal([noted.urlToken]);
      expect(await found(named.urlToken.slice(3, 20))).to.deep.equal([named.urlToken]);
      expect(await found('tulip')).to.deep.equal([]);
      expect(await service.domain.pushes.list({ account }, 'expired', 1, { search: 'vpn' })).to.deep.equal(
        [],
      );
    });

    it('is listed in pages of fifty, newest first', async () => {
      const account = (await createAccount(service.domain, 'dan@example.com')).account;
      for (let i = 0; i < 60; i++) await newPush({ name: `${i % 2 ? 'odd' : 'even'} ${i}` }, account);
      for (let i = 60; i < 120; i++) await newPush({ name: `odd ${i}` }, account);
      const names = async (page: number) =>
        (await service.domain.pushes.list({ account }, 'active', page, { search: 'odd' })).map(
          ({ name }) => name,
        );
      expect(await names(1))
        .to.have.lengthOf(50)
        .and.include('odd 119');
      expect(await names(2))
        .to.have.lengthOf(40)
        .and.include('odd 1');
      expect(await names(3)).to.deep.equal([]);
    });
  });

  describe('among several', () => {
    const ids = (pushes: { id: string }[]) => pushes.map(({ id }) => id);

    it('is expired with them, unless it has ended or belongs to somebody else', async () => {
      const pushes = service.domain.pushes;
      const [live, more, ended, foreign] = await Promise.all([
        newPush(),
        newPush(),
        newPush(),
        newPush({}, bob),
      ]);
      await pushes.expire(ended.urlToken, as(ann));
      const unknown = ['x', '0'.repeat(32)].map((id) => ({ id, expiresAt: 0 }));
      const all = [live, more, ended, foreign, ...unknown];
      expect(ids(await pushes.listLive(ann, ids(all)))).to.have.members(ids([live, more]));
      expect(await pushes.expireAll(all, as(ann))).to.equal(2);
      expect(await pushes.expireAll(all, as(ann))).to.equal(0);
      expect((await pushes.preview(live.urlToken, anonymous)).deleted).to.equal(true);
      expect((await pushes.preview(foreign.urlToken, anonymous)).expiredOn).to.equal(null);
      const log = await pushes.auditLog(live.urlToken, 1, as(ann));
      expect(log.map(({ kind }) => kind)).to.deep.equal(['creation', 'expire']);
    });

    it('is extended with them by its own lifetime, once, unless it lives as long as it may', async () => {
      const pushes = service.domain.pushes;
      const [short, long, longest] = await Promise.all(
        [1, 3, 90].map((expireAfterDays) => newPush({ expireAfterDays })),
      );
      if (!short || !long || !longest) throw new Error('there is no push');
      const chosen = [short, long, longest];
      const twice = await Promise.all([1, 2].map(() => pushes.extendAll(chosen, as(ann))));
      expect(
        twice.reduce((sum, each) => sum + each),
        'sent twice at once',
      ).to.equal(2);
      expect(await pushes.extendAll(chosen, as(ann)), 'sent again').to.equal(0);
      for (const push of [short, long]) {
        const { expiresAt, createdAt } = await pushes.preview(push.urlToken, anonymous);
        expect(expiresAt - createdAt).to.equal(2 * (push.expiresAt - push.createdAt));
      }
      expect(await pushes.extendAll([await pushes.preview(short.urlToken, anonymous)], as(bob))).to.equal(0);
    });
  });

  it('shows its name and note to its owner alone', async () => {
    const { urlToken } = await newPush({ name: 'garden', note: 'fence' });
    const { pushes } = service.domain;
    expect(await pushes.preview(urlToken, as(ann))).to.include({ name: 'garden', note: 'fence' });
    for (const caller of [as(bob), anonymous]) {
      expect(await pushes.preview(urlToken, caller)).to.include({ name: null, note: null });
      const { push } = await pushes.reveal(urlToken, undefined, caller);
      expect(push).to.include({ name: null, note: null });
    }
  });

  it('is hidden from others as if it did not exist', async () => {
    const { urlToken } = await newPush({ name: 'rose' });
    expect((await service.domain.pushes.previewOwned(urlToken, as(ann))).name).to.equal('rose');
    for (const caller of [as(bob), anonymous])
      expect((await refusalOf(service.domain.pushes.previewOwned(urlToken, caller))).code).to.equal(
        'not_found',
      );
  });
});

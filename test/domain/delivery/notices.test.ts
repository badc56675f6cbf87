import { createHash } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { connectDatabase } from '../../../src/database/database.ts';
import { noopObserver } from '../../../src/domain/base/dependencies.ts';
import {
  type Account,
  createDomain,
  type Delivery,
  type Domain,
  type Notice,
  type PushNotice,
} from '../../../src/domain/index.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import { createAccount, someClient, startService, type TestService } from '../../harness/service.ts';

const hourMs = 3_600_000;

type Received = { address: string; notice: PushNotice };

describe('Notices', () => {
  let service: TestService;
  let account: Account;
  let address: string;

  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  beforeEach(async () => {
    ({ account } = await createAccount(service.domain));
    address = `address of ${account.email}`;
    await service.database.execute('DELETE FROM notices', {});
    await listen(account, address);
  });

  const anonymousCaller = { account: null, client: someClient };

  async function listen({ id }: Account, at: string, messenger = 'pigeon'): Promise<void> {
    await service.database.execute(
      'INSERT INTO recipients (account_id, messenger, address) VALUES ($id, $messenger, $at)',
      { id, messenger, at },
    );
  }

  async function newPush(input: object = {}, owner: Account | null = account): Promise<string> {
    const fields = { payload: 'tulip', ...input };
    return (await service.domain.pushes.create(fields, { account: owner, client: someClient })).urlToken;
  }

  const view = (token: string, passphrase?: string) =>
    service.domain.pushes.reveal(token, passphrase, anonymousCaller);

  /** A messenger that records its notices and returns the given result. */
  function pigeon(
    respond: (received: Received) => Delivery | Promise<Delivery> = () => ({ outcome: 'sent' }),
  ) {
    const received: Received[] = [];
    return {
      received,
      events: () => received.map(({ notice }) => notice.event),
      messengers: {
        pigeon: {
          async deliver(to: string, notice: Notice): Promise<Delivery> {
            if (!('push' in notice)) throw new Error('that is about no push');
            received.push({ address: to, notice });
            return respond({ address: to, notice });
          },
        },
      },
    };
  }

  async function delivered(respond?: Parameters<typeof pigeon>[0], domain: Domain = service.domain) {
    const recorder = pigeon(respond);
    await domain.notices.deliverDue(recorder.messengers);
    return recorder;
  }

  type Row = {
    event: string;
    attempts: number;
    dueInMs: number | null;
    sentAt: number | null;
    problem: string | null;
  };

  const stored = () =>
    service.database.select<Row>(
      `SELECT event, attempts, due_at - ${service.database.dialect.now} AS dueInMs, sent_at AS sentAt, last_problem AS problem
       FROM notices ORDER BY created_at, event`,
      {},
    );

  const shift = (column: string, ms: number) =>
    service.database.execute(`UPDATE notices SET ${column} = ${column} + $ms`, { ms });

  describe('of the events of a push', () => {
    it('report every view, and the end that the last view brings', async () => {
      const token = await newPush({ expireAfterViews: 2, name: 'the garden' });
      await view(token);
      const first = await delivered();
      await view(token);
      const second = await delivered();

      const [{ notice, address: to }] = first.received as [Received];
      expect(to).to.equal(address);
      expect(notice).to.deep.include({ event: 'viewed', times: 1, attempt: 1 });
      expect(notice.push).to.include({
        urlTokenSha256: createHash('sha256').update(token).digest('hex'),
        name: 'the garden',
        kind: 'text',
        viewsMax: 2,
        viewsUsed: 1,
      });
      expect(second.events()).to.have.members(['viewed', 'expired_by_views']);
      for (const { notice } of second.received) expect(notice.push.viewsUsed).to.equal(2);
    });

    it('report an expiry once the sweep has erased the payload', async () => {
      const token = await newPush();
      await expirePushIn(service, token, -1);
      await service.domain.sweeps.expireDue();
      expect((await delivered()).events()).to.deep.equal(['expired_by_time']);
    });

    it('report a deletion once, and whether the owner did it', async () => {
      const token = await newPush();
      await times(3, () => service.domain.pushes.expire(token, anonymousCaller));
      expect((await delivered()).events()).to.deep.equal(['deleted']);
      const other = await newPush();
      await times(3, () => service.domain.pushes.expire(other, { account, client: someClient }));
      expect((await delivered()).events()).to.deep.equal(['burned']);
    });

    it('report a wrong passphrase, and a missing one', async () => {
      const token = await newPush({ passphrase: 'rose' });
      for (const wrong of ['tulip', undefined]) {
        await view(token, wrong).then(
          () => expect.fail('it opened'),
          () => {},
        );
      }
      const { received } = await delivered();
      expect(received.map(({ notice }) => [notice.event, notice.times])).to.deep.equal([
        ['failed_passphrase', 2],
      ]);
    });

    it('remind of the coming end if nobody has viewed the push', async () => {
      const [unseen, seen] = [await newPush(), await newPush({ notify: { viewed: 'none' } })];
      await view(seen);
      await service.database.execute(
        `UPDATE pushes SET due_at = ${service.database.dialect.now} WHERE account_id = $id`,
        {
          id: account.id,
        },
      );
      await service.domain.sweeps.remindUnread();
      await service.domain.sweeps.remindUnread();
      const { received } = await delivered();
      expect(received.map(({ notice }) => [notice.event, notice.times])).to.deep.equal([
        ['about_to_expire', 1],
      ]);
      expect(received[0]?.notice.push.urlTokenSha256).to.equal(
        createHash('sha256').update(unseen).digest('hex'),
      );
    });

    it('go to every recipient of the account, and to nobody for an anonymous push', async () => {
      await listen(account, `${address}, too`);
      await view(await newPush());
      await view(await newPush({}, null));
      const { received } = await delivered();
      expect(received.map((each) => each.address)).to.have.members([address, `${address}, too`]);
    });

    it('are rolled back together with their event', async () => {
      const token = await newPush();
      await service.database.execute('UPDATE pushes SET payload = $payload WHERE account_id = $id', {
        payload: Buffer.from('no record'),
        id: account.id,
      });
      await view(token).then(
        () => expect.fail('it opened'),
        () => {},
      );
      expect(await stored()).to.be.empty;
    });

    it('contain neither payload, passphrase nor note, and no row contains the url token', async () => {
      const secrets = { payload: 'the payload', passphrase: 'the passphrase', note: 'the note' };
      const token = await newPush(secrets);
      await view(token, secrets.passphrase);
      const rows = JSON.stringify(await service.database.select('SELECT * FROM notices', {}));
      const { received } = await delivered();
      for (const secret of [...Object.values(secrets), token]) {
        expect(rows).to.not.contain(secret);
      }
      for (const secret of Object.values(secrets)) expect(JSON.stringify(received)).to.not.contain(secret);
    });
  });

  describe('by the preferences of a push', () => {
    const events = async (notify: object) => {
      const token = await newPush({ notify, passphrase: 'rose', expireAfterViews: 3 });
      await view(token).then(
        () => expect.fail('it opened'),
        () => {},
      );
      for (const _ of [1, 2, 3]) {
        await view(token, 'rose');
        // a notice that is being delivered no longer collects events
        await service.database.execute('UPDATE notices SET is_open = NULL', {});
      }
      return (await delivered()).events().sort();
    };

    it('report every view, the first view or no view', async () => {
      const quiet = { expired: false, failedPassphrase: false, reminder: false };
      expect(await events({ ...quiet, viewed: 'every' })).to.deep.equal(['viewed', 'viewed', 'viewed']);
      expect(await events({ ...quiet, viewed: 'first' })).to.deep.equal(['viewed']);
      expect(await events({ ...quiet, viewed: 'none' })).to.be.empty;
    });

    it('report its end, and wrong passphrases', async () => {
      const quiet = { viewed: 'none', expired: false, failedPassphrase: false };
      expect(await events({ ...quiet, expired: true })).to.deep.equal(['expired_by_views']);
      expect(await events({ ...quiet, failedPassphrase: true })).to.deep.equal(['failed_passphrase']);
    });

    it('remind a day before the end, or a quarter of its lifetime before', async () => {
      const dueIn = async (input: object) => {
        const token = await newPush(input);
        const [row] = await service.database.select<{ ms: number }>(
          'SELECT expires_at - due_at AS ms FROM pushes WHERE account_id = $id ORDER BY id DESC LIMIT 1',
          { id: account.id },
        );
        expect(token).to.be.a('string');
        return Number(row?.ms);
      };
      expect(await dueIn({ expireAfterDays: 30 })).to.equal(24 * hourMs);
      expect(await dueIn({ expireAfterHours: 4 })).to.equal(hourMs);
      expect(await dueIn({ notify: { reminder: false } })).to.equal(0);
    });

    it('follow the preferences of its account where it has none', async () => {
      await service.domain.accounts.setNoticePreferences(account, { viewed: 'none', expired: false });
      account = await service.domain.accounts.find(account.email);
      expect(await events({})).to.deep.equal(['failed_passphrase']);
      expect(await events({ viewed: 'first' })).to.deep.equal(['failed_passphrase', 'viewed']);
    });
  });

  describe('during delivery', () => {
    it('are sent once each, however many processes deliver', async () => {
      const other = connectDatabase(service.databaseUrl, { poolSize: 5 });
      const second = createDomain({
        database: other,
        keyring: service.keyring,
        settings: domainSettings(readConfig({})),
      });
      const tokens = await times(60, () => newPush());
      await Promise.all(tokens.map((token) => view(token)));
      const recorders = [pigeon(), pigeon(), pigeon(), pigeon()];
      await Promise.all(
        recorders.map(({ messengers }, index) =>
          (index % 2 === 0 ? service.domain : second).notices.deliverDue(messengers),
        ),
      );
      const ids = recorders.flatMap(({ received }) => received.map(({ notice }) => notice.id));
      expect(ids).to.have.length(60);
      expect(new Set(ids).size).to.equal(60);
      expect((await stored()).every(({ sentAt, dueInMs }) => sentAt !== null && dueInMs === null)).to.equal(
        true,
      );
      await other.close();
    });

    it('reach an address in the order of the push’s events, on any number of processes', async () => {
      const token = await newPush({ expireAfterViews: 3 });
      const other = createDomain({
        database: service.database,
        keyring: service.keyring,
        settings: domainSettings(readConfig({})),
      });
      const arrived: string[] = [];
      const record = ({ notice: { event, push } }: Received): Delivery => {
        arrived.push(`${event} ${push.viewsUsed}`);
        return { outcome: 'sent' };
      };
      await view(token);
      await delivered(async (received) => {
        for (const _ of [2, 3]) {
          await view(token);
          await delivered(record, other); // meanwhile, as another process
        }
        return record(received);
      });
      await delivered(record, other);
      expect(arrived).to.eql(['viewed 1', 'viewed 3', 'expired_by_views 3']);
    });

    it('wake the delivery right after the commit', async () => {
      let wakeUps = 0;
      service.domain.notices.onWritten(() => {
        wakeUps += 1;
      });
      await view(await newPush());
      expect(wakeUps).to.equal(1);
      await view(await newPush({}, null));
      expect(wakeUps).to.equal(1);
      service.domain.notices.onWritten(() => {});
    });

    it('wake nobody before the commit, and nobody when it fails', async () => {
      const events: string[] = [];
      const end = service.domain.notices.onWritten(() => void events.push('woken'));
      const input = { payload: 'tulip', expireAfterViews: 1 };
      const { urlToken, id } = await service.domain.pushes.create(input, { account, client: someClient });
      const invite = (fails: boolean) =>
        service.database.transaction(async (tx) => {
          const people = [{ platform: 'slack' as const, address: `T1:U${events.length}` }];
          const options = { viewsPerRecipient: 1, isBound: true };
          await service.domain.pushes.invite(Buffer.from(id, 'hex'), people, options, tx);
          events.push('written');
          if (fails) throw new Error('tulip');
        });
      await invite(true).catch(() => {});
      await invite(false);
      end();
      expect(events).to.eql(['written', 'written', 'woken']);
      expect(urlToken).to.be.a('string');
    });

    it('of the same millisecond arrive with what caused the others first', async () => {
      await view(await newPush({ expireAfterViews: 1 }));
      await service.database.execute(
        "UPDATE notices SET created_at = 5, due_at = 1 WHERE event = 'viewed'",
        {},
      );
      await service.database.execute(
        "UPDATE notices SET created_at = 5, due_at = 9 WHERE event <> 'viewed'",
        {},
      );
      expect((await delivered()).events()).to.eql(['viewed', 'expired_by_views']);
    });

    it('are combined when they come in a burst', async () => {
      const token = await newPush({ expireAfterViews: 20 });
      await times(7, () => view(token));
      const { received } = await delivered();
      expect(received.map(({ notice }) => [notice.event, notice.times, notice.push.viewsUsed])).to.deep.equal(
        [['viewed', 7, 7]],
      );
      await view(token);
      expect((await delivered()).received[0]?.notice).to.include({ times: 1 });
    });

    it('are held for chats for ten seconds after one about the same event, but never the last view', async () => {
      await service.database.execute("UPDATE recipients SET messenger = 'slack' WHERE address = $address", {
        address,
      });
      const token = await newPush({ expireAfterViews: 4 });
      const waiting = async () =>
        (await stored()).flatMap(({ event, dueInMs }) => (dueInMs === null ? [] : [[event, dueInMs]]));
      const { pigeon: slack } = pigeon().messengers;
      await view(token);
      await service.domain.notices.deliverDue({ slack });
      await shift('sent_at', hourMs); // as if it had just been sent, however slow the machine is
      await view(token);
      await view(token);
      const [[event, dueInMs] = []] = await waiting();
      expect(await waiting()).to.have.length(1);
      expect(event).to.equal('viewed');
      expect(dueInMs).to.be.within(10_000, hourMs + 10_000);
      await view(token);
      for (const [, ms] of await waiting()) expect(ms).to.be.at.most(0);
    });

    it('are retried after failures, with growing delays and the same id', async () => {
      await view(await newPush());
      const ids = new Set<string>();
      const waits: { atLeast: number; atMost: number }[] = [];
      for (const attempt of [1, 2, 3, 4]) {
        // a new process each time, which does not know about the failures
        const domain = createDomain({
          database: service.database,
          keyring: service.keyring,
          settings: domainSettings(readConfig({})),
        });
        const before = await service.domain.clock();
        const { received } = await delivered(() => ({ outcome: 'later', reason: 'HTTP 500' }), domain);
        expect(received[0]?.notice.attempt).to.equal(attempt);
        ids.add(received[0]?.notice.id ?? '');
        const [row] = await stored();
        expect(row).to.include({ attempts: attempt, problem: 'HTTP 500', sentAt: null });
        const atLeast = Number(row?.dueInMs);
        waits.push({ atLeast, atMost: atLeast + (await service.domain.clock()) - before });
        await shift('due_at', -hourMs);
      }
      expect(ids.size).to.equal(1);
      for (const [index, { atLeast, atMost }] of waits.entries()) {
        expect(atMost).to.be.at.least(2_000 * 3 ** index);
        expect(atLeast).to.be.at.most(7_600 * 3 ** index);
      }
    });

    it('are retried after the delay that the receiver asked for', async () => {
      await view(await newPush());
      await delivered(() => ({ outcome: 'later', reason: 'HTTP 429', afterMs: 90_000 }));
      expect((await stored())[0]?.dueInMs).to.be.within(10_000, 90_000);
    });

    it('wait while their address is failing, without spending an attempt', async () => {
      await view(await newPush());
      await delivered(() => ({ outcome: 'later', reason: 'HTTP 429', afterMs: 60_000 }));
      await view(await newPush());
      const { received } = await delivered();
      expect(received).to.be.empty;
      const [, second] = await stored();
      expect(second).to.include({ attempts: 0, problem: null });
      expect(second?.dueInMs).to.be.within(10_000, 75_000);
    });

    it('go on for other pushes when some of them fail, and only those are tried again', async () => {
      const tokens = await times(60, () => newPush());
      await Promise.all(tokens.map((token) => view(token)));
      let tried = 0;
      const { received } = await delivered(() => {
        tried += 1;
        return tried % 12 === 0 ? { outcome: 'later', reason: 'HTTP 500' } : { outcome: 'sent' };
      });
      expect(received).to.have.length(60);
      const waiting = (await stored()).filter(({ sentAt }) => sentAt === null);
      expect(waiting).to.have.length(5);
      for (const row of waiting) {
        expect(row).to.include({ attempts: 1, problem: 'HTTP 500' });
        expect(row.dueInMs).to.be.at.most(8_000);
      }
      await shift('due_at', -hourMs);
      const again = await delivered();
      const failedIds = received.filter((_, index) => (index + 1) % 12 === 0).map(({ notice }) => notice.id);
      expect(again.received.map(({ notice }) => notice.id)).to.have.members(failedIds);
    });

    it('wait for a failed one of the same push, however many others go on', async () => {
      const [stuck, other] = [await newPush({ name: 'stuck' }), await newPush({ name: 'other' })];
      await view(stuck);
      await delivered(() => ({ outcome: 'later', reason: 'HTTP 500' }));
      await view(stuck, undefined);
      await service.domain.pushes.expire(stuck, { account, client: someClient });
      await view(other);
      const { received } = await delivered();
      expect(received.map(({ notice }) => notice.push.name)).to.deep.equal(['other']);
      await shift('due_at', -hourMs);
      const later = await delivered();
      expect(later.received.map(({ notice }) => [notice.event, notice.push.viewsUsed])).to.deep.equal([
        ['viewed', 1],
        ['viewed', 2],
        ['burned', 2],
      ]);
    });

    it('wait for a failed one of the same push that came in the same millisecond', async () => {
      const token = await newPush({ passphrase: 'rose' });
      await view(token, 'tulip').catch(() => {});
      await view(token, 'rose');
      await service.database.execute('UPDATE notices SET created_at = $at', { at: Date.now() - 1_000 });
      const { received } = await delivered(() => ({ outcome: 'later', reason: 'HTTP 500' }));
      expect(received).to.have.length(1);
      expect((await stored()).map(({ attempts }) => attempts)).to.have.members([0, 1]);
    });

    it('wait once five in a row have failed, without spending attempts, until one arrives', async () => {
      const tokens = await times(12, () => newPush());
      await Promise.all(tokens.map((token) => view(token)));
      const { received } = await delivered(() => ({ outcome: 'later', reason: 'HTTP 500' }));
      expect(received).to.have.length(5);
      const rows = await stored();
      expect(rows.map(({ attempts }) => attempts).sort()).to.deep.equal([
        ...Array(7).fill(0),
        ...Array(5).fill(1),
      ]);
      for (const { dueInMs } of rows) expect(dueInMs).to.be.within(0, 9_000);
    });

    it('arrive some at once where the messenger allows it, never two of one push, and in order', async () => {
      const pushes = await times(8, (index) => newPush({ name: `push ${index}`, expireAfterViews: 5 }));
      const running = new Map<string | null, number>();
      const arrived = new Map<string | null, number[]>();
      let most = 0;
      const respond = async ({ notice: { push } }: Received): Promise<Delivery> => {
        running.set(push.name, (running.get(push.name) ?? 0) + 1);
        expect(running.get(push.name)).to.equal(1);
        most = Math.max(
          most,
          [...running.values()].reduce((sum, count) => sum + count, 0),
        );
        await sleep(5 + Math.random() * 10);
        running.set(push.name, 0);
        arrived.set(push.name, [...(arrived.get(push.name) ?? []), push.viewsUsed]);
        return { outcome: 'sent' };
      };
      const recorder = pigeon(respond);
      const messengers = { pigeon: { ...recorder.messengers.pigeon, parallel: 3 } };
      for (const _ of [1, 2, 3]) {
        await Promise.all(pushes.map((token) => view(token)));
        await service.domain.notices.deliverDue(messengers);
      }
      expect(most).to.equal(3);
      expect([...arrived.values()]).to.deep.equal(Array(8).fill([1, 2, 3]));
    });

    it('are never retried when the receiver is gone', async () => {
      await view(await newPush());
      await delivered(() => ({ outcome: 'never', reason: 'HTTP 410' }));
      expect((await stored())[0]).to.deep.include({ dueInMs: null, sentAt: null, problem: 'HTTP 410' });
      await shift('happened_at', 0);
      expect((await delivered()).received).to.be.empty;
    });

    it('are retried for three days at most', async () => {
      await view(await newPush());
      await shift('created_at', -73 * hourMs);
      await delivered(() => ({ outcome: 'later', reason: 'HTTP 500' }));
      expect((await stored())[0]).to.deep.include({ dueInMs: null, sentAt: null, problem: 'HTTP 500' });
    });

    it('are taken over from a process that died, whose late result is ignored', async () => {
      await view(await newPush());
      let awake = () => {};
      const recorder = pigeon(
        () =>
          new Promise<Delivery>((resolve) => {
            awake = () => resolve({ outcome: 'later', reason: 'too late' });
          }),
      );
      const frozen = service.domain.notices.deliverDue(
        recorder.messengers,
        () => recorder.received.length > 0,
      );
      while ((await stored())[0]?.attempts !== 1) await new Promise(setImmediate);
      expect((await delivered()).received).to.be.empty; // while the lease lasts

      await shift('due_at', -2 * 60_000);
      expect((await delivered()).received[0]?.notice.attempt).to.equal(2);
      awake();
      await frozen;
      expect((await stored())[0]).to.deep.include({ dueInMs: null, problem: null, attempts: 2 });
    });

    it('do not wait until a time that the database’s clock showed while it was ahead', async () => {
      const [leased, waiting, retried] = [await newPush(), await newPush(), await newPush()];
      await view(retried);
      await delivered(() => ({ outcome: 'later', reason: 'HTTP 429', afterMs: 2 * hourMs }));
      const domain = createDomain({
        database: service.database,
        keyring: service.keyring,
        settings: domainSettings(readConfig({})),
      });
      await view(leased);
      await service.database.execute(
        `UPDATE notices SET lease = id, due_at = ${service.database.dialect.now} + 60000 WHERE attempts = 0`,
        {},
      );
      await view(waiting);
      for (const column of ['due_at', 'created_at'])
        await service.database.execute(`UPDATE notices SET ${column} = ${column} + $ms WHERE attempts = 0`, {
          ms: 2 * hourMs,
        });
      expect((await delivered(undefined, domain)).received).to.be.empty;
      await domain.notices.releaseFromFuture();
      const { received } = await delivered(undefined, domain);
      const digests = [leased, waiting].map((token) => createHash('sha256').update(token).digest('hex'));
      expect(received.map(({ notice }) => notice.push.urlTokenSha256)).to.have.members(digests);
    });

    it('stay with a process that leased them while another waited for the lock of that', async () => {
      await view(await newPush());
      const { database, domain } = service;
      const dueAt = `${database.dialect.now} + 63000`; // as a statement of 3 s ago sees it
      await database.execute(`UPDATE notices SET lease = id, due_at = ${dueAt}`, {});
      await domain.notices.releaseFromFuture();
      expect((await delivered()).received).to.be.empty;
    });

    it('are retried when their messenger does not respond at all', async () => {
      await view(await newPush());
      const timers = mock.timers;
      timers.enable({ apis: ['setTimeout'] });
      syncBuiltinESMExports(); // for modules that imported it by name
      try {
        const recorder = pigeon(() => new Promise<never>(() => {}));
        let isDone = false;
        const delivering = service.domain.notices
          .deliverDue(recorder.messengers, () => recorder.received.length > 0)
          .finally(() => {
            isDone = true;
          });
        while (!isDone) {
          await new Promise(setImmediate);
          if (recorder.received.length > 0) timers.tick(100);
        }
        await delivering;
      } finally {
        timers.reset();
        syncBuiltinESMExports();
      }
      const [row] = await stored();
      expect(row).to.include({ sentAt: null, attempts: 1, problem: 'no response in time' });
      expect(row?.dueInMs).to.be.at.most(8_000);
    });

    it('are sent before an older backlog, which is sent too', async () => {
      const old = await times(60, () => newPush());
      await Promise.all(old.map((token) => view(token)));
      await shift('due_at', -hourMs);
      const fresh = await newPush({ name: 'fresh' });
      await view(fresh);
      const { received } = await delivered();
      expect(received).to.have.length(61);
      expect(received.slice(0, 10).map(({ notice }) => notice.push.name)).to.contain('fresh');
    });

    it('are sent even if one of them throws', async () => {
      await view(await newPush());
      await view(await newPush());
      let isFirst = true;
      const failures: unknown[] = [];
      const observer = { ...noopObserver, deliveryFailed: (error: unknown) => void failures.push(error) };
      const settings = domainSettings(readConfig({}));
      const domain = createDomain({
        database: service.database,
        keyring: service.keyring,
        settings,
        observer,
      });
      const { received } = await delivered(() => {
        if (!isFirst) return { outcome: 'sent' };
        isFirst = false;
        throw new Error('tulip');
      }, domain);
      expect(String(failures)).to.equal('Error: tulip');
      expect(received.length).to.be.within(1, 2);
      const rows = await stored();
      expect(rows.map(({ problem }) => problem)).to.contain('internal error');
    });
  });

  it('wait while their messenger is not set up', async () => {
    await service.database.execute('UPDATE recipients SET messenger = $other WHERE account_id = $id', {
      other: 'raven',
      id: account.id,
    });
    await view(await newPush());
    await delivered();
    const [row] = await stored();
    expect(row).to.include({ sentAt: null, problem: 'raven is not set up' });
    expect(row?.dueInMs).to.be.above(0);
  });

  it('are purged a week after they ended, and no sooner', async () => {
    await view(await newPush());
    await delivered();
    await view(await newPush());
    await service.domain.notices.purge();
    expect(await stored()).to.have.length(2);
    await shift('ended_at', -8 * 24 * hourMs);
    await service.domain.notices.purge();
    expect(await stored()).to.have.length(1);
  });

  it('are counted while they wait, with the longest delay', async () => {
    await view(await newPush());
    await shift('due_at', -hourMs);
    await view(await newPush());
    const { waiting, overdueMs } = await service.domain.notices.backlog();
    expect(waiting).to.equal(2);
    expect(overdueMs).to.be.within(hourMs, hourMs + 100_000);
  });

  it('are counted by their age while they fail, which makes them due later each time', async () => {
    const ages = () => service.domain.notices.waitingSince([hourMs, 24 * hourMs]);
    await view(await newPush());
    await shift('created_at', -2 * hourMs);
    expect(await ages()).to.deep.equal([1, 0]);
    await shift('due_at', 3 * hourMs);
    expect(await ages(), 'not due, as a reminder').to.deep.equal([0, 0]);
    await service.database.execute('UPDATE notices SET attempts = 1', {});
    expect(await ages(), 'tried, and due again later').to.deep.equal([1, 0]);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../../src/config.ts';
import { newId } from '../../../../src/crypto/ids.ts';
import { urlTokenDigest } from '../../../../src/crypto/pepper.ts';
import { newUrlToken } from '../../../../src/crypto/tokens.ts';
import { connectDatabase, type Database, type Tx } from '../../../../src/database/database.ts';
import { type Caller, createDomain, type DomainError, type Revealed } from '../../../../src/domain/index.ts';
import { unavailable } from '../../../../src/errors.ts';
import { times } from '../../../harness/api.ts';
import { newChatUser } from '../../../harness/chat.ts';
import { onMariadb } from '../../../harness/database.ts';
import { anonymous, createAccount, startService, type TestService } from '../../../harness/service.ts';

const payload = 'tulip';
let service: TestService;

type Transaction = Database['transaction'];

/** A domain on the same pushes that runs a transaction through `around`. Counts its transactions and INSERTs of pushes. */
function openDomain({
  database = service.database,
  around = (run) => run(),
}: {
  database?: Database;
  around?: <T>(run: () => Promise<T>) => Promise<T>;
} = {}) {
  const counts = { transactions: 0, inserts: 0 };
  const transaction: Transaction = (work, limit) => {
    counts.transactions += 1;
    return around(() => database.transaction(work, limit));
  };
  const insertReturning: Database['insertReturning'] = (...statement) => {
    counts.inserts += 1;
    return around(() => database.insertReturning(...statement));
  };
  const settings = domainSettings(readConfig({ RATE_LIMITS: 'off' }));
  const domain = createDomain({
    database: { ...database, transaction, insertReturning },
    keyring: service.keyring,
    settings,
  });
  return { domain, counts };
}

/** Locks a push in a transaction, and returns what ends it. */
async function lockPush(urlToken: string): Promise<() => Promise<void>> {
  const digest = urlTokenDigest(service.keyring, urlToken);
  const { release, around } = createGate();
  let isLocked = false;
  const locking = service.database.transaction(async (tx) => {
    await tx.select('SELECT id FROM pushes WHERE token_digest = $digest FOR UPDATE', { digest });
    isLocked = true;
    await around(async () => {});
  });
  while (!isLocked) await service.database.clock();
  return () => {
    release();
    return locking;
  };
}

/** How many transactions of the server wait for a row. Renewed by it once nobody has asked for 100 ms. */
async function waitingForLocks(): Promise<number> {
  const [row] = await service.database.select<{ count: number }>(
    "SELECT COUNT(*) AS count FROM information_schema.innodb_trx WHERE trx_state = 'LOCK WAIT'",
    {},
  );
  return Number(row?.count);
}

const newNonce = () => ({ digest: Buffer.concat([newId(), newId()]), secret: 'of a browser' });

/** Holds what starts until `release`. */
function createGate() {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { release: () => release(), around: <T>(run: () => Promise<T>) => released.then(run) };
}

describe('Requests that arrive together', () => {
  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  async function newPush(input: Record<string, unknown> = {}, caller: Caller = anonymous): Promise<string> {
    const { urlToken } = await service.domain.pushes.create({ payload, ...input }, caller);
    return urlToken;
  }

  async function stored(urlToken: string) {
    const [row] = await service.database.select<{
      viewsUsed: number;
      views: number;
      expiredOn: number | null;
    }>(
      `SELECT views_used AS viewsUsed, expired_on AS expiredOn,
         (SELECT COUNT(*) FROM audit_rows WHERE push_id = pushes.id AND kind = 'view') AS views
       FROM pushes WHERE token_digest = $digest`,
      { digest: urlTokenDigest(service.keyring, urlToken) },
    );
    return { viewsUsed: row?.viewsUsed, views: Number(row?.views), expiredOn: row?.expiredOn };
  }

  type Reveal = { token: string; nonce?: { digest: Buffer; secret: string } };

  /** Reveals pushes in one batch, if there is one of their number: it collects while another runs. */
  async function revealTogether(reveals: Reveal[], around?: Parameters<typeof openDomain>[0]) {
    const gate = createGate();
    const { domain, counts } = openDomain({
      ...around,
      around: (run) => gate.around(() => (around?.around ?? ((inner) => inner()))(run)),
    });
    const first = domain.pushes.reveal(await newPush(), undefined, anonymous);
    const results = reveals.map(({ token, nonce }) =>
      domain.pushes.reveal(token, undefined, anonymous, { ...(nonce && { nonce }) }),
    );
    gate.release();
    const settled = await Promise.allSettled(results);
    await Promise.allSettled([first]);
    return { settled, batches: counts.transactions - 1 };
  }

  const revealedIn = (settled: PromiseSettledResult<Revealed>[]) =>
    settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));

  describe('for the same push', () => {
    it('count one after the other within one transaction, and exceed no limit', async () => {
      const token = await newPush({ expireAfterViews: 3 });
      const { settled, batches } = await revealTogether(Array.from({ length: 32 }, () => ({ token })));
      const answers = revealedIn(settled);
      const { expiredOn, ...counted } = await stored(token);
      expect(batches).to.equal(1);
      expect(counted).to.eql({ viewsUsed: 3, views: 3 });
      expect(answers.slice(0, 3).map((answer) => [answer.payload, answer.push.viewsUsed])).to.eql([
        [payload, 1],
        [payload, 2],
        [payload, 3],
      ]);
      const late = answers
        .slice(3)
        .map((answer) => [answer.payload, answer.push.viewsUsed, answer.push.expiredOn]);
      expect(late).to.eql(Array(29).fill([null, 3, expiredOn]));
    });

    it('with the same nonce are one view', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const nonce = newNonce();
      const { settled, batches } = await revealTogether([
        { token, nonce },
        { token, nonce },
      ]);
      expect(batches).to.equal(1);
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql([payload, payload]);
      expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
    });

    for (const [claimed, views, reserved] of [
      ['its last view', 1, 0],
      ['a view', 3, 0],
      ['the last view that is not reserved', 3, 2],
    ] as const)
      it(`with a nonce that has claimed ${claimed} are that view`, async () => {
        const { account } = await createAccount(service.domain);
        const invite = (tx: Tx, id: Buffer) =>
          service.domain.pushes.invite(
            id,
            [newChatUser()],
            { viewsPerRecipient: reserved, isBound: true },
            tx,
          );
        const { urlToken } = await service.domain.pushes.create(
          { payload, expireAfterViews: views },
          { ...anonymous, account },
          { ...(reserved > 0 && { inTransaction: invite }) },
        );
        const nonce = newNonce();
        const revealing = () => openDomain().domain.pushes.reveal(urlToken, undefined, anonymous, { nonce });
        expect((await revealing()).payload).to.equal(payload);
        expect((await revealing()).payload).to.equal(payload);
        expect(await stored(urlToken)).to.include({ viewsUsed: 1, views: 1 });
      });

    if (onMariadb)
      it('with the same nonce are one view for two processes that wait for the same lock', async () => {
        const token = await newPush({ expireAfterViews: 1 });
        const nonce = newNonce();
        const unlock = await lockPush(token);
        const revealing = [openDomain(), openDomain()].map(({ domain }) =>
          domain.pushes.reveal(token, undefined, anonymous, { nonce }),
        );
        while ((await waitingForLocks()) < revealing.length) await sleep(150);
        await unlock();
        expect((await Promise.all(revealing)).map((answer) => answer.payload)).to.eql([payload, payload]);
        expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
      });

    it('through the links of recipients count within the views of each', async () => {
      const { account } = await createAccount(service.domain);
      const owner = { ...anonymous, account };
      const input = { payload, recipients: ['Bob', 'Carol'], viewsPerRecipient: 2 };
      const { recipients } = await service.domain.pushes.create(input, owner);
      const [bob = '', carol = ''] = recipients.flatMap((recipient) => recipient.urlToken ?? []);
      const { settled, batches } = await revealTogether([bob, bob, bob, carol].map((token) => ({ token })));
      expect(batches).to.equal(1);
      expect(revealedIn(settled).map((answer) => [answer.payload, answer.push.viewsUsed])).to.eql([
        [payload, 1],
        [payload, 2],
        [null, 2],
        [payload, 1],
      ]);
    });

    it('through a link that works once are one view', async () => {
      const bob = newChatUser();
      const { account } = await createAccount(service.domain);
      const input = { payload, expireAfterViews: 3 };
      const inTransaction = (tx: Tx, pushId: Buffer) =>
        service.domain.pushes.invite(pushId, [bob], { viewsPerRecipient: 3, isBound: true }, tx);
      const { urlToken, id } = await service.domain.pushes.create(
        input,
        { ...anonymous, account },
        { inTransaction },
      );
      const token = await service.domain.pushes.openBound(id, bob);
      const { settled, batches } = await revealTogether(Array.from({ length: 6 }, () => ({ token })));
      expect(batches).to.equal(1);
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql([payload, ...Array(5).fill(null)]);
      expect(await stored(urlToken)).to.include({ viewsUsed: 1, views: 1 });
    });

    it('of an owner are one notice with the number of views, and one of the end', async () => {
      const { account } = await createAccount(service.domain, 'person@example.com');
      await service.domain.webhooks.create(account, { url: 'https://hook.example.com' });
      const token = await newPush({ expireAfterViews: 4 }, { ...anonymous, account });
      await revealTogether(Array.from({ length: 4 }, () => ({ token })));
      const notices = await service.database.select<{ event: string; times: number; viewsUsed: number }>(
        `SELECT event, times, views_used AS viewsUsed FROM notices
         WHERE push_id = (SELECT id FROM pushes WHERE token_digest = $digest) ORDER BY event DESC`,
        { digest: urlTokenDigest(service.keyring, token) },
      );
      expect(notices).to.eql([
        { event: 'viewed', times: 4, viewsUsed: 4 },
        { event: 'expired_by_views', times: 1, viewsUsed: 4 },
      ]);
    });
  });

  describe('for different pushes', () => {
    it('share a transaction, and a push that cannot be opened concerns nobody else', async () => {
      const tokens = await times(12, () => newPush({ expireAfterViews: 1 }));
      const [damaged = ''] = tokens;
      await service.database.execute('UPDATE pushes SET payload = $payload WHERE token_digest = $digest', {
        payload: Buffer.alloc(64),
        digest: urlTokenDigest(service.keyring, damaged),
      });
      const { settled, batches } = await revealTogether(tokens.map((token) => ({ token })));
      expect(batches).to.equal(1);
      expect(settled.map(({ status }) => status)).to.eql(['rejected', ...Array(11).fill('fulfilled')]);
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql(Array(11).fill(payload));
      expect(await stored(damaged)).to.include({ viewsUsed: 0, views: 0 });
    });

    it('share it with requests for what does not exist', async () => {
      const token = await newPush();
      const { settled, batches } = await revealTogether([
        { token: newUrlToken() },
        { token },
        { token: newUrlToken() },
      ]);
      const codes = settled.map((result) => (result.status === 'rejected' ? result.reason.code : payload));
      expect({ batches, codes }).to.eql({ batches: 1, codes: ['not_found', payload, 'not_found'] });
    });

    it('share one more transaction when a nonce of them has claimed before', async () => {
      const tokens = await times(6, () => newPush({ expireAfterViews: 2 }));
      const [token = ''] = tokens;
      const nonce = newNonce();
      await service.domain.pushes.reveal(token, undefined, anonymous, { nonce });
      const { settled, batches } = await revealTogether(
        tokens.map((each) => ({ token: each, nonce: each === token ? nonce : newNonce() })),
      );
      expect(batches).to.equal(2);
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql(Array(6).fill(payload));
      for (const each of tokens) expect(await stored(each)).to.include({ viewsUsed: 1, views: 1 });
    });

    it('are each tried alone when their transaction fails', async () => {
      const tokens = await times(6, () => newPush({ expireAfterViews: 2 }));
      let runs = 0;
      const { settled, batches } = await revealTogether(
        tokens.map((token) => ({ token })),
        {
          async around(run) {
            runs += 1;
            if (runs === 2) throw new Error('the batch failed');
            return run();
          },
        },
      );
      expect(batches).to.equal(1 + tokens.length);
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql(Array(6).fill(payload));
      for (const token of tokens) expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
    });

    it('read at most 17 mebibytes of long secrets in one transaction', async () => {
      const long = 'tulip'.repeat(200_000);
      const tokens = await times(32, () => newPush({ payload: long }));
      const lengths: number[] = [];
      const transaction: Transaction = (work, limit) =>
        service.database.transaction((tx) => {
          const index = lengths.push(0) - 1;
          const select: Tx['select'] = async (...statement) => {
            const rows = await tx.select<{ payload?: Buffer | null }>(...statement);
            for (const { payload } of rows) lengths[index] = (lengths[index] ?? 0) + (payload?.length ?? 0);
            return rows as never;
          };
          return work({ ...tx, select });
        }, limit);
      const { settled } = await revealTogether(
        tokens.map((token) => ({ token })),
        { database: { ...service.database, transaction } },
      );
      expect(revealedIn(settled).map((answer) => answer.payload)).to.eql(Array(32).fill(long));
      expect(Math.max(...lengths)).to.be.within(17 * long.length, 17 * 1_048_576);
    });

    it('are all refused, and not tried again, when the result of their COMMIT is unknown', async () => {
      const tokens = await times(6, () => newPush({ expireAfterViews: 2 }));
      const { settled, batches } = await revealTogether(
        tokens.map((token) => ({ token })),
        {
          async around(run) {
            const result = await run();
            if (Array.isArray(result) && result.length === 6) throw unavailable('commitUnconfirmed');
            return result;
          },
        },
      );
      const codes = settled.map(
        (result) => result.status === 'rejected' && (result.reason as DomainError).messageCode,
      );
      expect({ batches, codes }).to.eql({ batches: 1, codes: Array(6).fill('commitUnconfirmed') });
      for (const token of tokens) expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
    });

    if (onMariadb)
      it('are each tried alone when their connection is lost before COMMIT was sent', async () => {
        const tokens = await times(6, () => newPush({ expireAfterViews: 2 }));
        let transactions = 0;
        const transaction: Transaction = (work, limit) =>
          service.database.transaction(async (tx) => {
            transactions += 1;
            const isGroup = transactions === 2;
            const done = await work(tx);
            if (!isGroup) return done;
            const [row] = await tx.select<{ id: number }>('SELECT CONNECTION_ID() AS id', {});
            await service.database.execute(`KILL ${Number(row?.id)}`, {});
            await tx.select('SELECT 1', {});
            return done;
          }, limit);
        const { settled, batches } = await revealTogether(
          tokens.map((token) => ({ token })),
          { database: { ...service.database, transaction } },
        );
        expect(batches).to.equal(1 + tokens.length);
        expect(revealedIn(settled).map((answer) => answer.payload)).to.eql(Array(6).fill(payload));
        for (const token of tokens) expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
      });

    it('are claimed exactly once by two processes that take them in opposite orders', async () => {
      const tokens = await times(24, () => newPush({ expireAfterViews: 1 }));
      const second = connectDatabase(service.databaseUrl, { poolSize: 4 });
      const domains = [openDomain(), openDomain({ database: second })].map(({ domain }) => domain);
      const answers = await Promise.all(
        domains.flatMap((domain, index) =>
          (index === 0 ? tokens : tokens.toReversed()).map((token) =>
            domain.pushes.reveal(token, undefined, anonymous),
          ),
        ),
      );
      await second.close();
      expect(answers.filter((answer) => answer.payload === payload)).to.have.length(24);
      for (const token of tokens) expect(await stored(token)).to.include({ viewsUsed: 1, views: 1 });
    });

    if (onMariadb)
      it('do not wait for a push that another transaction has locked', async () => {
        const [locked = '', ...free] = await times(4, () => newPush({ expireAfterViews: 1 }));
        const unlock = await lockPush(locked);
        const { domain } = openDomain();
        const [waiting, ...others] = [locked, ...free].map((token) =>
          domain.pushes.reveal(token, undefined, anonymous),
        );
        const answers = await Promise.all(others);
        expect(answers.map((answer) => answer.payload)).to.eql(Array(3).fill(payload));
        await unlock();
        expect((await waiting)?.payload).to.equal(payload);
      });
  });

  describe('to create pushes', () => {
    it('share a statement and its time, and are as durable and as different as alone', async () => {
      const gate = createGate();
      const { domain, counts } = openDomain({ around: gate.around });
      const creating = times(25, (index) => domain.pushes.create({ payload: `tulip ${index}` }, anonymous));
      gate.release();
      const pushes = await creating;
      expect(counts.inserts).to.be.at.most(2);
      expect(new Set(pushes.map(({ urlToken }) => urlToken)).size).to.equal(25);
      for (const [index, { urlToken, createdAt, expiresAt }] of pushes.entries()) {
        const answer = await service.domain.pushes.reveal(urlToken, undefined, anonymous);
        expect(answer.payload).to.equal(`tulip ${index}`);
        expect([answer.push.createdAt, answer.push.expiresAt]).to.eql([createdAt, expiresAt]);
      }
    });

    it('do not fail because of one whose account is gone', async () => {
      const gate = createGate();
      const { domain } = openDomain({ around: gate.around });
      const { account } = await createAccount(service.domain, 'gone@example.com');
      const gone = { ...anonymous, account: { ...account, id: newId() } };
      const creating = Promise.allSettled(
        Array.from({ length: 8 }, (_, index) =>
          domain.pushes.create({ payload }, index === 5 ? gone : anonymous),
        ),
      );
      gate.release();
      const results = await creating;
      const failed = results.flatMap((result, index) => (result.status === 'rejected' ? [index] : []));
      expect(failed).to.eql([5]);
    });
  });
});

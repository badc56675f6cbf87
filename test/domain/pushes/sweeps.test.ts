import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import { connectDatabase } from '../../../src/database/database.ts';
import { noopObserver } from '../../../src/domain/base/dependencies.ts';
import { type Account, createDomain } from '../../../src/domain/index.ts';
import { expirePushIn, times } from '../../harness/api.ts';
import { onMariadb } from '../../harness/database.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';
import { recordStatements } from '../../harness/statements.ts';

const dayMs = 86_400_000;

type Row = {
  payload: Buffer | null;
  hash: string | null;
  expiredOn: number | null;
  expiresAt: number;
  dueAt: number | null;
  purgeAt: number | null;
};

describe('A sweep', () => {
  let service: TestService;
  let account: Account;

  before(async () => {
    service = await startService({ RETENTION_DAYS: '30' });
    ({ account } = await createAccount(service.domain, 'ann@example.com'));
  });

  after(() => service.stop());

  const settings = () => domainSettings(readConfig({ RETENTION_DAYS: '30' }));

  async function newPush(input: object = {}, owner: Account | null = null): Promise<string> {
    const fields = { payload: 'tulip', ...input };
    return (await service.domain.pushes.create(fields, { account: owner, client: someClient })).urlToken;
  }

  async function rowOf(token: string): Promise<Row | undefined> {
    const [row] = await service.database.select<Row>(
      `SELECT payload, passphrase_hash AS hash, expired_on AS expiredOn, expires_at AS expiresAt, due_at AS dueAt,
         purge_at AS purgeAt FROM pushes WHERE token_digest = $digest`,
      { digest: urlTokenDigest(service.keyring, token) },
    );
    return row;
  }

  const past = () => `${service.database.dialect.now} - 1000`;

  const shift = (token: string, column: string, ms: number) =>
    service.database.execute(`UPDATE pushes SET ${column} = ${column} + $ms WHERE token_digest = $digest`, {
      ms,
      digest: urlTokenDigest(service.keyring, token),
    });

  describe('of due pushes', () => {
    it('erases payload and passphrase hash, and dates the end by the deadline', async () => {
      const token = await newPush({ passphrase: 'rose' });
      await expirePushIn(service, token, -5_000);
      expect(await service.domain.sweeps.expireDue()).to.equal(1);
      const row = await rowOf(token);
      expect(row).to.include({ payload: null, hash: null, dueAt: null });
      expect(row?.expiredOn).to.equal(row?.expiresAt);
      expect(row?.purgeAt).to.equal(Number(row?.expiresAt) + dayMs);
    });

    it('leaves live pushes and already ended ones unchanged', async () => {
      const [live, spent] = [await newPush(), await newPush({ expireAfterViews: 1 })];
      await service.domain.pushes.reveal(spent, undefined, anonymous);
      const before = await rowOf(spent);
      await shift(spent, 'expires_at', -30 * dayMs);
      expect(await service.domain.sweeps.expireDue()).to.equal(0);
      expect((await rowOf(live))?.payload).to.be.an.instanceof(Buffer);
      expect((await rowOf(spent))?.expiredOn).to.equal(before?.expiredOn);
    });

    it('leaves nothing of the record in the files of an embedded database', async function () {
      if (onMariadb) this.skip();
      const token = await newPush({ payload: 'tulip '.repeat(400) });
      const record = (await rowOf(token))?.payload ?? Buffer.alloc(0);
      const isStored = async () => {
        const folder = dirname(service.databaseUrl.slice('sqlite:'.length));
        const names = await readdir(folder);
        const files = await Promise.all(names.map((name) => readFile(`${folder}/${name}`)));
        return files.some((file) => file.includes(record.subarray(40, 200)));
      };
      expect(await isStored()).to.equal(true);
      await expirePushIn(service, token, -1);
      await service.domain.sweeps.expireDue();
      expect(await isStored()).to.equal(false);
    });

    it('erases all of them, however many processes run it', async () => {
      const counts = new Map<string, number>();
      const tokens = await times(450, () => newPush());
      await service.database.execute(
        `UPDATE pushes SET expires_at = ${past()}, due_at = ${past()} WHERE expired_on IS NULL`,
        {},
      );
      const databases = [1, 2].map(() => connectDatabase(service.databaseUrl, { poolSize: 2 }));
      let erased = 0;
      const observer = { ...noopObserver, erased: () => void erased++ };
      const domains = databases.map((database) =>
        createDomain({ database, keyring: service.keyring, settings: settings(), observer }),
      );
      await Promise.all(domains.flatMap(({ sweeps }) => [sweeps.expireDue(), sweeps.expireDue()]));
      for (const token of tokens) {
        if ((await rowOf(token))?.payload !== null) counts.set(token, 1);
      }
      expect(counts.size).to.equal(0);
      expect(erased).to.be.at.least(450);
      expect(await service.domain.sweeps.overdue()).to.deep.equal({ waiting: 0, overdueMs: 0 });
      await Promise.all(databases.map((database) => database.close()));
    });

    it('stops between two batches when it is asked to', async () => {
      await times(450, () => newPush());
      await service.database.execute(
        `UPDATE pushes SET expires_at = ${past()}, due_at = ${past()} WHERE expired_on IS NULL`,
        {},
      );
      let batches = 0;
      const done = await service.domain.sweeps.expireDue(() => batches++ > 0);
      expect(done).to.equal(200);
      const { waiting, overdueMs } = await service.domain.sweeps.overdue();
      expect(waiting).to.be.at.least(250);
      expect(overdueMs).to.be.within(1_000, 100_000);
      expect(await service.domain.sweeps.expireDue()).to.equal(waiting);
      expect(await service.domain.sweeps.overdue()).to.deep.equal({ waiting: 0, overdueMs: 0 });
    });
  });

  describe('of ended pushes', () => {
    it('deletes an anonymous push and its log after a day, and an owned one after the retention period', async () => {
      const tokens = [await newPush(), await newPush({}, account)];
      for (const token of tokens) {
        await service.domain.pushes.reveal(token, undefined, anonymous);
        await service.domain.pushes.expire(token, anonymous);
      }
      const lives = async () => (await Promise.all(tokens.map(rowOf))).map((row) => row !== undefined);
      const waitFor = async (ms: number) => {
        for (const token of tokens) await shift(token, 'purge_at', -ms);
        await service.domain.sweeps.purge();
      };
      await waitFor(dayMs - 60_000);
      expect(await lives()).to.deep.equal([true, true]);
      await waitFor(60_000);
      expect(await lives()).to.deep.equal([false, true]);
      await waitFor(29 * dayMs - 60_000);
      expect(await lives()).to.deep.equal([false, true]);
      await waitFor(60_000);
      expect(await lives()).to.deep.equal([false, false]);
      const left = await service.database.select(
        'SELECT 1 FROM audit_rows a LEFT JOIN pushes p ON p.id = a.push_id WHERE p.id IS NULL',
        {},
      );
      expect(left).to.be.empty;
    });

    it('keeps a push while a notice about it is waiting', async () => {
      const { execute, dialect } = service.database;
      await execute(
        'INSERT INTO recipients (account_id, messenger, address) VALUES ($id, $pigeon, $pigeon)',
        {
          id: account.id,
          pigeon: 'pigeon',
        },
      );
      const token = await newPush({}, account);
      await service.domain.pushes.expire(token, anonymous);
      await shift(token, 'purge_at', -31 * dayMs);
      await service.domain.sweeps.purge();
      expect(await rowOf(token)).to.not.equal(undefined);
      await execute(`UPDATE notices SET due_at = NULL, ended_at = ${dialect.now}`, {});
      await service.domain.sweeps.purge();
      expect(await rowOf(token)).to.equal(undefined);
    });

    it('leaves live pushes alone', async () => {
      const token = await newPush({}, account);
      expect((await rowOf(token))?.purgeAt).to.equal(null);
      await service.domain.sweeps.purge();
      expect(await rowOf(token)).to.not.equal(undefined);
    });
  });

  it('starts no transaction while nothing is due', async () => {
    const { sweeps } = service.domain;
    const sweepAll = () => Promise.all([sweeps.expireDue(), sweeps.remindUnread(), sweeps.purge()]);
    await sweepAll();
    const statements = recordStatements(service.database);
    expect(await sweepAll()).to.eql([0, 0, 0]);
    expect(statements.filter((sql) => /^(?:START|BEGIN)/.test(sql))).to.eql([]);
  });

  it('deletes expired rate-limit counters', async () => {
    const { database, domain } = service;
    const count = async () =>
      Number((await database.select<{ n: number }>('SELECT COUNT(*) AS n FROM rate_limits', {}))[0]?.n);
    await database.execute(
      `INSERT INTO rate_limits (id, tally, expires_at) VALUES ($past, 1, ${database.dialect.now} - 1),
         ($future, 1, ${database.dialect.now} + 60000)`,
      { past: Buffer.alloc(16, 1), future: Buffer.alloc(16, 2) },
    );
    await domain.limits.purge();
    expect(await count()).to.equal(1);
  });

  // Runs last: an EXPLAIN holds its read lock for a while in the embedded database.
  describe('of the database', () => {
    it('finds its pushes by an index', async () => {
      const { dialect, select } = service.database;
      for (const [column, index] of [
        ['due_at', 'pushes_by_due_at'],
        ['purge_at', 'pushes_by_purge_at'],
      ]) {
        const sql = `SELECT id FROM pushes WHERE ${column} <= ${dialect.now} ORDER BY ${column} LIMIT 200`;
        const plan = JSON.stringify(
          await select(`EXPLAIN ${onMariadb ? 'FORMAT = TRADITIONAL' : 'QUERY PLAN'} ${sql}`, {}),
        );
        expect(plan).to.contain(index);
        expect(plan).to.not.match(/"type":"ALL"|filesort|TEMP B-TREE/);
      }
    });
  });
});

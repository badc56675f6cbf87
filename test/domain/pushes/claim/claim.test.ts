import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../../src/config.ts';
import { type Keyring, newKey, parseKeyring } from '../../../../src/crypto/keyring.ts';
import { urlTokenDigest } from '../../../../src/crypto/pepper.ts';
import type { Database, Tx } from '../../../../src/database/database.ts';
import { type Audit, createAudit } from '../../../../src/domain/audit/audit.ts';
import { noopObserver } from '../../../../src/domain/base/dependencies.ts';
import { createFileList } from '../../../../src/domain/files/fileList.ts';
import { createGrants } from '../../../../src/domain/files/grants.ts';
import { createDomain, type DomainError, type Revealed, toRefusal } from '../../../../src/domain/index.ts';
import { createOutbox } from '../../../../src/domain/outbox/outbox.ts';
import { createClaim } from '../../../../src/domain/pushes/claim/claim.ts';
import { createSpentNonces } from '../../../../src/domain/pushes/claim/nonces.ts';
import { createDamageRecords } from '../../../../src/domain/pushes/damage.ts';
import { times } from '../../../harness/api.ts';
import { asAnotherCaller, onMariadb } from '../../../harness/database.ts';
import { refusalOf } from '../../../harness/refusal.ts';
import {
  anonymous,
  createAccount,
  someClient,
  startService,
  type TestService,
} from '../../../harness/service.ts';

const payload = 'tulip';
const dayMs = 86_400_000;
let service: TestService;

describe('A push', () => {
  before(async () => {
    service = await startService();
  });

  after(() => service.stop());

  async function newPush(input: Record<string, unknown> = {}): Promise<string> {
    const { urlToken } = await service.domain.pushes.create({ payload, ...input }, anonymous);
    return urlToken;
  }

  const reveal = (urlToken: string, passphrase?: string) =>
    service.domain.pushes.reveal(urlToken, passphrase, anonymous);

  const expire = (urlToken: string) => service.domain.pushes.expire(urlToken, anonymous);

  /** The stored row of a push, and the rows of its audit log, oldest first. */
  async function stored(urlToken: string) {
    const [row] = await service.database.select<{
      id: Buffer;
      payload: Buffer | null;
      passphraseHash: string | null;
      viewsUsed: number;
      expiresAt: number;
      expiredOn: number | null;
      deleted: boolean;
    }>(
      `SELECT id, payload, passphrase_hash AS passphraseHash, views_used AS viewsUsed, expires_at AS expiresAt,
       expired_on AS expiredOn, deleted FROM pushes WHERE token_digest = $digest`,
      { digest: urlTokenDigest(service.keyring, urlToken) },
    );
    if (row === undefined) throw new Error('the push is not stored');
    const log = await service.database.select<{ kind: string; createdAt: number }>(
      'SELECT kind, created_at AS createdAt FROM audit_rows WHERE push_id = $id ORDER BY created_at, id',
      { id: row.id },
    );
    const rowsOf = (kind: string) => log.filter((entry) => entry.kind === kind);
    return { ...row, deleted: Boolean(row.deleted), log, rowsOf };
  }

  function withPayload(answers: Revealed[]): Revealed[] {
    return answers.filter((answer) => answer.payload !== null);
  }

  /** A domain on the same pushes with a fixed database clock. */
  function domainAt(now: number, keyring = service.keyring) {
    const { database } = service;
    const dialect = { ...database.dialect, now: String(now) };
    return createDomain({
      database: { ...database, dialect },
      keyring,
      settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
    });
  }

  /** Replaces a part of a text. Throws when it is not there. */
  function edit(text: string, from: RegExp, to: string): string {
    if (!from.test(text)) throw new Error(`nothing to change in: ${text}`);
    return text.replace(from, to);
  }

  /** The real claim with hooks after the row is read or written, and with changed statements. */
  function claimWith({
    afterRead = async () => {},
    change = (sql: string) => sql,
    read = (sql: string) => sql,
    afterWrite = async () => {},
  }: {
    afterRead?: (isFound: boolean) => Promise<unknown>;
    change?: (sql: string) => string;
    read?: (sql: string) => string;
    afterWrite?: (tx: Tx | undefined) => Promise<unknown>;
  }) {
    const { database, keyring } = service;
    const audit = createAudit(database);
    const wrapped: Database = {
      ...database,
      transaction: (work, limit) =>
        database.transaction(
          (tx) =>
            work({
              ...tx,
              async select<Row extends object>(sql: string, binds: Binds): Promise<Row[]> {
                const found = await tx.select<Row>(read(sql), binds);
                if (readsPayload(sql)) await afterRead(found.length > 0);
                return found;
              },
              execute: (sql, binds) => tx.execute(change(sql), binds),
            }),
          limit,
        ),
    };
    const wrappedAudit: Audit = {
      ...audit,
      async recordAll(events, tx) {
        await audit.recordAll(events, tx);
        await afterWrite(tx);
      },
    };
    return createClaim({
      database: wrapped,
      keyring,
      audit: wrappedAudit,
      outbox: createOutbox(wrapped),
      grants: createGrants({
        database: wrapped,
        keyring,
        fileList: createFileList({ database: wrapped, keyring }),
      }),
      downloads: { requireStored: async () => {} },
      spentNonces: createSpentNonces({ database: wrapped, keyring }),
      damage: createDamageRecords({ database: wrapped, keyring }),
      settings: domainSettings(readConfig({})).pushes,
      observer: noopObserver,
    }).claimView;
  }

  type Binds = Parameters<Database['select']>[1];

  const readsPayload = (sql: string) => sql.includes('AS payload,');
  const withoutLock = (sql: string) => (readsPayload(sql) ? edit(sql, /FOR UPDATE( SKIP LOCKED)?/, '') : sql);
  const withoutGuard =
    (...tables: string[]) =>
    (sql: string) =>
      tables.some((table) => sql.startsWith(`UPDATE ${table} `))
        ? edit(sql, /WHERE[\s\S]*/, 'WHERE id = $id_0')
        : sql;

  describe('with a view limit', () => {
    for (const viewsMax of [1, 2, 5, 20]) {
      it(`is revealed to exactly ${viewsMax} of ${10 * viewsMax} simultaneous viewers`, async () => {
        const token = await newPush({ expireAfterViews: viewsMax });
        const answers = await times(10 * viewsMax, () => reveal(token));

        const given = withPayload(answers);
        expect(given.map((answer) => answer.payload)).to.eql(Array(viewsMax).fill(payload));
        expect(given.map(({ push }) => push.viewsUsed).sort((a, b) => a - b)).to.eql(
          Array.from({ length: viewsMax }, (_, index) => index + 1),
        );
        const others = answers.filter((answer) => answer.payload === null);
        expect(others.every(({ push }) => push.expiredOn !== null && push.viewsUsed === viewsMax)).to.equal(
          true,
        );
        const { viewsUsed, rowsOf, ...row } = await stored(token);
        expect({ viewsUsed, views: rowsOf('view').length }).to.eql({ viewsUsed: viewsMax, views: viewsMax });
        expect(row.payload).to.equal(null);
        expect(row.expiredOn).to.be.a('number');
        expect(rowsOf('failed_view')).to.have.length(others.length);
      });
    }

    it('is as it was after a request that its caller no longer wants, now that it knows the push', async () => {
      const urlToken = await newPush({ passphrase: 'a secret', expireAfterViews: 1 });
      const asked: unknown[] = [];
      const isConfirmed = (push: object) => {
        asked.push(push);
        return false;
      };
      const refused = await service.domain.pushes.reveal(urlToken, undefined, anonymous, { isConfirmed });
      expect(refused.payload).to.equal(null);
      expect(asked).to.deep.equal([{ now: refused.push.now, hasPassphrase: true }]);
      expect((await stored(urlToken)).log.map(({ kind }) => kind)).to.deep.equal([]);
      expect(await reveal(urlToken, 'a secret')).to.deep.include({ payload });
    });

    it('keeps its payload until the last view', async () => {
      const token = await newPush({ expireAfterViews: 2 });
      await reveal(token);
      const { payload: storedPayload, viewsUsed, expiredOn } = await stored(token);
      expect(storedPayload).to.be.an.instanceof(Buffer);
      expect({ viewsUsed, expiredOn }).to.eql({ viewsUsed: 1, expiredOn: null });
    });

    it('spends views on correct passphrases only, when correct and wrong ones arrive together', async () => {
      const token = await newPush({ expireAfterViews: 3, passphrase: 'open sesame' });
      const outcomes = await times(18, (index) =>
        reveal(token, index < 12 ? `guess ${index}` : 'open sesame').then(
          (answer) => (answer.payload === null ? 'expired' : 'given'),
          (error) => (error as DomainError).code,
        ),
      );
      expect(outcomes.slice(0, 12)).not.to.contain('given');
      const right = outcomes.slice(12).sort();
      expect(right).to.eql([...Array(3).fill('expired'), ...Array(3).fill('given')]);
      const { viewsUsed, rowsOf, passphraseHash } = await stored(token);
      expect({ viewsUsed, views: rowsOf('view').length, passphraseHash }).to.eql({
        viewsUsed: 3,
        views: 3,
        passphraseHash: null,
      });
    });

    it('is not revealed for a passphrase that was checked against another hash', async () => {
      const token = await newPush({ expireAfterViews: 1, passphrase: 'open sesame' });
      const claimView = claimWith({});
      for (const hash of [null, '', '$2b$10$of.another.push']) {
        expect(
          (await claimView({ urlToken: token, passphraseHash: hash, client: someClient })).outcome,
        ).to.equal('locked');
      }
      expect((await stored(token)).viewsUsed).to.equal(0);
    });

    it('loses no view to a master key that cannot open it', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const otherKeyring: Keyring = {
        ...parseKeyring(`1:${newKey()}`, newKey()),
        pepper: service.keyring.pepper,
      };
      const failure = await domainAt(Date.now(), otherKeyring)
        .pushes.reveal(token, undefined, anonymous)
        .catch((error: Error) => error);
      expect(failure).to.be.an.instanceof(Error);
      const { viewsUsed, rowsOf } = await stored(token);
      expect({ viewsUsed, views: rowsOf('view').length }).to.eql({ viewsUsed: 0, views: 0 });
      expect((await reveal(token)).payload).to.equal(payload);
    });

    it('loses no view to a damaged record, and reveals nothing of it', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const { payload: record, id } = await stored(token);
      if (record === null) return expect.fail('there is no payload');
      record.writeUInt8((record.at(-1) ?? 0) ^ 1, record.length - 1);
      await service.database.execute('UPDATE pushes SET payload = $record WHERE id = $id', { record, id });
      expect((await refusalOf(reveal(token))).messageCode).to.equal('recordDamaged');
      const { viewsUsed, log } = await stored(token);
      expect({ viewsUsed, log }).to.eql({ viewsUsed: 0, log: [] });
    });
  });

  describe('during the claim of a view', () => {
    it('is refused if it ends between being read and being counted', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const ends = (await service.database.clock()) + 3_000;
      await service.database.execute('UPDATE pushes SET expires_at = $ends WHERE token_digest = $digest', {
        ends,
        digest: urlTokenDigest(service.keyring, token),
      });
      let reads = 0;
      const claimView = claimWith({
        afterRead: async () => {
          reads += 1;
          if (reads === 1) while ((await asAnotherCaller(service.database.clock)) < ends) await sleep(5);
        },
      });
      expect(
        (await claimView({ urlToken: token, passphraseHash: null, client: someClient })).outcome,
      ).to.equal('expired');
      const { viewsUsed, log } = await stored(token);
      expect({ reads, viewsUsed, log }).to.eql({ reads: 2, viewsUsed: 0, log: [] });
    });

    if (!onMariadb) return; // SQLite lets one writer in at a time, and there is no connection to lose

    /** Holds the first of `size` claims to read their row until all have read it. */
    function meeting(size: number) {
      let readers = 0;
      return async (isFound: boolean) => {
        if (!isFound) return;
        readers += 1;
        for (let waited = 0; readers < size && waited < 100; waited++) await sleep(5);
      };
    }

    it('keeps its limit by the guarded counter alone, when no row lock stops concurrent readers', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const afterRead = meeting(8);
      // Eight processes: within one, claims of a push never run at the same time.
      const claims = await times(8, () =>
        claimWith({ read: withoutLock, afterRead })({
          urlToken: token,
          passphraseHash: null,
          client: someClient,
        }),
      );
      expect(claims.map(({ outcome }) => outcome).sort()).to.eql(['claimed', ...Array(7).fill('expired')]);
      const { viewsUsed, rowsOf } = await stored(token);
      expect({ viewsUsed, views: rowsOf('view').length }).to.eql({ viewsUsed: 1, views: 1 });
    });

    it('keeps its limit by the row lock alone, when nothing guards the counter', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const claims = await times(8, () =>
        claimWith({ change: withoutGuard('pushes') })({
          urlToken: token,
          passphraseHash: null,
          client: someClient,
        }),
      );
      expect(claims.map(({ outcome }) => outcome).sort()).to.eql(['claimed', ...Array(7).fill('expired')]);
    });

    describe('through the link of a recipient, beside another one whose view is unused', () => {
      let bob: string;

      beforeEach(async () => {
        const { account } = await createAccount(service.domain);
        const input = { payload, recipients: ['Bob', 'Carol'] };
        const { recipients } = await service.domain.pushes.create(input, { account, client: someClient });
        bob = recipients.find(({ name }) => name === 'Bob')?.urlToken ?? '';
      });

      const unlocked = () => ({ read: withoutLock, afterRead: meeting(8) });
      for (const [what, hooks] of [
        ['guarded counters', unlocked],
        ['guarded counter of the recipient', () => ({ ...unlocked(), change: withoutGuard('pushes') })],
        ['row locks', () => ({ change: withoutGuard('pushes', 'push_recipients') })],
      ] as const) {
        it(`keeps the limit of the recipient by the ${what} alone`, async () => {
          const [request, each] = [{ urlToken: bob, passphraseHash: null, client: someClient }, hooks()];
          const claims = await times(8, () => claimWith(each)(request));
          expect(claims.map(({ outcome }) => outcome).sort()).to.eql([
            'claimed',
            ...Array(7).fill('expired'),
          ]);
        });
      }
    });

    it('makes viewers of other processes wait for the row instead of reading the same count', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const request = { urlToken: token, passphraseHash: null, client: someClient };
      let isRead = false;
      let release = () => {};
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const first = claimWith({
        async afterRead() {
          isRead = true;
          await released;
        },
      })(request);
      while (!isRead) await sleep(5);
      let reads = 0;
      const second = claimWith({
        async afterRead() {
          reads += 1;
        },
      })(request);
      while (reads === 0) await sleep(5); // it finds the row locked
      await sleep(150); // long enough for a second read if it did not wait
      const readsMeanwhile = reads;
      release();
      expect((await first).outcome).to.equal('claimed');
      expect((await second).outcome).to.equal('expired');
      expect({ readsMeanwhile, reads }).to.eql({ readsMeanwhile: 1, reads: 2 });
    });

    it('reveals nothing and spends no view when the connection is lost before COMMIT', async () => {
      const token = await newPush({ expireAfterViews: 1 });
      const claimView = claimWith({
        afterWrite: async (tx) => {
          const [row] = (await tx?.select<{ id: number }>('SELECT CONNECTION_ID() AS id', {})) ?? [];
          await service.database.execute(`KILL ${Number(row?.id)}`, {});
          await sleep(50);
        },
      });
      const error = await claimView({ urlToken: token, passphraseHash: null, client: someClient }).then(
        () => expect.fail('it was revealed'),
        (reason: unknown) => reason,
      );
      expect(toRefusal(error)?.messageCode).to.be.oneOf(['databaseUnreachable', 'commitUnconfirmed']);
      const { viewsUsed, log } = await stored(token);
      expect({ viewsUsed, log }).to.eql({ viewsUsed: 0, log: [] });
      expect((await reveal(token)).payload).to.equal(payload);
    });
  });

  describe('at its deadline', () => {
    it('expires to the millisecond, by the database’s clock', async () => {
      const createdAt = await service.database.clock();
      const { pushes } = domainAt(createdAt);
      const created = await times(3, () => pushes.create({ payload, expireAfterMinutes: 5 }, anonymous));
      const end = createdAt + 5 * 60_000;
      expect(created.map(({ expiresAt }) => expiresAt)).to.eql([end, end, end]);
      const moments = [end - 1, end, end + 1];
      const given = await Promise.all(
        created.map(({ urlToken }, index) =>
          domainAt(moments[index] ?? 0).pushes.reveal(urlToken, undefined, anonymous),
        ),
      );
      expect(given.map((answer) => answer.payload)).to.eql([payload, null, null]);
      expect(given.map(({ push }) => push.expiredOn)).to.eql([null, end, end]);
      const used = await Promise.all(created.map(({ urlToken }) => stored(urlToken)));
      expect(used.map(({ viewsUsed }) => viewsUsed)).to.eql([1, 0, 0]);
    });

    it('expires to the millisecond for previews, lists and deletions too', async () => {
      const createdAt = await service.database.clock();
      const { account } = await createAccount(service.domain, 'end@example.com');
      const caller = { account, client: someClient };
      const created = await domainAt(createdAt).pushes.create({ payload, expireAfterDays: 1 }, caller);
      const end = createdAt + dayMs;
      const [before, at] = [domainAt(end - 1), domainAt(end)];
      expect((await before.pushes.preview(created.urlToken, caller)).expiredOn).to.equal(null);
      expect((await at.pushes.preview(created.urlToken, caller)).expiredOn).to.equal(end);
      expect(await before.pushes.list({ account }, 'active', 1)).to.have.length(1);
      expect(await before.pushes.list({ account }, 'expired', 1)).to.have.length(0);
      expect(await at.pushes.list({ account }, 'active', 1)).to.have.length(0);
      expect(await at.pushes.list({ account }, 'expired', 1)).to.have.length(1);
      const deleted = await at.pushes.expire(created.urlToken, caller);
      expect({ deleted: deleted.deleted, expiredOn: deleted.expiredOn }).to.eql({
        deleted: false,
        expiredOn: end,
      });
      expect((await stored(created.urlToken)).log).to.eql([]);
    });

    it('expires without a job, from the statement that set the deadline onwards', async () => {
      const token = await newPush();
      await service.database.execute(
        `UPDATE pushes SET expires_at = ${service.database.dialect.now} WHERE token_digest = $digest`,
        { digest: urlTokenDigest(service.keyring, token) },
      );
      const { payload: given, push } = await reveal(token);
      expect(given).to.equal(null);
      expect(push.expiredOn).to.equal((await stored(token)).expiresAt);
    });
  });

  describe('when it is deleted', () => {
    it('is deleted once, however many ask for it at the same time', async () => {
      const token = await newPush();
      const answers = await times(100, () => expire(token));
      const { expiredOn, deleted, payload: storedPayload, rowsOf } = await stored(token);
      expect(rowsOf('expire')).to.have.length(1);
      expect({ deleted, storedPayload }).to.eql({ deleted: true, storedPayload: null });
      expect(new Set(answers.map((push) => push.expiredOn))).to.eql(new Set([expiredOn]));
      expect(answers.every((push) => push.deleted)).to.equal(true);
    });

    it('is not revealed to views that start after the deletion returned', async () => {
      const token = await newPush({ expireAfterViews: 100 });
      const early = times(10, () => reveal(token));
      const late = expire(token).then(() => times(10, () => reveal(token)));
      expect(withPayload(await late)).to.eql([]);
      const given = withPayload(await early).length;
      expect((await stored(token)).rowsOf('view')).to.have.length(given);
    });

    it('has a consistent audit log even if views race with the deletion', async () => {
      let deletions = 0;
      for (let round = 0; round < 12; round++) {
        const viewsMax = [1, 3, 20][round % 3] ?? 1;
        const token = await newPush({ expireAfterViews: viewsMax });
        const deleting = async () => void (await expire(token));
        const viewing = async () => (await reveal(token)).payload ?? undefined;
        const payloads = await times(12, (index) => (index === round ? deleting() : viewing()));
        const given = payloads.filter((one) => one === payload).length;
        const { viewsUsed, rowsOf, log, deleted, expiredOn, ...row } = await stored(token);

        // Every revealed payload counts as a view, and no view exceeds the limit.
        expect({ viewsUsed, views: rowsOf('view').length }).to.eql({ viewsUsed: given, views: given });
        expect(given).to.be.at.most(viewsMax);
        // The push ends once, by its limit or by the deletion, and is erased.
        const isDeleted = given < viewsMax;
        expect({ deleted, deletions: rowsOf('expire').length }).to.eql({
          deleted: isDeleted,
          deletions: isDeleted ? 1 : 0,
        });
        expect({ payload: row.payload, hash: row.passphraseHash }).to.eql({ payload: null, hash: null });
        if (!isDeleted) continue;
        deletions += 1;
        // No view is later than the deletion.
        const [deletion] = rowsOf('expire');
        const last = Math.max(0, ...rowsOf('view').map(({ createdAt }) => createdAt));
        expect(last, 'the last view').to.be.at.most(deletion?.createdAt ?? 0);
      }
      expect(deletions, 'rounds in which the deletion came before the limit').to.be.greaterThan(0);
    });

    it('dates its deletion no earlier than a view that the deletion waited for', async () => {
      const token = await newPush({ expireAfterViews: 5 });
      let isReading = false;
      const claimView = claimWith({
        afterRead: async () => {
          isReading = true;
          await sleep(200);
        },
      });
      const viewing = claimView({ urlToken: token, passphraseHash: null, client: someClient });
      while (!isReading) await sleep(5);
      await sleep(50);
      await expire(token);
      expect((await viewing).outcome).to.equal('claimed');
      const { rowsOf, expiredOn } = await stored(token);
      expect(rowsOf('view')[0]?.createdAt).to.be.at.most(expiredOn ?? 0);
    });
  });
});

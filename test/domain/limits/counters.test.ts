import { expect } from 'chai';
import type { Database } from '../../../src/database/database.ts';
import { type Counters, createCounters } from '../../../src/domain/limits/counters.ts';
import { unavailable } from '../../../src/errors.ts';
import { refusalOf } from '../../harness/refusal.ts';
import { startService, type TestService } from '../../harness/service.ts';

const rate = { points: 5, seconds: 900 };

describe('A counter', () => {
  let service: TestService;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  const windowEnds = () =>
    service.database.execute('UPDATE rate_limits SET expires_at = expires_at - 900000', {});

  it('takes a point back from the window that it was given in', async () => {
    const counters = createCounters(service.database);
    await counters.hold('same', rate, async () => true);
    expect(await counters.remaining('same', rate)).to.equal(5);
  });

  it('takes no point back from a later window', async () => {
    const counters = createCounters(service.database);
    await counters.hold('later', rate, async () => {
      await windowEnds();
      for (let i = 0; i < 3; i++) await counters.consume('later', rate);
      return true;
    });
    expect(await counters.remaining('later', rate)).to.equal(2);
  });

  it('counts far beyond its rate', async () => {
    const counters = createCounters(service.database);
    await counters.add('far', 999_999_999, 900);
    expect((await counters.add('far', 1_000, 900)).points).to.equal(1_000_000_999);
  });

  it('admits exactly its rate of simultaneous uses, on two processes with other counters beside it', async () => {
    const processes = [createCounters(service.database), createCounters(service.database)];
    const uses = Array.from({ length: 60 }, async (_, index) => {
      const counters = processes[index % 2] as Counters;
      await Promise.all([counters.consume('shared', rate), counters.consume(`own ${index}`, rate)]);
    });
    const results = await Promise.allSettled(uses);
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(5);
    const [some] = processes as [Counters];
    expect(await some.remaining('own 59', rate)).to.equal(4);
  });

  it('is written together with those that arrive while others are being written, where rows are returned', async () => {
    const { database, written } = recorded();
    const isTogether = await database.returnsRows();
    const counters = createCounters(database);
    const first = counters.add('lone', 1, 900);
    await Promise.resolve();
    const arriving = Array.from({ length: 40 }, (_, index) => counters.add(`door ${index % 4}`, 1, 900));
    expect((await first).points).to.equal(1);
    expect((await Promise.all(arriving)).map(({ points }) => points)).to.deep.equal(
      Array.from({ length: 40 }, (_, index) => 1 + Math.floor(index / 4)),
    );
    expect(written).to.deep.equal([
      '1 counter',
      ...(isTogether ? ['4 counters'] : Array(4).fill('1 counter')),
    ]);
  });

  it('is counted on its own where MySQL can return one row alone', async () => {
    const { database, written } = recorded({ returnsRows: async () => false });
    const counters = createCounters(database);
    const counts = await Promise.all(['a', 'b', 'a'].map((key) => counters.add(`mysql ${key}`, 1, 900)));
    expect(counts.map(({ points }) => points)).to.deep.equal([1, 1, 2]);
    expect(written).to.deep.equal(['1 counter', '1 counter']);
  });

  it('is counted on its own after the database refused several together', async () => {
    const busy = () => Promise.reject(unavailable('databaseBusy'));
    const { database, written } = recorded({ select: busy, returnsRows: async () => true });
    const counters = createCounters(database);
    const counts = await Promise.all(['a', 'b', 'a'].map((key) => counters.add(`fought ${key}`, 1, 900)));
    expect(counts.map(({ points }) => points)).to.deep.equal([1, 1, 2]);
    expect(written).to.deep.equal(['1 counter', '1 counter']);
  });

  it('fails with all that were to be written together when the database is away', async () => {
    const away = () => Promise.reject(unavailable('databaseUnreachable'));
    const { database } = recorded({ select: away, insertReturning: away });
    const counters = createCounters(database);
    const uses = ['a', 'b', 'a'].map((key) => refusalOf(counters.add(`away ${key}`, 1, 900)));
    for (const { code } of await Promise.all(uses)) expect(code).to.equal('unavailable');
  });

  /** The database, and how many counters each of the statements wrote. */
  function recorded(changes: Partial<Database> = {}) {
    const written: string[] = [];
    const record = (sql: string) => {
      const count = sql.match(/\$id\d*/g)?.length ?? 0;
      written.push(`${count} counter${count === 1 ? '' : 's'}`);
    };
    const { database } = service;
    const recording: Database = {
      ...database,
      select: (sql, binds) => {
        record(sql);
        return database.select(sql, binds);
      },
      insertReturning: (sql, column, binds) => {
        record(sql);
        return database.insertReturning(sql, column, binds);
      },
      ...changes,
    };
    return { database: recording, written };
  }
});

import { expect } from 'chai';
import { connectDatabase, type Database, type Tx } from '../../src/database/database.ts';
import { column, primaryKey, table } from '../../src/database/table.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { loseCommits } from '../harness/lostCommits.ts';
import { refusalOf } from '../harness/refusal.ts';
import { until } from '../harness/until.ts';

const tulipsTable = table('tulips', { id: primaryKey(column.integer), height: column.integer });

const insert = 'INSERT INTO tulips (id) VALUES ($id)';

describe('A transaction', () => {
  let fresh: FreshDatabase;
  let database: Database;

  beforeEach(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 4 });
    await database.execute('CREATE TABLE tulips (id INT NOT NULL PRIMARY KEY, height INT)', {});
  });

  afterEach(async () => {
    await database.close();
    await fresh.drop();
  });

  const countTulips = async () => {
    const [row] = await database.select<{ count: number }>('SELECT COUNT(*) AS count FROM tulips', {});
    return Number(row?.count);
  };

  it('calls a registered listener once after its commit, and never when it fails', async () => {
    const calls: string[] = [];
    const listener = () => void calls.push('committed');
    await database.transaction(async (tx) => {
      await tx.execute(insert, { id: 1 });
      tx.afterCommit(listener);
      tx.afterCommit(listener);
    });
    const failed = database.transaction(async (tx) => {
      tx.afterCommit(listener);
      throw new Error('tulip');
    });
    expect(await failed.catch((error) => error.message)).to.equal('tulip');
    expect(calls).to.deep.equal(['committed']);
  });

  it('whose COMMIT was not confirmed is refused as such, and calls no listener, since nobody knows', async () => {
    const calls: string[] = [];
    const endLosses = loseCommits(database);
    const error = await refusalOf(
      database.transaction(async (tx) => {
        await tx.execute(insert, { id: 1 });
        tx.afterCommit(() => void calls.push('committed'));
      }),
    );
    endLosses();
    expect(error).to.include({ code: 'unavailable', messageCode: 'commitUnconfirmed' });
    expect(calls).to.deep.equal([]);
    expect(await countTulips()).to.equal(1);
  });

  it('whose parent row was removed meanwhile is refused, and may be tried again', async () => {
    await database.execute(
      'CREATE TABLE bees (id INT, tulip INT, FOREIGN KEY (tulip) REFERENCES tulips (id))',
      {},
    );
    const orphan = database.transaction((tx) => tx.execute('INSERT INTO bees VALUES ($id, 7)', { id: 1 }));
    expect(await refusalOf(orphan)).to.include({ code: 'unavailable', messageCode: 'parentRemoved' });
  });

  it('takes no statement after its end, which would run in the transaction of another', async () => {
    let ended: Tx | undefined;
    await database.transaction(async (tx) => {
      ended = tx;
    });
    const error = await ended?.execute(insert, { id: 1 }).catch((error: unknown) => error);
    expect(String(error)).to.contain('has ended');
    expect(await countTulips()).to.equal(0);
  });

  it('takes no statement that lacks a value, and stores no NULL in its place', async () => {
    const error = await database
      .transaction((tx) => tx.execute('INSERT INTO tulips (id, height) VALUES ($id, $height)', { id: 1 }))
      .catch((error: unknown) => error);
    expect(String(error)).to.contain('$height');
    expect(await countTulips()).to.equal(0);
  });

  if (!onMariadb) {
    const mistakes: Record<string, (tx: Tx) => Promise<unknown>> = {
      'a write': () => database.execute(insert, { id: 2 }),
      'a read': () => database.select('SELECT id FROM tulips', {}),
      'a query of Sequelize’s own': () => database.sequelize.query('SELECT id FROM tulips'),
      'another transaction': () => database.transaction((other) => other.execute(insert, { id: 2 })),
    };
    for (const [name, mistake] of Object.entries(mistakes)) {
      it(`refuses ${name} that bypasses it, with a clear error, and rolls back`, async () => {
        const forgetful = database.transaction(async (tx) => {
          await tx.execute(insert, { id: 1 });
          await mistake(tx);
        });
        const error = await forgetful.catch((error: unknown) => error);
        expect(String(error)).to.contain('outside the transaction');
        expect(await countTulips()).to.equal(0);
      });
    }

    it('allows concurrent statements of others, and its own once it has ended', async () => {
      let startLater = () => {};
      const later = new Promise<void>((resolve) => {
        startLater = resolve;
      }).then(() => database.execute(insert, { id: 4 }));
      let lateWrite: Promise<number> | undefined;
      const others = database.execute(insert, { id: 2 });
      await database.transaction(async (tx) => {
        await tx.execute(insert, { id: 1 });
        tx.afterCommit(() => {
          lateWrite = database.execute(insert, { id: 3 });
        });
      });
      startLater();
      await Promise.all([others, lateWrite, later]);
      expect(await countTulips()).to.equal(4);
    });
  }

  if (onMariadb)
    it('that is a single statement of a model runs again after a deadlock, as any other does', async () => {
      for (const id of [1, 2]) await database.execute(insert, { id });
      const isLocked = (id: number) =>
        database.transaction(async (tx) => {
          const free = await tx.select('SELECT id FROM tulips WHERE id = $id FOR UPDATE SKIP LOCKED', { id });
          return free.length === 0;
        });
      let update: Promise<unknown> | undefined;
      await database.transaction(async (tx) => {
        for (let id = 10; id < 40; id++) await tx.execute(insert, { id }); // more work, so the other one is refused
        await tx.select('SELECT id FROM tulips WHERE id = 2 FOR UPDATE', {});
        update = database.model(tulipsTable).update({ height: 7 }, { where: { id: [1, 2] } });
        await until(() => isLocked(1));
        await tx.select('SELECT id FROM tulips WHERE id = 1 FOR UPDATE', {});
      });
      await update;
      expect(await database.select('SELECT height FROM tulips WHERE id < 3', {})).to.eql([
        { height: 7 },
        { height: 7 },
      ]);
    });
});

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readlinkSync, rmdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import {
  DataTypes,
  ForeignKeyConstraintError,
  QueryTypes,
  Sequelize,
  TimeoutError,
  type Transaction,
  UniqueConstraintError,
} from 'sequelize';
import { sqliteDriver } from '../../src/database/sqlite/driver.ts';

type Row = Record<string, unknown>;
type Bind = Record<string, unknown>;

let dir: string;
let sequelize: Sequelize;
let opened: Sequelize[];
let children: ChildProcess[];

const file = () => join(dir, 'hushpush.db');

/** Tests of the driver. Each has its own file with two tables. */
function describeSqlite(title: string, tests: () => void): void {
  describe(`SQLite ${title}`, () => {
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'sqlite-'));
      opened = [];
      children = [];
      sequelize = open();
      await sequelize.query(
        'CREATE TABLE pushes (id INTEGER PRIMARY KEY, token TEXT UNIQUE, views INT, body BLOB)',
      );
      await sequelize.query(
        'CREATE TABLE claims (id INTEGER PRIMARY KEY, push_id INT REFERENCES pushes (id) DEFERRABLE)',
      );
    });

    afterEach(async () => {
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(opened.map((one) => one.close()));
      rmSync(dir, { recursive: true, force: true });
    });

    tests();
  });
}

function open(storage = file()): Sequelize {
  const one = new Sequelize({
    dialect: 'sqlite',
    dialectModule: sqliteDriver,
    storage,
    logging: false,
    retry: { max: 1 },
  });
  opened.push(one);
  return one;
}

/** Runs a script in a separate process, with `sequelize` on the same file and `say(word)`. */
function inChild(script: string) {
  const source = `
    import { writeSync } from 'node:fs';
    import { setTimeout as sleep } from 'node:timers/promises';
    import { Sequelize } from 'sequelize';
    import { sqliteDriver } from ${JSON.stringify(new URL('../../src/database/sqlite/driver.ts', import.meta.url).href)};
    const sequelize = new Sequelize({
      dialect: 'sqlite', dialectModule: sqliteDriver, storage: ${JSON.stringify(file())}, logging: false, retry: { max: 1 },
    });
    const say = (word) => writeSync(1, word + '\\n');
    const consume = ${consume.toString()};
    const times = ${times.toString()};
    ${script}`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  children.push(child);
  const words: string[] = [];
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => words.push(line));
  const printed = async (word: string) => {
    while (!words.includes(word)) await once(lines, 'line');
  };
  return { child, words, printed, ended: once(child, 'close') };
}

function times<T>(count: number, work: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => work(index));
}

/** Reads, decides and writes, which is correct only in an exclusive transaction. Waits without a time limit. */
async function consume(on: Sequelize): Promise<boolean> {
  const attempt = on.transaction(async (transaction) => {
    const [rows] = await on.query('SELECT views FROM pushes WHERE id = 1', { transaction });
    const { views } = rows[0] as { views: number };
    if (views === 0) return false;
    await on.query('UPDATE pushes SET views = $views WHERE id = 1', {
      bind: { views: views - 1 },
      transaction,
    });
    await on.query('INSERT INTO claims (push_id) VALUES (1)', { transaction });
    return true;
  });
  return attempt.catch((error: Error) => {
    if (error.name === 'SequelizeTimeoutError') return consume(on);
    throw error;
  });
}

async function rows(sql: string, bind: Bind = {}, transaction: Transaction | null = null): Promise<Row[]> {
  return sequelize.query<Row>(sql, { type: QueryTypes.SELECT, bind, transaction });
}

async function change(sql: string, bind: Bind = {}, transaction: Transaction | null = null): Promise<number> {
  const [, changed] = await sequelize.query(sql, { type: QueryTypes.UPDATE, bind, transaction });
  return changed;
}

async function refusal(work: Promise<unknown>): Promise<Error & { parent?: { code?: string } }> {
  return work.then(
    () => expect.fail('was not refused'),
    (error) => error,
  );
}

const addPush = (bind: Bind, transaction: Transaction | null = null) =>
  change(
    'INSERT INTO pushes (token, views, body) VALUES ($token, $views, $body)',
    { views: 7, body: null, ...bind },
    transaction,
  );

/** Counts the turns of the event loop during the work. */
async function countTurns(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = () => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work().finally(() => {
    isDone = true;
  });
  return turns;
}

function openFiles(): string[] {
  const links = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(join('/proc/self/fd', fd));
    } catch {
      return '';
    }
  });
  return links.filter((link) => link.startsWith(dir));
}

describeSqlite('for concurrent writers', () => {
  it('lets fifty simultaneous transactions take exactly seven views', async () => {
    await addPush({ token: 'a' });
    const won = await Promise.all(times(50, () => consume(sequelize)));
    expect(won.filter(Boolean)).to.have.length(7);
    expect(await rows('SELECT views, (SELECT COUNT(*) FROM claims) AS claims FROM pushes')).to.deep.equal([
      { views: 0, claims: 7 },
    ]);
  });

  it('lets two processes with fifty transactions each take exactly seven views', async () => {
    await addPush({ token: 'a' });
    const script = `
      await sequelize.query('SELECT 1');
      say('ready');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      for (const won of await Promise.all(times(50, () => consume(sequelize)))) say(won ? 'won' : 'lost');
      process.exit();`;
    const both = [inChild(script), inChild(script)];
    await Promise.all(both.map(({ printed }) => printed('ready')));
    for (const { child } of both) child.stdin?.write('go');
    await Promise.all(both.map(({ ended }) => ended));
    const words = both.flatMap(({ words }) => words);
    expect(words.filter((word) => word === 'lost')).to.have.length(93);
    expect(words.filter((word) => word === 'won')).to.have.length(7);
    expect(await rows('SELECT COUNT(*) AS claims FROM claims')).to.deep.equal([{ claims: 7 }]);
  });

  it('waits for another process without blocking the event loop, and then gets its turn', async () => {
    const { child, printed } = inChild(`
      const transaction = await sequelize.transaction();
      await sequelize.query("INSERT INTO pushes (token) VALUES ('theirs')", { transaction });
      say('held');
      await new Promise((resolve) => process.stdin.once('data', resolve));
      await transaction.commit();
      process.exit();`);
    await printed('held');
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([]);
    let haveWritten = false;
    const writes = Promise.all([
      addPush({ token: 'plain' }),
      sequelize.transaction((transaction) => addPush({ token: 'ours' }, transaction)),
    ]).finally(() => {
      haveWritten = true;
    });
    // The event loop turns while the writers wait. A blocked loop would turn only after they gave up.
    for (let turns = 0; turns < 10; turns++) await sleep(5);
    expect(haveWritten).to.equal(false);
    child.stdin?.write('go');
    await writes;
    expect(await rows('SELECT COUNT(*) AS count FROM pushes')).to.deep.equal([{ count: 3 }]);
  });

  it('gives up after five seconds behind its own transaction or another lock on the file', async () => {
    // Under another name the file has another write queue, so this lock is a foreign one.
    symlinkSync(file(), join(dir, 'alias.db'));
    const alias = open(join(dir, 'alias.db'));
    const held = await alias.transaction();
    const other = open(join(dir, 'other.db'));
    await other.query('CREATE TABLE notes (id INTEGER PRIMARY KEY)');
    const start = performance.now();
    const waits = [
      refusal(change('INSERT INTO pushes (token) VALUES ($token)', { token: 'a' })),
      refusal(sequelize.transaction()),
      refusal(other.transaction(() => other.query('INSERT INTO notes DEFAULT VALUES'))),
    ];
    for (const error of await Promise.all(waits)) {
      expect(error).to.be.instanceOf(TimeoutError);
      expect(error.parent?.code).to.equal('SQLITE_BUSY');
    }
    expect(performance.now() - start).to.be.above(4_900);
    await other.query('INSERT INTO notes DEFAULT VALUES');
    await held.rollback();
    await addPush({ token: 'b' });
    expect((await alias.query('SELECT token FROM pushes'))[0]).to.deep.equal([{ token: 'b' }]);
    await alias.query("INSERT INTO pushes (token) VALUES ('c')");
  });

  it('reads committed rows without waiting for an open transaction', async () => {
    const transaction = await sequelize.transaction();
    await addPush({ token: 'a' }, transaction);
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([]);
    expect(await rows('WITH some AS (SELECT token FROM pushes) SELECT * FROM some')).to.deep.equal([]);
    expect(await rows('PRAGMA foreign_keys')).to.deep.equal([{ foreign_keys: 1 }]);
    expect(await rows('SELECT token FROM pushes', {}, transaction)).to.deep.equal([{ token: 'a' }]);
    await transaction.commit();
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([{ token: 'a' }]);
  });

  it('serves writers in order of arrival', async () => {
    await Promise.all(times(20, (index) => addPush({ token: `t${index}` })));
    const stored = await rows('SELECT token FROM pushes ORDER BY id');
    expect(stored.map(({ token }) => token)).to.deep.equal(times(20, (index) => `t${index}`));
  });
});

describeSqlite('in interrupted transactions', () => {
  const nextWriter = async () => {
    await sequelize.transaction((transaction) => addPush({ token: 'next' }, transaction));
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([{ token: 'next' }]);
  };

  it('rolls back after an error and lets the next writer in', async () => {
    const error = await refusal(
      sequelize.transaction(async (transaction) => {
        await addPush({ token: 'a' }, transaction);
        await addPush({ token: 'a' }, transaction);
      }),
    );
    expect(error).to.be.instanceOf(UniqueConstraintError);
    await nextWriter();
  });

  it('rolls back when COMMIT fails and lets the next writer in', async () => {
    const transaction = await sequelize.transaction();
    await sequelize.query('PRAGMA defer_foreign_keys = ON', { transaction });
    await sequelize.query('INSERT INTO claims (push_id) VALUES (99)', { transaction });
    const { warn } = console;
    console.warn = () => {};
    const error = await refusal(transaction.commit());
    console.warn = warn;
    expect(error).to.be.instanceOf(ForeignKeyConstraintError);
    await nextWriter();
  });

  it('rolls back when a connection is closed in the middle and lets the next writer in', async () => {
    const other = open();
    const transaction = await other.transaction();
    await other.query("INSERT INTO pushes (token) VALUES ('lost')", { transaction });
    await other.close();
    await nextWriter();
  });

  it('keeps the outer transaction when a savepoint is rolled back', async () => {
    await sequelize.transaction(async (transaction) => {
      await addPush({ token: 'outer' }, transaction);
      await refusal(
        sequelize.transaction({ transaction }, async (inner) => {
          await addPush({ token: 'inner' }, inner);
          throw new Error('no');
        }),
      );
      await addPush({ token: 'after' }, transaction);
    });
    expect(await rows('SELECT token FROM pushes ORDER BY id')).to.deep.equal([
      { token: 'outer' },
      { token: 'after' },
    ]);
  });

  it('commits nothing after SQLite has rolled back by itself', async () => {
    const transaction = await sequelize.transaction();
    await addPush({ token: 'a' }, transaction);
    await refusal(change("INSERT OR ROLLBACK INTO pushes (token) VALUES ('a')", {}, transaction));
    await refusal(addPush({ token: 'b' }, transaction));
    await transaction.rollback();
    await nextWriter();
  });
});

describeSqlite('with typed values', () => {
  it('returns buffers, even empty ones, booleans, dates and numbers unchanged', async () => {
    const body = Buffer.from([0, 255, 1, 0]);
    const [row] = await rows(
      'SELECT $body AS body, $empty AS empty, typeof($empty) AS type, $yes AS yes, $at AS at, typeof($count) AS count, $half AS half',
      { body, empty: Buffer.alloc(0), yes: true, at: new Date(0), count: 7, half: 0.5, unused: 'x' },
    );
    expect(row).to.deep.equal({
      body,
      empty: Buffer.alloc(0),
      type: 'blob',
      yes: 1,
      at: '1970-01-01 00:00:00.000 +00:00',
      count: 'integer',
      half: 0.5,
    });
    expect(row?.body).to.be.instanceOf(Buffer);
    await addPush({ token: 'a', body: Buffer.alloc(0), views: Date.now() });
    await addPush({ token: 1, body });
    expect(await rows('SELECT token, body, typeof(views) AS type FROM pushes ORDER BY id')).to.deep.equal([
      { token: 'a', body: Buffer.alloc(0), type: 'integer' },
      { token: '1', body, type: 'integer' },
    ]);
  });

  it('refuses values that it could not return unchanged', async () => {
    for (const value of [2 ** 53, Number.NaN, 'nul\0nul', { a: 1 }, ['a']])
      await refusal(addPush({ token: value }));
    await refusal(rows('SELECT 9007199254740993 AS big'));
    expect(await rows('SELECT 9007199254740991 AS big')).to.deep.equal([{ big: 9007199254740991 }]);
    expect(await rows('SELECT * FROM pushes')).to.deep.equal([]);
  });

  it('returns the rows of RETURNING, and treats such a statement as a write', async () => {
    const insert = 'INSERT INTO pushes (token, views) VALUES ($token, 2) RETURNING id, token';
    expect(await rows(insert, { token: 'a' })).to.deep.equal([{ id: 1, token: 'a' }]);
    const transaction = await sequelize.transaction();
    const waiting = rows('WITH one AS (SELECT 1) UPDATE pushes SET views = views + 1 RETURNING views');
    expect(await rows('UPDATE pushes SET views = views - 1 RETURNING views', {}, transaction)).to.deep.equal([
      { views: 1 },
    ]);
    await transaction.commit();
    expect(await waiting).to.deep.equal([{ views: 2 }]);
    expect(await rows('INSERT OR IGNORE INTO pushes (id) VALUES (1) RETURNING id')).to.deep.equal([]);
  });

  it('reports how many rows changed and which id was inserted', async () => {
    const [id, inserted] = await sequelize.query("INSERT INTO pushes (token) VALUES ('a')", {
      type: QueryTypes.INSERT,
    });
    expect([id, inserted]).to.deep.equal([1, 1]);
    await addPush({ token: 'b' });
    expect(await change('UPDATE pushes SET views = 1')).to.equal(2);
    expect(await change('UPDATE pushes SET views = 1 WHERE id = 9')).to.equal(0);
    expect(await change('/* all */ WITH some AS (SELECT 1) UPDATE pushes SET views = 3')).to.equal(2);
  });

  it('works with models, and sees an added column', async () => {
    const attributes = { token: DataTypes.STRING, createdAt: DataTypes.DATE };
    const Note = sequelize.define('note', { token: DataTypes.STRING }, { timestamps: false });
    await Note.sync();
    const ids = (await Note.bulkCreate([{ token: 'a' }, { token: 'b' }])).map((note) => note.get('id'));
    expect(ids).to.deep.equal([1, 2]);
    expect(await Note.findAll({ where: { token: 'b' } })).to.have.length(1);
    await sequelize.getQueryInterface().addColumn('notes', 'createdAt', { type: DataTypes.DATE });
    const Dated = sequelize.define('note', attributes, { timestamps: false });
    await Dated.update({ createdAt: new Date(5) }, { where: { token: 'a' } });
    const note = await Dated.findOne({ where: { token: 'a' } });
    expect(note?.get('createdAt')).to.deep.equal(new Date(5));
    const described = await sequelize.getQueryInterface().describeTable('notes');
    expect(described).to.have.all.keys('id', 'token', 'createdAt');
    expect(await sequelize.getQueryInterface().showAllTables()).to.have.members([
      'pushes',
      'claims',
      'notes',
    ]);
  });

  it('forgets the columns of a table whose creation was rolled back', async () => {
    const columns = (transaction: Transaction | null = null) =>
      rows('PRAGMA table_info(`drafts`)', {}, transaction);
    const transaction = await sequelize.transaction();
    await sequelize.query('CREATE TABLE drafts (id INT)', { transaction });
    expect(await columns(transaction)).to.have.length(1);
    expect(await columns()).to.have.length(0);
    await transaction.rollback();
    expect(await columns()).to.have.length(0);
    await sequelize.query('CREATE TABLE drafts (id INT, title TEXT)');
    expect(await columns()).to.have.length(2);
  });
});

describeSqlite('for failing statements', () => {
  it('maps constraint violations to Sequelize’s errors', async () => {
    await addPush({ token: 'secret-token' });
    const unique = await refusal(addPush({ token: 'secret-token' }));
    expect(unique).to.be.instanceOf(UniqueConstraintError);
    expect(unique).to.have.property('fields').that.deep.equals(['token']);
    expect(unique.parent?.code).to.equal('SQLITE_CONSTRAINT');
    expect(unique.parent).to.have.property('errno', 19);
    const foreign = await refusal(sequelize.query('INSERT INTO claims (push_id) VALUES (9)'));
    expect(foreign).to.be.instanceOf(ForeignKeyConstraintError);
  });

  it('leaves bound values out of its errors', async () => {
    const error = await refusal(rows("SELECT json_extract('{}', $path)", { path: 'SECRET' }));
    expect(error.parent?.code).to.equal('SQLITE_ERROR');
    expect(error.message + error.stack).not.to.include('SECRET');
    expect((await refusal(rows('SELECT * FROM nowhere'))).message).to.include('no such table: nowhere');
  });
});

describeSqlite('as a store', () => {
  it('lets the event loop turn during statements, queued writes and queries', async () => {
    const chain = async () => {
      for (const id of times(300, Number)) await rows('SELECT $id AS id', { id });
    };
    expect(await countTurns(chain)).to.be.above(200);
    const write = () => Promise.all(times(200, (index) => addPush({ token: `t${index}` })));
    expect(await countTurns(write)).to.be.above(100);
  });

  it('applies its settings inside and outside transactions', async () => {
    const expected = {
      journal_mode: 'wal',
      synchronous: 2,
      foreign_keys: 1,
      secure_delete: 1,
      temp_store: 2,
      busy_timeout: 0,
    };
    const settings = async (transaction: Transaction | null) => {
      const found: Row = {};
      for (const name of Object.keys(expected))
        [found[name]] = Object.values((await rows(`PRAGMA ${name}`, {}, transaction))[0] ?? {});
      return found;
    };
    expect(await settings(null)).to.deep.equal(expected);
    expect(await sequelize.transaction(settings)).to.deep.equal(expected);
  });

  it('creates files that only their owner can access', () => {
    const modes = readdirSync(dir).map((name) => [
      name,
      (statSync(join(dir, name)).mode & 0o777).toString(8),
    ]);
    expect(Object.fromEntries(modes)).to.deep.equal({
      'hushpush.db': '600',
      'hushpush.db-shm': '600',
      'hushpush.db-wal': '600',
    });
  });

  it('is one complete file when its last user has closed it, and can be opened again', async () => {
    await consume(sequelize).catch(() => {});
    await addPush({ token: 'kept' });
    const second = open();
    await second.query('SELECT 1');
    await sequelize.close();
    expect(statSync(`${file()}-wal`).size).to.be.above(0);
    await second.close();
    expect(statSync(`${file()}-wal`).size).to.equal(0);
    sequelize = open();
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([{ token: 'kept' }]);
    await sequelize.close();
    rmSync(file());
    sequelize = open();
    await sequelize.query('CREATE TABLE pushes (token TEXT)');
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([]);
  });

  it('keeps few files open, however many transactions run', async () => {
    await Promise.all(
      times(50, (index) =>
        sequelize.transaction((transaction) => addPush({ token: `${index}` }, transaction)),
      ),
    );
    expect(openFiles()).to.have.length.below(7);
  });

  it('can run in memory', async () => {
    sequelize = open(':memory:');
    await sequelize.query(
      'CREATE TABLE pushes (id INTEGER PRIMARY KEY, token TEXT UNIQUE, views INT, body BLOB)',
    );
    await sequelize.query('CREATE TABLE claims (id INTEGER PRIMARY KEY, push_id INT)');
    await addPush({ token: 'a' });
    expect((await Promise.all(times(9, () => consume(sequelize)))).filter(Boolean)).to.have.length(7);
    const transaction = await sequelize.transaction();
    await addPush({ token: 'b' }, transaction);
    await transaction.rollback();
    expect(await rows('SELECT token FROM pushes')).to.deep.equal([{ token: 'a' }]);
  });

  it('opens a file later that could not be opened at first', async () => {
    const storage = join(dir, 'folder');
    mkdirSync(storage);
    const other = open(storage);
    const error = await refusal(other.query('SELECT 1'));
    expect(error.parent?.code).to.equal('SQLITE_CANTOPEN');
    rmdirSync(storage);
    expect(await other.query('SELECT 1 AS one', { type: QueryTypes.SELECT })).to.deep.equal([{ one: 1 }]);
  });

  it('keeps every acknowledged row when the process is killed', async () => {
    const { child, words, printed, ended } = inChild(`
      for (let id = 1; ; id++) {
        if (id % 2) await sequelize.query('INSERT INTO pushes (id) VALUES ($id)', { bind: { id } });
        else await sequelize.transaction((transaction) =>
          sequelize.query('INSERT INTO pushes (id) VALUES ($id)', { bind: { id }, transaction }));
        say(String(id));
      }`);
    await printed('50');
    await sleep(20);
    child.kill('SIGKILL');
    await ended;
    const stored = new Set((await rows('SELECT id FROM pushes')).map(({ id }) => String(id)));
    expect(words.filter((id) => !stored.has(id))).to.deep.equal([]);
    expect(stored.size).to.be.within(words.length, words.length + 1);
    expect(await rows('PRAGMA integrity_check')).to.deep.equal([{ integrity_check: 'ok' }]);
  });
});

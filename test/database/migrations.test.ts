import { readdirSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { toRefusal } from '../../src/database/errors.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { SchemaMismatch } from '../../src/database/schemaCheck.ts';
import { hourMs } from '../../src/time.ts';
import { times } from '../harness/api.ts';
import { type Folder, nodeCommand, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { migrationsFolder } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const ours = readdirSync(migrationsFolder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''))
  .sort();

describe('Migrations', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let folder: Folder;
  let folders = 0;

  beforeEach(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 4 });
    folder = await openFolder();
    await writeFile(join(folder.path, 'package.json'), '{"type":"module"}');
  });

  afterEach(async () => {
    await folder.remove();
    await database.close();
    await fresh.drop();
  });

  /** A folder of migrations, each given as the body of its `up`. Its `down` drops the table of its name. */
  async function folderOf(migrations: Record<string, string>): Promise<string> {
    folders += 1;
    const path = join(folder.path, `migrations${folders}`);
    await mkdir(path);
    await writeFile(join(path, 'schema.json'), '{}');
    for (const [name, up] of Object.entries(migrations)) {
      const table = name.replace(/^\d+-/, '');
      const lines = [
        `const table = (name) => ({ createTable }) => createTable(name, { columns: { id: 'INT NOT NULL PRIMARY KEY' } });`,
        `export const up = async (schema) => { ${up || `await table('${table}')(schema);`} };`,
        `export const down = ({ dropTable }) => dropTable('${table}');`,
      ];
      await writeFile(join(path, `${name}.ts`), lines.join('\n'));
    }
    return path;
  }

  /** Migrates in a separate process, which prints the names of the applied migrations. */
  function migrateElsewhere(path: string) {
    const source = (name: string) =>
      pathToFileURL(join(import.meta.dirname, '../../src/database', name)).href;
    const program = `
    const { connectDatabase } = await import('${source('database.ts')}');
    const { createMigrations } = await import('${source('migrations.ts')}');
    const database = connectDatabase('${fresh.url}', { poolSize: 2 });
    console.log(JSON.stringify(await createMigrations(database, '${path}').up()));
    await database.close();`;
    return folder.launch([...nodeCommand, '--input-type=module', '-e', program]);
  }

  const moveLeaseEnd = (ms: number) =>
    database.execute('UPDATE migration_lock SET held_until = held_until + $ms', { ms });

  /** All tables with their columns, keys and indexes, as the database itself describes them. */
  async function schema(): Promise<Record<string, string>> {
    if (!onMariadb) {
      const parts = await database.select<{ name: string; sql: string }>(
        'SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name',
        {},
      );
      return Object.fromEntries(parts.map(({ name, sql }) => [name, sql]));
    }
    const described: Record<string, string> = {};
    for (const name of await tables()) {
      const [row] = await database.select<{ 'Create Table': string }>(`SHOW CREATE TABLE ${name}`, {});
      described[name] = row?.['Create Table'] ?? '';
    }
    return described;
  }

  async function tables(): Promise<string[]> {
    const sql = onMariadb
      ? 'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'";
    return (await database.select<{ name: string }>(sql, {})).map(({ name }) => name).sort();
  }

  async function leaseEnd(): Promise<number> {
    const [row] = await database.select<{ heldUntil: number }>(
      'SELECT held_until AS heldUntil FROM migration_lock',
      {},
    );
    return Number(row?.heldUntil);
  }

  describe('of the service', () => {
    it('are applied once, in order, and listed as applied or pending', async () => {
      const { up, status } = createMigrations(database, migrationsFolder);
      expect(await status()).to.deep.equal({ applied: [], pending: ours, newer: [] });
      expect(await up()).to.deep.equal(ours);
      expect(await status()).to.deep.equal({ applied: ours, pending: [], newer: [] });
      expect(await up()).to.deep.equal([]);
      expect(await database.select('SELECT name FROM migrations ORDER BY name', {})).to.deep.equal(
        ours.map((name) => ({ name })),
      );
    });

    it('leave nothing behind when all are reverted, and create the same schema when applied again', async () => {
      const { up, down } = createMigrations(database, migrationsFolder);
      await up();
      const before = await schema();
      expect(Object.keys(before)).to.include.members([
        'accounts',
        'api_tokens',
        'pushes',
        'audit_rows',
        'rate_limits',
      ]);
      expect(await down(0)).to.deep.equal([...ours].reverse());
      expect(await tables()).to.deep.equal(['migration_lock', 'migrations']);
      await up();
      expect(await schema()).to.deep.equal(before);
    });

    it('can be repeated safely, as after a process that died before recording them', async () => {
      const { up } = createMigrations(database, migrationsFolder);
      await up();
      const before = await schema();
      await database.execute('DELETE FROM migrations WHERE name >= $first', { first: '0000' });
      expect(await up()).to.deep.equal(ours);
      expect(await schema()).to.deep.equal(before);
    });

    it('give every table a primary key, and a four-byte character set on any server', async () => {
      if (onMariadb) await database.sequelize.query('ALTER DATABASE CHARACTER SET latin1');
      await createMigrations(database, migrationsFolder).up();
      for (const name of await tables()) {
        const columns = await database.sequelize.getQueryInterface().describeTable(name);
        expect(
          Object.values(columns).some(({ primaryKey }) => primaryKey),
          name,
        ).to.equal(true);
      }
      if (!onMariadb) return;
      const others = await database.select(
        `SELECT table_name FROM information_schema.tables
         WHERE table_schema = DATABASE() AND table_collation <> 'utf8mb4_bin'
         UNION SELECT table_name FROM information_schema.columns
         WHERE table_schema = DATABASE() AND collation_name <> 'utf8mb4_bin'`,
        {},
      );
      expect(others).to.deep.equal([]);
    });

    it('are reverted one by one, or down to a named one', async () => {
      const { up, down, status } = createMigrations(database, migrationsFolder);
      expect(await down()).to.deep.equal([]);
      await up();
      expect(await down()).to.deep.equal(ours.slice(-1));
      expect(await down('0003-files')).to.deep.equal(ours.slice(2, -1).reverse());
      expect(await status()).to.deep.include({ applied: ours.slice(0, 2), pending: ours.slice(2) });
      expect(await tables())
        .to.include('pushes')
        .and.not.include('files');
      expect(await down('tulip').catch((error) => String(error))).to.contain('tulip');
      expect((await status()).applied).to.have.length(2);
    });
  });

  describe('in a folder', () => {
    it('stop at a failing one, name it, and can be retried without waiting', async () => {
      const bad = await folderOf({
        '0001-first': '',
        '0002-second': "throw new Error('tulip');",
        '0003-third': '',
      });
      const error = await createMigrations(database, bad).up().catch(String);
      expect(error).to.contain('0002-second').and.contain('tulip');
      expect(await createMigrations(database, bad).status()).to.deep.include({
        applied: ['0001-first'],
        pending: ['0002-second', '0003-third'],
      });
      expect(await tables())
        .to.include('first')
        .and.not.include('third');
      const good = await folderOf({ '0001-first': '', '0002-second': '', '0003-third': '' });
      expect(await createMigrations(database, good).up()).to.deep.equal(['0002-second', '0003-third']);
    });

    it('are named when they contain invalid SQL or invalid code', async () => {
      const badSql = await folderOf({ '0001-first': "await schema.sequelize.query('CREATE TULIP');" });
      expect(await createMigrations(database, badSql).up().catch(String)).to.contain('0001-first');
      const nonsense = await folderOf({ '0001-first': '}' });
      expect(await createMigrations(database, nonsense).up().catch(String)).to.contain('0001-first');
      expect(await tables()).to.not.include('first');
    });

    it('of a newer version are listed, and refused by an older one, which changes nothing', async () => {
      const older = createMigrations(database, await folderOf({ '0001-first': '', '0003-third': '' }));
      const newer = createMigrations(database, await folderOf({ '0001-first': '', '0002-second': '' }));
      await newer.up();
      const status = {
        applied: ['0001-first', '0002-second'],
        pending: ['0003-third'],
        newer: ['0002-second'],
      };
      for (const attempt of [older.up, older.down, older.requireCurrent]) {
        const error = await attempt().catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(SchemaMismatch);
        expect(String(error)).to.contain('0002-second');
      }
      expect(await older.status()).to.deep.equal(status);
      expect(await tables())
        .to.include.members(['first', 'second'])
        .and.not.include('third');
    });

    it('let a running process go on while a newer version adds to the schema, but not once its own are reverted', async () => {
      const older = createMigrations(database, await folderOf({ '0001-first': '' }));
      const newer = createMigrations(database, await folderOf({ '0001-first': '', '0002-second': '' }));
      await older.up();
      await newer.up();
      await older.requireApplied();
      await newer.down(0);
      const error = await older.requireApplied().catch((reason: unknown) => reason);
      expect(toRefusal(error)).to.have.property('code', 'unavailable');
    });

    it('are only read by status, also in a database without tables', async () => {
      const { status, requireCurrent } = createMigrations(database, await folderOf({ '0001-first': '' }));
      expect(await status()).to.deep.equal({ applied: [], pending: ['0001-first'], newer: [] });
      expect(await requireCurrent().catch(String)).to.contain('The database is empty.');
      expect(await tables()).to.deep.equal([]);
    });

    it('are applied once by six processes that start together, while the others wait', async () => {
      const record = (name: string) => `
      await table('${name}')(schema);
      await new Promise((resolve) => setTimeout(resolve, 300));
      await schema.sequelize.query('CREATE TABLE IF NOT EXISTS runs (name VARCHAR(9))');
      await schema.sequelize.query("INSERT INTO runs (name) VALUES ('${name}')");`;
      const path = await folderOf({ '0001-first': record('first'), '0002-second': record('second') });
      const outcomes = await times(6, () => migrateElsewhere(path).ended);
      for (const { code, stderr } of outcomes)
        expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
      const applied = outcomes.flatMap(({ stdout }) => JSON.parse(stdout));
      expect(applied.sort()).to.deep.equal(['0001-first', '0002-second']);
      expect(await database.select('SELECT name FROM runs ORDER BY name', {})).to.deep.equal([
        { name: 'first' },
        { name: 'second' },
      ]);
      expect(await database.select('SELECT name FROM migrations', {})).to.have.length(2);
    });

    it('are resumed by the next process once the lease of a killed one has expired', async () => {
      const slow = `
      await table('begun')(schema);
      const { existsSync } = await import('node:fs');
      while (!existsSync('${join(folder.path, 'go')}')) await new Promise((resolve) => setTimeout(resolve, 50));
      await table('second')(schema);`;
      const path = await folderOf({ '0001-first': '', '0002-second': slow, '0003-third': '' });
      const { child, ended } = migrateElsewhere(path);
      await until(async () => (await tables()).includes('begun'));
      const lease = await leaseEnd();
      await until(async () => (await leaseEnd()) > lease); // a running process renews it
      child.kill('SIGKILL');
      await ended;
      expect((await leaseEnd()) - (await database.clock())).to.be.at.most(15_000);
      await moveLeaseEnd(hourMs);

      const { up, status } = createMigrations(database, path);
      expect(await status()).to.deep.include({
        applied: ['0001-first'],
        pending: ['0002-second', '0003-third'],
      });
      await writeFile(join(folder.path, 'go'), '');
      let isDone = false;
      const resumed = up().finally(() => {
        isDone = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 500));
      expect(isDone).to.equal(false);
      await moveLeaseEnd(-hourMs - 15_000);
      expect(await resumed).to.deep.equal(['0002-second', '0003-third']);
      expect(await tables()).to.include.members(['begun', 'first', 'second', 'third']);
    });

    if (onMariadb) {
      it('report a lost database connection as temporarily unavailable, not as a failure', async () => {
        const path = await folderOf({ '0001-first': "await schema.sequelize.query('SELECT SLEEP(30)');" });
        const applying = createMigrations(database, path)
          .up()
          .catch((error: unknown) => error);
        const sleeping = "SELECT id FROM information_schema.processlist WHERE info = 'SELECT SLEEP(30)'";
        await until(async () => (await database.select(sleeping, {})).length > 0);
        const [{ id } = { id: 0 }] = await database.select<{ id: number }>(sleeping, {});
        await database.sequelize.query(`KILL ${id}`);
        expect(toRefusal(await applying)).to.have.property('code', 'unavailable');
      });
    }
  });
});

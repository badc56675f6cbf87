import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { toRefusal } from '../../src/database/errors.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { readChanges, SchemaMismatch } from '../../src/database/schemaCheck.ts';
import { schemaLines } from '../../src/database/schemaLines.ts';
import { schemaChanges } from '../docs/schemaChanges.ts';
import { openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, freshSqlite, onMariadb } from '../harness/database.ts';
import { newSharedSettings } from '../harness/process.ts';
import { migrationsFolder } from '../harness/service.ts';

describe('The schema of a database', () => {
  let fresh: FreshDatabase;
  let database: Database;
  let migrations: ReturnType<typeof createMigrations>;

  beforeEach(async () => {
    fresh = await freshDatabase();
    database = connectDatabase(fresh.url, { poolSize: 2 });
    migrations = createMigrations(database, migrationsFolder);
    await migrations.up();
  });

  afterEach(async () => {
    await database.close();
    await fresh.drop();
  });

  const alter = (sql: string) => database.sequelize.query(sql);
  const forgetFingerprints = () => alter('ALTER TABLE migrations DROP COLUMN fingerprint');

  async function refusals(): Promise<string[]> {
    const attempts = [migrations.up(), migrations.down(), migrations.requireCurrent()];
    const errors = await Promise.all(attempts.map((attempt) => attempt.catch((error: unknown) => error)));
    for (const error of errors) expect(error).to.be.instanceOf(SchemaMismatch);
    return [...new Set(errors.map((error) => (error as Error).message))];
  }

  it('is what migrations/schema.json says; if it is not, run npm run docs', async () => {
    const changes = await readChanges(migrationsFolder);
    expect(changes).to.deep.equal(await schemaChanges(migrationsFolder));
  });

  it('has the same lines on every database', async () => {
    const journal = /\bmigrations?(?:_lock)?\b/;
    const found = [...(await schemaLines(database))].filter((line) => !journal.test(line));
    const made = Object.values(await readChanges(migrationsFolder)).flat();
    expect(found).to.include.members(
      made.filter((line) => !line.startsWith('-') && !made.includes(`-${line}`)),
    );
    expect(found).to.have.length.at.least(300);
  });

  it('is accepted as it was made, and as an operator or a newer version may extend it', async () => {
    await migrations.requireCurrent();
    await alter('CREATE INDEX pushes_by_kind ON pushes (kind)');
    await alter("ALTER TABLE pushes ADD COLUMN color VARCHAR(10) NOT NULL DEFAULT 'red'");
    await alter('ALTER TABLE accounts ADD COLUMN quota INT');
    await alter('CREATE TABLE notes (id INT NOT NULL PRIMARY KEY, note INT NOT NULL)');
    await migrations.requireCurrent();
    expect(await migrations.up()).to.deep.equal([]);
  });

  it('is accepted while another process has done a part of a pending migration', async () => {
    const last = (await migrations.status()).applied.at(-1);
    await database.execute('DELETE FROM migrations WHERE name = $last', { last: String(last) });
    expect(await migrations.problem()).to.equal(undefined);
    expect(await migrations.up()).to.deep.equal([last]);
  });

  it('is refused, and left alone, if a table lacks a column, or has one of another type', async () => {
    await alter('ALTER TABLE pushes DROP COLUMN label');
    const before = await schemaLines(database);
    const [problem = '', ...others] = await refusals();
    expect(others).to.deep.equal([]);
    expect(problem).to.contain('The schema of this database is not the one that this version makes');
    expect(problem).to.contain('it lacks “pushes.label blob”').and.contain('Nothing was changed.');
    await alter('ALTER TABLE pushes ADD COLUMN label VARCHAR(10)');
    expect(await migrations.problem()).to.contain('it lacks “pushes.label blob”');
    await alter('ALTER TABLE pushes DROP COLUMN label');
    await alter('ALTER TABLE pushes ADD COLUMN label BLOB');
    expect(await migrations.problem()).to.equal(undefined);
    expect(await schemaLines(database)).to.deep.equal(new Set([...before, 'pushes.label blob']));
  });

  it('is refused if it lacks an index, or needs a value that this version does not give', async () => {
    await alter(onMariadb ? 'DROP INDEX pushes_by_due_at ON pushes' : 'DROP INDEX pushes_by_due_at');
    expect(await migrations.problem()).to.contain('it lacks “index pushes (due_at)”');
    await alter('CREATE INDEX pushes_by_due_at ON pushes (due_at)');
    expect(await migrations.problem()).to.equal(undefined);
    if (!onMariadb) return; // SQLite adds no such column to a table
    await alter('ALTER TABLE pushes ADD COLUMN token_sealed BLOB NOT NULL');
    expect(await migrations.problem()).to.contain('it has “pushes.token_sealed blob not null”');
  });

  it('is told to be of an early version if it was made before fingerprints were kept, even with the same tables', async () => {
    await forgetFingerprints();
    const [problem = '', ...others] = await refusals();
    expect(others).to.deep.equal([]);
    expect(problem).to.match(
      /^This database was made by hushpush 1\.0\.0-rc\.1 or an earlier development version/,
    );
    await alter('ALTER TABLE pushes DROP COLUMN label');
    expect(await refusals()).to.deep.equal([problem]);
  });

  it('makes a running process unready as soon as one of its migrations is another one', async () => {
    await migrations.requireApplied();
    await alter(`UPDATE migrations SET fingerprint = '${'0'.repeat(64)}' WHERE name = '0002-pushes'`);
    const error = await migrations.requireApplied().catch((reason: unknown) => reason);
    expect(toRefusal(error)).to.include({ code: 'unavailable', messageCode: 'schemaDiffers' });
    expect(await refusals()).to.deep.equal([await migrations.problem()]);
    expect(await migrations.problem()).to.contain('its migration 0002-pushes is another one');
  });

  it('of a newer version is called newer, and never early', async () => {
    await alter("INSERT INTO migrations (name) VALUES ('0099-future')");
    expect(await refusals()).to.deep.equal([
      'The database has migrations of a newer version: 0099-future. Start that version, or revert them with it.',
    ]);
    await migrations.requireApplied();
  });
});

describe('A database that an early version has made', () => {
  for (const version of ['1.0.0-rc.1', '0.1.0']) {
    it(`(${version}) is not served, migrated or backed up: the operator is told what to do, and it stays as it is`, async () => {
      const { url, drop } = await freshSqlite();
      const file = url.slice('sqlite:'.length);
      const stored = gunzipSync(readFileSync(join(import.meta.dirname, 'stores', `${version}.db.gz`)));
      await writeFile(file, stored);
      const folder = await openFolder({ ...newSharedSettings(url), BASE_URL: 'http://push.test' });
      try {
        for (const command of ['start', 'migrate up', 'backup backup.tar', 'migrate down --yes']) {
          const { code, stderr } = await folder.run(command);
          expect({ code }, command).to.deep.equal({ code: 78 });
          expect(stderr, command).to.contain(
            'hushpush: This database was made by hushpush 1.0.0-rc.1 or an earlier development version, which this version cannot use. Nothing was changed. ',
          );
          expect(stderr.trimEnd().split('\n'), command).to.have.length(1);
        }
        const status = await folder.run('migrate status --json');
        expect(status.code).to.equal(78);
        expect(JSON.parse(status.stdout)).to.deep.include({ newer: [] });
        expect(JSON.parse(status.stdout).problem).to.contain('1.0.0-rc.1 or an earlier');
        const doctor = await folder.run('doctor --json');
        const findings = JSON.parse(doctor.stdout) as { check: string; code: string }[];
        expect(findings.find(({ check }) => check === 'schema')).to.include({ code: 'schemaUnusable' });
        expect((await readFile(file)).equals(stored)).to.equal(true);
      } finally {
        await folder.remove();
        await drop();
      }
    });
  }
});

import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { createDomain } from '../../src/domain/index.ts';
import type { ProcessResult } from '../harness/cli.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { migrationsFolder, newKeyring, registerProcess } from '../harness/service.ts';

describe('Migrating beside the service', () => {
  let folder: DatabaseFolder;

  beforeEach(async () => {
    folder = await openDatabaseFolder();
  });

  afterEach(() => folder.remove());

  const status = () =>
    folder.withDatabase((database) => createMigrations(database, migrationsFolder).status());
  const refused = ({ code, stdout, stderr }: ProcessResult, expectedCode: number, problem: RegExp) => {
    expect({ code, stdout }, stderr).to.deep.equal({ code: expectedCode, stdout: '' });
    expect(stderr).to.match(problem);
  };

  it('migrate down reverts nothing while a process serves, nor without --yes where nobody can be asked', async () => {
    const served = await folder.start();
    await served.ready();
    refused(
      await folder.run('migrate down --to 0 --yes'),
      1,
      /^hushpush: Stop the service first: one of its processes is running\./,
    );
    expect((await served.stop()).code).to.equal(0);
    refused(
      await folder.run('migrate down --to 0'),
      1,
      /deletes the data of 0001-accounts.* Add --yes to agree/,
    );
    expect(await status()).to.deep.include({ pending: [] });
  });

  it('a command other than migrate and start leaves a pending migration alone, and says how to apply it', async () => {
    await folder.withDatabase(async (database) => {
      const { up, down } = createMigrations(database, migrationsFolder);
      await up();
      await down();
    });
    const before = await status();
    refused(
      await folder.run('admin account list'),
      78,
      /^hushpush: Migrations are pending: \S+\. Run hushpush migrate up\.\n$/,
    );
    expect(await status()).to.deep.equal(before);
  });

  it('an older version does not start on the schema of a newer one, and doctor says why', async () => {
    await folder.withDatabase(async (database) => {
      await createMigrations(database, migrationsFolder).up();
      await database.execute("INSERT INTO migrations (name) VALUES ('0099-future')", {});
    });
    const [started, doctor] = await Promise.all([folder.run('start'), folder.run('doctor --json')]);
    expect(started.code).to.equal(78);
    expect(started.stderr).to.match(
      /^hushpush: The database has migrations of a newer version: 0099-future\. /m,
    );
    expect(doctor.code).to.equal(1);
    expect(doctor.stdout).to.contain('newer than this version: 0099-future');
  });

  it('a process that was killed counts as running for no more than a minute', async () => {
    await folder.withDatabase(async (database) => {
      const { processes } = createDomain({
        database,
        keyring: newKeyring(),
        settings: domainSettings(readConfig({})),
      });
      expect(await processes.count()).to.equal(0); // without tables too
      await createMigrations(database, migrationsFolder).up();
      await registerProcess(database);
      expect(await processes.count()).to.equal(1);
      await database.execute('UPDATE processes SET expires_at = expires_at - 60000', {});
      expect(await processes.count()).to.equal(0);
    });
  });
});

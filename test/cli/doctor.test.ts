import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectDatabase } from '../../src/domain/database.ts';
import { requireMatchingKeys } from '../../src/domain/keyChecks.ts';
import { createMigrations } from '../../src/domain/migrations.ts';
import { makeKeyFile } from '../../src/keyFile.ts';
import { type Folder, type Outcome, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { shareDatabase } from '../harness/process.ts';
import { migrationsFolder, newKeyring } from '../harness/service.ts';

type Finding = { check: string; state: string; finding: string; advice?: string };

describe('doctor', () => {
  let fresh: FreshDatabase;
  let folder: Folder;

  beforeEach(async () => {
    fresh = await freshDatabase();
    folder = await openFolder();
  });

  afterEach(async () => {
    await folder.remove();
    await fresh.drop();
  });

  /** What doctor found, by what it looked at. Fails where a finding to act on comes without advice. */
  function findingsOf({ stdout, stderr }: Outcome): Record<string, Finding> {
    expect(stderr).to.equal('');
    const findings = JSON.parse(stdout) as Finding[];
    for (const { state, advice, finding } of findings) {
      expect(state === 'ok', finding).to.equal(advice === undefined);
      if (advice !== undefined) expect(advice).to.match(/^[A-Z].*\.$/);
    }
    return Object.fromEntries(findings.map((finding) => [finding.check, finding]));
  }

  /** A clock that is an hour late, and a disk with hardly any room. */
  const badMachine = `
  import promises from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  promises.statfs = async () => ({ bavail: 100, bsize: 1024 ** 2 });
  syncBuiltinESMExports();`;

  it('finds settings that endanger secrets, pending migrations, a wrong clock, a full disk, and a key file that others read', async () => {
    const keyFile = join(folder.path, 'master.key');
    await makeKeyFile(keyFile);
    await chmod(keyFile, 0o640);
    const settings = {
      DATABASE_URL: fresh.url,
      MASTER_KEYS_FILE: keyFile,
      RATE_LIMITS: 'off',
      BASE_URL: 'http://push.example.com',
    };
    const outcome = await folder.run('doctor --json', { settings, preload: badMachine });
    expect(outcome.code).to.equal(1);
    const findings = findingsOf(outcome);
    expect(findings.RATE_LIMITS).to.include({ state: 'warning', finding: 'are off' });
    expect(findings.TLS).to.include({ state: 'warning', finding: 'BASE_URL is not https' });
    expect(findings.TRUSTED_PROXIES).to.include({ state: 'warning', finding: 'is empty' });
    expect(findings.schema).to.include({ state: 'warning' });
    expect(findings.schema?.finding).to.match(/^pending: 0001-accounts, .*$/);
    expect(findings.schema?.advice).to.contain('hushpush migrate up');
    expect(findings.clock).to.include({ state: 'warning', finding: 'differs from the database’s by 3600 s' });
    expect(findings.disk).to.include({ state: 'warning' });
    expect(findings.disk?.finding).to.match(/^100 MiB free at /);
    expect(findings['key file']).to.deep.equal({
      check: 'key file',
      state: 'failure',
      finding: `${keyFile} is readable by others`,
      advice: `Run chmod 600 ${keyFile}.`,
    });
  });

  it('finds keys of another database and a service that others reach without BASE_URL, and says in words what to do', async () => {
    const database = connectDatabase(fresh.url, { poolSize: 1 });
    await createMigrations(database, migrationsFolder).up();
    await requireMatchingKeys(database, newKeyring());
    await database.close();
    const settings = { ...shareDatabase(fresh.url), HOST: '0.0.0.0' };
    const { code, stdout } = await folder.run('doctor', { settings });
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /^warning {2}BASE_URL: is not set, so links begin with http:\/\/0\.0\.0\.0:5100\n {10}→ Set it to .*\.\n/,
    );
    expect(stdout).to.match(
      /\nFAILURE {2}keys: PEPPER is not the one that this database was written with\n {10}→ Use the keys .*\.\n/,
    );
    expect(stdout).to.match(/\nok {7}key file: the keys come from MASTER_KEYS\n/);
  });

  it('finds a database that is away, goes on to what else there is, and is fine with http for oneself', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const url = onMariadb
      ? 'mysql://root:tulip@127.0.0.1:1/hushpush'
      : `sqlite:${join(file, 'data', 'hushpush.db')}`;
    const settings = { ...shareDatabase(url), BASE_URL: 'http://localhost:5100' };
    const outcome = await folder.run('doctor --json', { settings });
    expect(outcome.code).to.equal(1);
    expect(outcome.stdout).to.not.contain('tulip');
    const findings = findingsOf(outcome);
    expect(findings.database).to.include({ state: 'failure' });
    expect(findings.database?.finding).to.match(onMariadb ? /out of reach.*ECONNREFUSED/ : /ENOTDIR/);
    expect(findings).to.not.have.any.keys('TLS', 'schema');
    expect(findings.disk).to.include({ state: onMariadb ? 'ok' : 'failure' });
  });

  if (onMariadb) {
    it('shows where the database is, but never its password', async () => {
      const database = connectDatabase(fresh.url, { poolSize: 1 });
      const name = new URL(fresh.url).pathname.slice(1);
      await database.sequelize.query(`CREATE USER ${name}@'127.0.0.1' IDENTIFIED BY 'tulip@rose'`);
      await database.sequelize.query(`GRANT ALL ON ${name}.* TO ${name}@'127.0.0.1'`);
      const url = fresh.url.replace('root@', `${name}:tulip@rose@`);
      const outcome = await folder.run('doctor --json', { settings: shareDatabase(url) });
      await database.sequelize.query(`DROP USER ${name}@'127.0.0.1'`);
      await database.close();
      expect(findingsOf(outcome).database).to.include({ state: 'ok' });
      expect(outcome.stdout)
        .to.contain(`mysql://${name}:…@127.0.0.1`)
        .and.not.match(/tulip|rose/);
    });
  } else {
    it('finds that the key file of the database is missing, and makes none', async () => {
      await mkdir(join(folder.path, 'data'));
      await writeFile(join(folder.path, 'data/hushpush.db'), '');
      const outcome = await folder.run('doctor --json');
      expect(outcome.code).to.equal(1);
      const findings = findingsOf(outcome);
      expect(findings.keys).to.include({ state: 'failure' });
      expect(findings['key file']).to.include({
        state: 'failure',
        finding: `${join(folder.path, 'data/master.key')} is missing`,
      });
      expect(findings.disk).to.include({ state: 'ok' });
    });
  }
});

import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { Finding } from '../../src/config/checks.ts';
import { domainSettings, readConfig } from '../../src/config.ts';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { createDomain } from '../../src/domain/index.ts';
import { requireMatchingKeys } from '../../src/domain/keys/keyChecks.ts';
import { createKeyFile } from '../../src/runtime/keyFile.ts';
import { createLocalStore } from '../../src/stores/local.ts';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { byCheck, examined } from '../harness/doctor.ts';
import { geoDatabase } from '../harness/geoDatabase.ts';
import { lookFolder } from '../harness/look.ts';
import { newSharedSettings, openServiceDatabase } from '../harness/process.ts';
import { anonymous, migrationsFolder, newKeyring } from '../harness/service.ts';

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
  function findingsOf({ stdout, stderr }: ProcessResult): Record<string, Finding> {
    expect(stderr).to.equal('');
    return byCheck(JSON.parse(stdout) as Finding[]);
  }

  /** Creates the file of an embedded database. */
  async function createEmpty(url: string): Promise<void> {
    const database = connectDatabase(url, { poolSize: 1 });
    await database.select('SELECT 1', {});
    await database.close();
  }

  /** Every file and folder below a folder, with its size and when it was last changed. */
  async function treeOf(path: string): Promise<string[]> {
    const names = (await readdir(path, { recursive: true })).sort();
    const stats = await Promise.all(names.map((name) => stat(join(path, name))));
    return names.map((name, index) => `${name} ${stats[index]?.size} ${stats[index]?.mtimeMs}`);
  }

  /** A clock that is an hour late, and a disk with hardly any room. */
  const badMachine = `
  import promises from 'node:fs/promises';
  import { syncBuiltinESMExports } from 'node:module';
  const now = Date.now;
  Date.now = () => now() - 3_600_000;
  promises.statfs = async () => ({ bavail: 100, bsize: 1024 ** 2 });
  syncBuiltinESMExports();`;

  it('reports how chats are connected, and warns when a chat cannot reach the service', async () => {
    const slack = { SLACK_SIGNING_SECRET: 's', SLACK_BOT_TOKEN: 'xoxb-1' };
    const away = 'http://127.0.0.1:1/api/';
    const socket = { ...slack, SLACK_MODE: 'socket', SLACK_APP_TOKEN: 'xapp-1' };
    const found = async (settings: Record<string, string>) =>
      (await examined({ DATABASE_URL: fresh.url, SLACK_API_URL: away, ...settings })).Slack;
    const discord = {
      DISCORD_MODE: 'http',
      DISCORD_TOKEN: 't',
      DISCORD_APPLICATION_ID: '1234567890123456789',
    };
    const withDiscord = await examined({
      DATABASE_URL: fresh.url,
      DISCORD_API_URL: away,
      ...discord,
      DISCORD_PUBLIC_KEY: 'ab'.repeat(32),
    });
    expect(withDiscord.Discord).to.include({ state: 'warning' });
    expect(withDiscord.Slack).to.equal(undefined);
    expect(await found(slack)).to.include({ state: 'warning' });
    expect(await found(socket)).to.include({ state: 'ok', finding: 'uses a WebSocket' });
    expect(await found({ ...slack, BASE_URL: 'https://127.0.0.1:1' })).to.include({ finding: 'uses HTTP' });
  });

  it('finds unsafe settings, pending migrations, a wrong clock, a full disk, and a key file that others can read', async () => {
    const keyFile = join(folder.path, 'master.key');
    await createKeyFile(keyFile);
    await chmod(keyFile, 0o604);
    await createEmpty(fresh.url);
    const settings = {
      DATABASE_URL: fresh.url,
      MASTER_KEYS_FILE: keyFile,
      RATE_LIMITS: 'off',
      BASE_URL: 'http://push.invalid',
    };
    const outcome = await folder.run('doctor --json', { settings, preload: badMachine });
    expect(outcome.code).to.equal(1);
    const findings = findingsOf(outcome);
    expect(findings.RATE_LIMITS).to.include({ state: 'warning', finding: 'are off' });
    expect(findings.TLS).to.include({
      state: 'warning',
      finding: 'links start with http://push.invalid, which is not https',
    });
    expect(findings.TRUSTED_PROXIES).to.include({ state: 'warning', finding: 'is empty' });
    expect(findings.schema).to.include({ state: 'warning' });
    expect(findings.schema?.finding).to.match(/^pending: 0001-accounts, .*$/);
    expect(findings.schema?.advice).to.contain('hushpush migrate up');
    expect(findings.clock).to.include({
      state: 'warning',
      finding: 'differs from the database’s clock by 3600 s',
    });
    expect(findings.disk).to.include({ state: 'warning' });
    expect(findings.disk?.finding).to.match(/^100 MiB free at /);
    expect(findings['key file']).to.deep.equal({
      code: 'keyFileOpen',
      check: 'key file',
      state: 'failure',
      finding: `everybody on this machine can read ${keyFile}`,
      advice: `Run chmod 600 ${keyFile}.`,
    });
  });

  it('finds a database of places that is old or cannot be used', async () => {
    const path = join(folder.path, 'places.mmdb');
    const found = async (builtAt: number) => {
      await writeFile(path, geoDatabase({ networks: {}, builtAt }));
      return (await examined({ DATABASE_URL: fresh.url, GEOIP_DATABASE: path })).GEOIP_DATABASE;
    };
    expect((await examined({ DATABASE_URL: fresh.url })).GEOIP_DATABASE).to.equal(undefined);
    expect(await found(Date.now())).to.include({ state: 'ok' });
    expect(await found(Date.UTC(2026, 0, 2))).to.include({
      state: 'warning',
      finding: 'GeoLite2-City is of 2026-01-02, and addresses move',
    });
    await rm(path);
    const { GEOIP_DATABASE: missing } = await examined({ DATABASE_URL: fresh.url, GEOIP_DATABASE: path });
    expect(missing).to.include({
      state: 'failure',
      finding: `The file ${path} of GEOIP_DATABASE cannot be read (ENOENT).`,
    });
  });

  it('finds a look that cannot be used', async () => {
    const found = async (look: object) =>
      (await examined({ DATABASE_URL: fresh.url, LOOK_DIR: await lookFolder(look) })).LOOK_DIR;
    expect((await examined({ DATABASE_URL: fresh.url })).LOOK_DIR).to.equal(undefined);
    const good = await found({ name: 'Acme' });
    expect(good).to.include({ code: 'lookRead', state: 'ok' });
    expect(good?.finding).to.match(/ has a look, called Acme$/);
    const bad = await found({ light: { accent: '#ff6600' } });
    expect(bad).to.include({ code: 'lookUnusable', state: 'failure' });
    expect(bad?.finding).to.match(/light\.accent #ff6600 has a contrast of 2\.58 .*; #[\da-f]{6} would do/);
  });

  it('finds keys of another database and a missing BASE_URL, and prints advice', async () => {
    const database = connectDatabase(fresh.url, { poolSize: 1 });
    await createMigrations(database, migrationsFolder).up();
    await requireMatchingKeys(database, newKeyring());
    await database.close();
    const settings = { ...newSharedSettings(fresh.url), HOST: '0.0.0.0' };
    const { code, stdout } = await folder.run('doctor', { settings });
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /\nwarning {2}BASE_URL: links start with http:\/\/localhost:5100, which only this machine can open\n {10}→ Set .*\.\n/,
    );
    expect(stdout).to.match(
      /\nFAILURE {2}keys: PEPPER is not the one that this database was written with\n {10}→ Use the keys .*\.\n/,
    );
    expect(stdout).to.match(/\nok {7}key file: the keys come from MASTER_KEYS\n/);
  });

  it('finds a new master key that waits for a process, and one that is missing, with what needs it', async () => {
    const shared = newSharedSettings(fresh.url);
    const both = { ...shared, MASTER_KEYS: `2:${newKey()},${shared.MASTER_KEYS}` };
    const store = openServiceDatabase(both);
    await createMigrations(store.database, migrationsFolder).up();
    const keyring = parseKeyring(shared.MASTER_KEYS, shared.PEPPER);
    await requireMatchingKeys(store.database, keyring);
    const domain = createDomain({
      database: store.database,
      keyring,
      settings: domainSettings(readConfig({})),
    });
    const account = await domain.accounts.create({ email: 'ann@example.com' });
    await domain.pushes.create({ payload: 'tulip' }, { ...anonymous, account });
    await requireMatchingKeys(store.database, store.keyring);
    const { now } = store.database.dialect;
    await store.database.execute(
      `INSERT INTO processes (id, name, key_ids, active_key_id, registered_at, expires_at)
       VALUES ('x', 'web-2 pid 7', ',1,', 1, 0, ${now} + 600000)`,
      {},
    );
    expect((await examined(both)).keys).to.deep.include({
      state: 'warning',
      finding: 'master key 2 waits until every process has it: web-2 pid 7',
    });
    await store.close();
    const [newest = ''] = both.MASTER_KEYS.split(',');
    expect((await examined({ ...shared, MASTER_KEYS: newest })).keys).to.deep.include({
      state: 'failure',
      finding:
        'master key 1 is missing; 1 label of an owned push (link, name, note), 1 secret cannot be decrypted',
    });
  });

  it('writes nothing: no table, no row and no file', async () => {
    const settings = newSharedSettings(fresh.url);
    await createEmpty(fresh.url);
    const database = connectDatabase(fresh.url, { poolSize: 1 });
    expect((await examined(settings)).schema).to.include({ state: 'warning' });
    expect(await database.sequelize.getQueryInterface().showAllTables()).to.deep.equal([]);
    await createMigrations(database, migrationsFolder).up();
    expect((await examined(settings)).keys).to.include({ state: 'ok' });
    expect(await database.select('SELECT * FROM key_checks', {})).to.deep.equal([]);
    await database.close();
    const files = onMariadb ? [] : await treeOf(dirname(fresh.url.slice('sqlite:'.length)));
    await folder.run('doctor', { settings });
    expect(onMariadb ? [] : await treeOf(dirname(fresh.url.slice('sqlite:'.length)))).to.deep.equal(files);
    expect(await treeOf(folder.path)).to.deep.equal([]);
  });

  it('finds a database that is out of reach, runs the other checks, and accepts http on loopback', async () => {
    const file = join(folder.path, 'file');
    await writeFile(file, '');
    const url = onMariadb
      ? 'mysql://root:tulip@127.0.0.1:1/pushes'
      : `sqlite:${join(file, 'data', 'hushpush.db')}`;
    const settings = { ...newSharedSettings(url), BASE_URL: 'http://localhost:1' };
    const outcome = await folder.run('doctor --json', { settings });
    expect(outcome.code).to.equal(1);
    expect(outcome.stdout).to.not.contain('tulip');
    const findings = findingsOf(outcome);
    expect(findings.database).to.include({ state: 'failure' });
    expect(findings.database?.finding).to.match(
      onMariadb ? /^nothing listens at 127.0.0.1:1, database pushes/ : /cannot be created in /,
    );
    expect(findings).to.not.have.any.keys('TLS', 'schema');
  });

  it('finds missing files, files without a push, and a folder that it cannot write to', async () => {
    const shared = newSharedSettings(fresh.url);
    const files = join(folder.path, 'kept');
    const store = openServiceDatabase(shared);
    await createMigrations(store.database, migrationsFolder).up();
    await requireMatchingKeys(store.database, store.keyring);
    const settings = domainSettings(readConfig({ FILES: 'everyone' }));
    const domain = createDomain({
      database: store.database,
      keyring: store.keyring,
      settings,
      store: createLocalStore(files),
    });
    await using creation = await domain.pushes.begin(anonymous);
    for (const filename of ['a', 'b'])
      await creation.addFile({ filename, contentType: '', stream: Readable.from([Buffer.from('x')]) });
    await creation.create({});
    const found = async (FILES_DIR: string) => (await examined({ ...shared, FILES_DIR })).files;
    expect(await found(files)).to.deep.equal({
      code: 'filesComplete',
      check: 'files',
      state: 'ok',
      finding: `2 files in ${files}`,
    });

    const [name = ''] = await readdir(files);
    await rename(join(files, name), join(files, `${name.slice(0, 8)}${'0'.repeat(32)}`));
    const lost = await found(files);
    expect(lost).to.include({ state: 'failure', finding: `1 files are missing from ${files}` });
    await store.database.execute('DELETE FROM files WHERE object = $name', { name });
    const strays = await found(files);
    expect(strays).to.include({ state: 'warning', finding: `1 files in ${files} belong to no push` });
    expect(await readdir(files)).to.have.length(2);

    expect((await examined({ ...shared, FILES_DIR: files }, { isProbed: true })).files).to.deep.equal(strays);
    expect(await readdir(files)).to.have.length(2);
    const away = await found('/dev/null/files');
    expect(away?.finding).to.match(/^The file store is out of reach.*\(ENOTDIR\)$/);
    await store.database.execute('UPDATE files SET shred_at = 1', {});
    const late = await examined({ ...shared, FILES_DIR: files });
    expect(late.shredding).to.include({ state: 'failure' });
    expect(late.shredding?.finding).to.match(/^1 files are not erased, the oldest for \d+ s$/);
    await store.close();
  });

  if (onMariadb) {
    it('shows the address of the database, but never its password', async () => {
      const database = connectDatabase(fresh.url, { poolSize: 1 });
      const name = new URL(fresh.url).pathname.slice(1);
      await database.sequelize.query(`CREATE USER ${name}@'127.0.0.1' IDENTIFIED BY 'tulip@rose'`);
      await database.sequelize.query(`GRANT ALL ON ${name}.* TO ${name}@'127.0.0.1'`);
      const url = Object.assign(new URL(fresh.url), { username: name, password: 'tulip@rose' });
      const outcome = await folder.run('doctor --json', { settings: newSharedSettings(url.href) });
      await database.sequelize.query(`DROP USER ${name}@'127.0.0.1'`);
      await database.close();
      expect(findingsOf(outcome).database).to.include({ state: 'ok' });
      expect(outcome.stdout)
        .to.contain(`mysql://${name}:…@127.0.0.1`)
        .and.not.match(/tulip|rose/);
    });
  } else {
    it('says before the first start what that will create, and creates nothing itself', async () => {
      const { code, ...outcome } = await folder.run('doctor --json', {
        settings: { DATABASE_URL: `sqlite:${join(folder.path, 'no/such/folder/hushpush.db')}` },
      });
      const { database, 'key file': keyFile } = findingsOf({ code, ...outcome });
      expect(await treeOf(folder.path)).to.deep.equal([]);
      expect({ code, database: database?.code, keyFile: keyFile?.code }).to.deep.equal({
        code: 0,
        database: 'databaseFolderNotYet',
        keyFile: 'keyFileNotYet',
      });
    });

    it('finds that the key file of the database is missing, and does not create one', async () => {
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

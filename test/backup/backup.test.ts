import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import { backUp } from '../../src/backup/backup.ts';
import { openBackup, restoreFiles, restoreRows, restoreSqlite } from '../../src/backup/restore.ts';
import { sealText } from '../../src/crypto/backupSeal.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { readRows } from '../../src/database/rows.ts';
import { createRestoration, UnfinishedRestore } from '../../src/domain/restoration.ts';
import { bearer, type Client, createClient, times } from '../harness/api.ts';
import { freshDatabase, onMariadb } from '../harness/database.ts';
import { encodingsOf } from '../harness/encodings.ts';
import { asMultipartForm } from '../harness/files.ts';
import { createForms } from '../harness/forms.ts';
import {
  createAccount,
  migrationsFolder,
  registerProcess,
  startService,
  type TestService,
} from '../harness/service.ts';
import { until } from '../harness/until.ts';

describe('A backup of a running service', () => {
  let service: TestService;
  let client: Client;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-'));
    service = await startService();
    client = createClient(service.port);
  });

  afterEach(async () => {
    client.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function backUpTo(path: string) {
    const { database, domain, fileStore, keyring } = service;
    const migrations = createMigrations(database, migrationsFolder);
    const seal = (sums: string) => sealText(keyring, sums);
    const source = { database, migrations, domain, fileStore, version: '0.0.0', seal };
    return backUp(source, path, { withFiles: true });
  }

  /** The database of a backup, in another place. */
  async function restored<T>(
    path: string,
    work: (database: ReturnType<typeof connectDatabase>) => Promise<T>,
  ) {
    const { url, drop } = await freshDatabase();
    const backup = await openBackup(path);
    const database = connectDatabase(url, { poolSize: 1 });
    const { mark } = service.domain.restoration;
    if (onMariadb)
      await restoreRows(backup, url, { migrations: createMigrations(database, migrationsFolder), mark });
    else await restoreSqlite(backup, fileOf(url));
    return work(database).finally(async () => {
      await database.close();
      await drop();
    });
  }

  const attached = 'SELECT object FROM files WHERE push_id IS NOT NULL AND label IS NOT NULL ORDER BY object';
  const objectsIn = async (database: ReturnType<typeof connectDatabase>) =>
    (await database.select<{ object: string }>(attached, {})).map(({ object }) => object);

  it('contains no secret in any encoding: not of pushes, files, views, webhooks, notices or accounts', async () => {
    const { domain } = service;
    const word = `~${randomBytes(9).toString('hex')}`;
    const { account, token } = await createAccount(domain, 'ann@example.com', { subscribed: true });
    const { secret } = await domain.webhooks.create(account, { url: `https://example.com/${word}` });
    await domain.passwordLinks.setPassword(account.email, `password ${word}`);
    const fields = { payload: word, passphrase: word, name: word, note: word };
    const owned = await client.create(fields, bearer(token));
    await client.get(`${owned.json}?passphrase=${encodeURIComponent(word)}`);
    const anonymous = await client.create({ payload: word });
    const forms = createForms(domain, client);
    expect((await forms.reveal(anonymous)).text).to.contain(word);
    const attached = asMultipartForm({ [`${word}.txt`]: word }, bearer(token));
    expect((await client.send('POST', '/p.json', attached)).status).to.equal(201);
    await domain.chat.links.create('draft', { text: word });
    const [waiting] = await service.database.select('SELECT id FROM notices WHERE ended_at IS NULL', {});
    const [copy] = await service.database.select('SELECT id FROM spent_nonces WHERE view IS NOT NULL', {});
    expect([waiting, copy]).to.not.include(undefined);

    const path = join(folder, 'backup.tar');
    await backUpTo(path);
    const bytes = await readFile(path);
    expect(bytes.includes('ann@example.com'), 'the archive is not compressed').to.equal(true);
    const signing = Buffer.from(secret.replace('whsec_', ''), 'base64');
    for (const each of [word, token, signing, owned.token, anonymous.token])
      for (const [encoding, form] of encodingsOf(Buffer.from(each)))
        expect(bytes.includes(form), `${each}, ${encoding}`).to.equal(false);
  });

  it('has every file that its database knows, while pushes are created and deleted', async () => {
    const { token } = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    let isOver = false;
    let created = 0;
    async function write(): Promise<void> {
      while (!isOver) {
        const form = asMultipartForm({ 'tulip.txt': `tulip ${created}` }, bearer(token));
        const { body, status, text } = await client.send('POST', '/p.json', form);
        expect(status, text).to.equal(201);
        created += 1;
        if (created % 3 === 0) await client.send('DELETE', `/p/${body.url_token}.json`);
        await service.domain.files.shredDue();
      }
    }
    // One more while the backup begins: just before its copy of the database, which then knows it.
    service.domain.processes.count = async () => {
      await client.send('POST', '/p.json', asMultipartForm({ 'rose.txt': 'rose' }, bearer(token)));
      return 0;
    };
    const writing = times(3, write);
    try {
      await until(() => created >= 10);
      for (const name of ['first.tar', 'second.tar']) {
        const path = join(folder, name);
        const before = created;
        const { takenAt } = await backUpTo(path);
        expect(created, 'pushes were created meanwhile').to.be.above(before);
        const { about, sums } = await openBackup(path);
        expect(about.takenAt).to.equal(takenAt);
        const archived = new Set([...sums.keys()].map((entry) => entry.replace('files/', '')));
        const known = await restored(path, objectsIn);
        const alive = new Set(await objectsIn(service.database));
        const lost = known.filter((object) => !archived.has(object) && alive.has(object));
        expect({ lost, isEmpty: known.length === 0 }).to.deep.equal({ lost: [], isEmpty: false });
      }
    } finally {
      isOver = true;
      await writing;
    }
  });

  it('is not served where it is restored, by any means, before its pushes have ended', async () => {
    const path = join(folder, 'backup.tar');
    await client.create();
    const { takenAt, whileServing } = await backUpTo(path);
    expect(whileServing).to.equal(false);
    await registerProcess(service.database);
    expect(await backUpTo(join(folder, 'another.tar'))).to.include({ whileServing: true });
    await restored(path, async (database) => {
      const restoration = createRestoration({ database, settings: { retentionMs: 0 } });
      const error = await restoration.requireFinished().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(UnfinishedRestore);
      expect(String(error)).to.contain(takenAt);
      expect(await restoration.finish()).to.include({ endedPushes: 1 });
      expect(await database.select('SELECT id FROM pushes WHERE payload IS NOT NULL', {})).to.deep.equal([]);
    });
    await service.domain.restoration.requireFinished(); // only the copy has the mark
  });

  it('notices a service that starts while it is taken', async () => {
    const { processes } = service.domain;
    const { count } = processes;
    expect(await count()).to.equal(0);
    processes.count = async () => {
      const serving = await count();
      await registerProcess(service.database);
      return serving;
    };
    expect(await backUpTo(join(folder, 'backup.tar'))).to.include({ whileServing: true });
  });

  it('is known as the last one, once it is whole', async () => {
    const { restoration, clock } = service.domain;
    const path = join(folder, 'first.tar');
    expect(await restoration.lastBackupAt()).to.equal(undefined);
    const { takenAt } = await backUpTo(path);
    expect(await restoration.lastBackupAt()).to.equal(Date.parse(takenAt));
    await backUpTo(path).catch(() => {}); // it replaces no file
    expect(await restoration.lastBackupAt()).to.equal(Date.parse(takenAt));
    await backUpTo(join(folder, 'second.tar'));
    expect(await restoration.lastBackupAt()).to.be.within(Date.parse(takenAt) + 1, await clock());
  });

  it('leaves nothing but the archive behind, and nothing at all when it fails', async () => {
    const path = join(folder, 'backup.tar');
    const { token } = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    await client.send('POST', '/p.json', asMultipartForm({ 'tulip.txt': 'tulip' }, bearer(token)));
    service.fileStore.read = async () => {
      throw new Error('tulip');
    };
    expect(await backUpTo(path).catch(String)).to.contain('tulip');
    expect(await readdir(folder)).to.deep.equal([]);
    await client.send('DELETE', '/p/unknown.json');
    await service.database.execute('DELETE FROM files', {});
    await backUpTo(path);
    expect(await readdir(folder)).to.deep.equal(['backup.tar']);
    expect(await backUpTo(path).catch(String)).to.contain('exists');
    expect(await readdir(folder)).to.deep.equal(['backup.tar']);
  });

  it('gives back exactly the rows that it has, whatever is in them', async () => {
    const text = 'tulip \u{1f337}\u2028\r\n\0\\! id "\'';
    const { account } = await createAccount(service.domain, 'ann@example.com');
    await client.create({ payload: text });
    const { mark } = service.domain.restoration;
    const many = Array.from({ length: 1_203 }, (_, index) => index);
    for (const index of many)
      await service.database.execute(
        'INSERT INTO recipients (account_id, messenger, address, types) VALUES ($id, $messenger, $address, $types)',
        {
          id: account.id,
          messenger: `m${index % 7}`,
          address: `${index}`,
          types: index % 2 === 0 ? null : text.replace('\0', ''),
        },
      );
    const large = 'INSERT INTO rate_limits (id, tally, expires_at) VALUES ($id, 9007199254740993, -1)';
    await service.database.execute(large, { id: randomBytes(16) });
    const tables = await createMigrations(service.database, migrationsFolder).tables(
      (await createMigrations(service.database, migrationsFolder).status()).applied,
    );
    const rowsOf = async (database: ReturnType<typeof connectDatabase>) => {
      const found: Record<string, unknown> = {};
      for (const [table, { columns, key }] of tables) {
        if (table === mark.table) continue;
        const list = [...columns.keys()].map((name) => `HEX(${name}) AS ${name}`).join(', ');
        found[table] = await database.select(`SELECT ${list} FROM ${table} ORDER BY ${key.join(', ')}`, {});
      }
      return found;
    };
    const before = await rowsOf(service.database);
    expect(before.recipients).to.have.length(1_203);
    await backUpTo(join(folder, 'backup.tar'));
    await restored(join(folder, 'backup.tar'), async (database) => {
      expect(await rowsOf(database)).to.deep.equal(before);
      expect(await database.select(`SELECT * FROM ${mark.table}`, {})).to.have.length(1);
    });
  });

  it('puts back the files that are missing, and leaves those that are there alone', async () => {
    const { token } = await createAccount(service.domain, 'ann@example.com', { subscribed: true });
    for (const name of ['tulip.txt', 'rose.txt'])
      await client.send('POST', '/p.json', asMultipartForm({ [name]: name }, bearer(token)));
    await backUpTo(join(folder, 'backup.tar'));
    const [kept = '', lost = ''] = await objectsIn(service.database);
    const { fileStore } = service;
    await fileStore.remove(kept);
    await fileStore.put(kept, Readable.from([Buffer.from('mine')]));
    await fileStore.remove(lost);
    const backup = await openBackup(join(folder, 'backup.tar'));
    expect(await restoreFiles(backup, service.domain.files, fileStore)).to.equal(1);
    expect(await fileStore.sizeOf(kept)).to.equal(4);
    expect(await fileStore.sizeOf(lost)).to.be.above(4);
  });

  if (onMariadb) {
    it('is of one moment, whatever is written while its rows are read', async () => {
      await createAccount(service.domain, 'ann@example.com');
      const { tables, status } = createMigrations(service.database, migrationsFolder);
      const rows: string[] = [];
      let created = 0;
      for await (const chunk of readRows(service.database, await tables((await status()).applied))) {
        if (chunk.startsWith('[') && created === 0) {
          await client.create();
          created += 1;
        }
        rows.push(chunk);
      }
      expect(created).to.equal(1);
      const pushes = rows.findIndex((chunk) => chunk.startsWith('{"table":"pushes"'));
      expect(rows[pushes + 1], 'there is no row').to.match(/^\{"table"/);
    });
  } else {
    it('is all that is read where it replaces a database whose log still has pages', async () => {
      const path = join(folder, 'backup.tar');
      await createAccount(service.domain, 'ann@example.com');
      await backUpTo(path);
      await createAccount(service.domain, 'bob@example.com'); // in the log, because nothing closes the database
      const source = fileOf(service.databaseUrl);
      expect((await stat(`${source}-wal`)).size).to.be.above(0);
      const target = join(folder, 'hushpush.db');
      for (const suffix of ['', '-wal', '-shm']) await copyFile(source + suffix, target + suffix);
      await restoreSqlite(await openBackup(path), target);
      expect((await readdir(folder)).sort()).to.deep.equal(['backup.tar', 'hushpush.db']);
      const database = connectDatabase(`sqlite:${target}`, { poolSize: 1 });
      const accounts = await database.select('SELECT email FROM accounts', {}).finally(database.close);
      expect(accounts).to.deep.equal([{ email: 'ann@example.com' }]);
    });

    it('with a database that runs programs of its own, or has other tables, leaves the old one in place', async () => {
      const path = join(folder, 'backup.tar');
      const target = join(folder, 'hushpush.db');
      await writeFile(target, 'the old one');
      const changes = [
        'CREATE TRIGGER tulip AFTER DELETE ON pushes BEGIN SELECT 1; END',
        'CREATE VIEW tulip AS SELECT 1',
        'ALTER TABLE pushes DROP COLUMN label',
      ];
      for (const [index, change] of changes.entries()) {
        const { requireCurrent } = createMigrations(service.database, migrationsFolder);
        await requireCurrent();
        await service.database.sequelize.query(change);
        await backUpTo(path + index);
        const error = await restoreSqlite(await openBackup(path + index), target).catch(String);
        expect(error).to.contain('The database in the backup cannot be used');
        expect(await readFile(target, 'utf8')).to.equal('the old one');
        if (change.startsWith('CREATE'))
          await service.database.sequelize.query(change.replace(/^CREATE (\w+ \w+).*/, 'DROP $1'));
      }
      expect((await readdir(folder)).filter((name) => name.includes('restoring'))).to.deep.equal([]);
    });
  }
});

const fileOf = (url: string) => url.slice('sqlite:'.length);

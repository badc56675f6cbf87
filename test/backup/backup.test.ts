import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readArchive } from '../../src/backup/archive.ts';
import { backUp } from '../../src/backup/backup.ts';
import { openBackup, restoreDatabase } from '../../src/backup/restore.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
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
    const { databaseUrl: url, database, domain, fileStore } = service;
    const { applied } = await createMigrations(database, migrationsFolder).status();
    const source = { url, database, schema: applied, domain, fileStore, version: '0.0.0' };
    return backUp(source, path, { withFiles: true });
  }

  /** The database of a backup, in another place. */
  async function restored<T>(
    path: string,
    work: (database: ReturnType<typeof connectDatabase>) => Promise<T>,
  ) {
    const { url, drop } = await freshDatabase();
    await restoreDatabase(path, onMariadb ? { url } : { file: url.slice('sqlite:'.length) });
    const database = connectDatabase(url, { poolSize: 1 });
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
        expect((await openBackup(path)).takenAt).to.equal(takenAt);
        const archived = new Set<string>();
        await readArchive(path, async (entry) => void archived.add(entry.replace('files/', '')));
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
      const restoration = createRestoration(database, { retentionMs: 0 });
      const error = await restoration.requireFinished().catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(UnfinishedRestore);
      expect(String(error)).to.contain(takenAt);
      expect(await restoration.finish()).to.include({ endedPushes: 1 });
      expect(await database.select('SELECT id FROM pushes WHERE payload IS NOT NULL', {})).to.deep.equal([]);
    });
    await service.domain.restoration.requireFinished(); // only the copy has the mark
  });
});

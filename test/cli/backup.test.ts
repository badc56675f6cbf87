import { copyFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createKeyFile } from '../../src/runtime/keyFile.ts';
import { createClient } from '../harness/api.ts';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase } from '../harness/database.ts';
import { asMultipartForm, downloadPath, filesOf } from '../harness/files.ts';

describe('backup and restore', () => {
  let databases: FreshDatabase[];
  let folders: Folder[];

  beforeEach(() => {
    databases = [];
    folders = [];
  });

  afterEach(async () => {
    for (const folder of folders) await folder.remove();
    for (const database of databases) await database.drop();
  });

  /** A folder for a service on a new database. On MariaDB the keys are in a file too. */
  async function openPlace() {
    const database = await freshDatabase();
    const settings = { DATABASE_URL: database.url, MASTER_KEYS_FILE: 'master.key', FILES_DIR: 'files' };
    const folder = await openFolder({ ...settings, FILES: 'everyone', RATE_LIMITS: 'off' });
    databases.push(database);
    folders.push(folder);
    return folder;
  }

  async function start(folder: Folder) {
    const service = await folder.start();
    await service.ready();
    const client = createClient(service.port);
    return {
      ...client,
      payloadOf: async (json: string) => (await client.get(json)).body.payload,
      async stop() {
        client.close();
        expect((await service.stop()).code).to.equal(0);
      },
    };
  }

  function jsonOf({ code, stdout, stderr }: ProcessResult): Record<string, unknown> {
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  it('bring no burned or deleted secret back', async () => {
    const folder = await openPlace();
    await createKeyFile(join(folder.path, 'master.key'));
    const service = await start(folder);
    const [burned, deleted, untouched] = [
      await service.create({ expire_after_views: 1 }),
      await service.create(),
      await service.create(),
    ];
    expect(jsonOf(await folder.run('backup backup.tar --json'))).to.include({ while_serving: true });
    expect(await service.payloadOf(burned.json)).to.equal('tulip');
    await service.send('DELETE', deleted.json);
    const beside = await folder.run('restore backup.tar --yes');
    expect(beside.stderr).to.match(/^hushpush: Stop the service first: /);
    await service.stop();

    const unasked = await folder.run('restore backup.tar');
    expect(unasked).to.include({ code: 1 });
    expect(unasked.stderr).to.match(/replaces all data .* Add --yes/);
    const kept = await folder.run('restore backup.tar --yes --keep-pushes');
    expect(kept.stderr).to.match(/taken while the service ran/);
    expect(jsonOf(await folder.run('restore backup.tar --yes --json'))).to.include({ ended_pushes: 3 });

    const again = await start(folder);
    for (const { json } of [burned, deleted, untouched]) expect(await again.payloadOf(json)).to.equal(null);
    await again.stop();
  });

  it('move a stopped service to another place, with its pushes, files and keys', async () => {
    const [from, to] = [await openPlace(), await openPlace()];
    await createKeyFile(join(from.path, 'master.key'));
    const service = await start(from);
    const push = await service.create({ expire_after_views: 1 });
    const { body } = await service.send('POST', '/p.json', asMultipartForm({ 'tulip.txt': 'a tulip' }));
    await service.stop();
    expect(jsonOf(await from.run('backup backup.tar --with-keys --json'))).to.include({
      files: 1,
      while_serving: false,
    });
    await copyFile(join(from.path, 'backup.tar'), join(to.path, 'backup.tar'));
    await rm(from.path, { recursive: true });

    const unasked = await to.run('restore backup.tar --keep-pushes');
    expect(unasked).to.include({ code: 1 });
    expect(unasked.stderr).to.match(
      /^hushpush: The keys are taken from backup\.tar itself, .* Add --yes to agree/,
    );
    const moved = jsonOf(await to.run('restore backup.tar --keep-pushes --yes --json'));
    expect(moved).to.include({ ended_pushes: 0, files: 1 });
    const again = await start(to);
    expect(await again.payloadOf(push.json)).to.equal('tulip');
    const [file = {}] = filesOf((await again.get(`/p/${body.url_token}.json`)).body);
    expect((await again.get(downloadPath(file))).text).to.equal('a tulip');
    await again.stop();
  });

  it('need no program of the database', async () => {
    const folder = await openPlace();
    await createKeyFile(join(folder.path, 'master.key'));
    const settings = { PATH: folder.path };
    await folder.run('migrate up');
    jsonOf(await folder.run('backup backup.tar --json', { settings }));
    jsonOf(await folder.run('restore backup.tar --json', { settings }));
  });
});

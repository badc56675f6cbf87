import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Client, createClient } from '../harness/api.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import {
  newSharedSettings,
  openServiceDatabase,
  type ServiceProcess,
  startProcess,
} from '../harness/process.ts';
import { untilLater } from '../harness/until.ts';

const mebibyte = 1024 ** 2;
const noSpace = { error: 'There is no space left in the database.' };

/** A disk of 8 MiB in a mount namespace of the process. */
const onSmallDisk = (path: string) => [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t tmpfs -o size=8m tmpfs "$0" && exec "$@"',
  path,
];

describe('A database without space', () => {
  let process: ServiceProcess;
  let client: Client;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'full-'));
  });

  afterEach(async () => {
    client?.close();
    await process?.kill9();
    await rm(folder, { recursive: true, force: true });
  });

  const readiness = async () => {
    const { status, body } = await client.get('/readyz');
    return status === 200 ? body.status : body;
  };

  if (!onMariadb)
    it('is what pushes are refused with, and readiness says so until there is room again', async function () {
      if (spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', folder]).status !== 0)
        return this.skip(); // needs to mount a disk of its own
      const settings = newSharedSettings(`sqlite:${join(folder, 'hushpush.db')}`);
      process = await startProcess(settings, { wrapper: onSmallDisk(folder) });
      client = createClient(process.port);
      const { body: kept } = await client.post('/p.json', { password: { payload: 'tulip' } });
      expect(await readiness()).to.equal('ready');

      const filler = join(`/proc/${process.pid}/root`, folder, 'filler');
      await writeFile(filler, Buffer.alloc(16 * mebibyte)).catch(() => {});
      const payload = 'x'.repeat(mebibyte / 2);
      let refused = await client.post('/p.json', { password: { payload } });
      for (let pushes = 0; refused.status === 201 && pushes < 20; pushes++)
        refused = await client.post('/p.json', { password: { payload } });
      expect(refused).to.deep.include({ status: 503, body: noSpace });
      expect(refused.headers['retry-after']).to.equal('60');
      await untilLater(async () => (await client.get('/readyz')).status === 503);
      expect(await readiness()).to.deep.equal(noSpace);
      expect((await client.get('/livez')).status).to.equal(200);
      await untilLater(() => process.output.includes('"reason":"databaseFull"'));

      await rm(filler);
      await untilLater(async () => (await readiness()) === 'ready');
      const { body } = await client.get(`/p/${kept.url_token}.json`);
      expect(body.payload).to.equal('tulip');
      const { status } = await client.post('/p.json', { password: { payload } });
      expect(status).to.equal(201);
    });

  if (onMariadb)
    describe('of a server', () => {
      let fresh: FreshDatabase;

      beforeEach(async () => {
        fresh = await freshDatabase();
      });

      afterEach(() => fresh.drop());

      it('is what pushes are refused with, and readiness says so until there is room again', async () => {
        const settings = newSharedSettings(fresh.url);
        process = await startProcess(settings);
        client = createClient(process.port);
        const { database, close } = openServiceDatabase(settings);
        const full = `SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114, MESSAGE_TEXT = 'The table is full'`;
        for (const table of ['pushes', 'processes'])
          await database.sequelize.query(
            `CREATE TRIGGER full_${table} BEFORE INSERT ON ${table} FOR EACH ROW ${full}`,
          );
        const push = () => client.post('/p.json', { password: { payload: 'tulip' } });
        expect(await push()).to.deep.include({ status: 503, body: noSpace });
        await untilLater(async () => (await client.get('/readyz')).status === 503);
        expect(await readiness()).to.deep.equal(noSpace);
        for (const table of ['pushes', 'processes'])
          await database.sequelize.query(`DROP TRIGGER full_${table}`);
        await close();
        await untilLater(async () => (await readiness()) === 'ready');
        expect((await push()).status).to.equal(201);
      });
    });
});

import { randomBytes } from 'node:crypto';
import { readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { newKey, parseKeyring } from '../../../src/crypto/keyring.ts';
import { urlTokenDigest } from '../../../src/crypto/pepper.ts';
import type { Database } from '../../../src/database/database.ts';
import {
  type Account,
  createDomain,
  type Domain,
  type FileStore,
  type Push,
  unavailable,
} from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { noStoredFiles, storedFiles } from '../../harness/files.ts';
import {
  anonymous,
  createAccount,
  refusal,
  someClient,
  startService,
  type TestService,
} from '../../harness/service.ts';

describe('The files of a push', () => {
  let service: TestService;
  let account: Account;

  before(async () => {
    service = await startService();
    ({ account } = await createAccount(service.domain, 'ann@example.com', { subscribed: true }));
  });

  beforeEach(async () => {
    for (const table of ['files', 'download_grants', 'audit_rows', 'pushes'])
      await service.database.execute(`DELETE FROM ${table}`, {});
    for (const name of await readdir(service.filesFolder)) await rm(join(service.filesFolder, name));
  });

  after(() => service.stop());

  /** The same service on another database or store. */
  function domainOver(replacements: { database?: Database; store?: FileStore }): Domain {
    const settings = domainSettings(readConfig({ RATE_LIMITS: 'off' }));
    const { database = service.database, store = service.fileStore } = replacements;
    return createDomain({ database, keyring: service.keyring, settings, store });
  }

  const caller = () => ({ account, client: someClient });

  async function push(
    contents: (string | Buffer)[],
    input: Record<string, unknown> = {},
    domain = service.domain,
    meanwhile: () => Promise<unknown> = async () => {},
  ): Promise<Push> {
    await using creation = await domain.pushes.begin(caller());
    for (const [index, content] of contents.entries())
      await creation.addFile({
        filename: `${index}.txt`,
        contentType: 'text/plain',
        stream: chunksOf(content),
      });
    await meanwhile();
    return await creation.create(input);
  }

  async function downloads({ urlToken }: Pick<Push, 'urlToken'>, domain = service.domain): Promise<string[]> {
    const { push } = await domain.pushes.reveal(urlToken, undefined, anonymous);
    return Promise.all(push.files.map(({ download }) => fetch(download ?? '', domain)));
  }

  async function fetch(download: string, domain = service.domain): Promise<string> {
    const [grant = '', number] = download.split('/');
    const file = await domain.files.download(grant, Number(number), someClient);
    return (await buffer(await file.read({ start: 0, end: file.size }))).toString();
  }

  async function filesKey({ urlToken }: Push): Promise<unknown> {
    const [row] = await service.database.select<{ filesKey: Buffer | null }>(
      'SELECT files_key AS filesKey FROM pushes WHERE token_digest = $digest',
      { digest: urlTokenDigest(service.keyring, urlToken) },
    );
    return row?.filesKey;
  }

  const shiftShredding = (ms: number, where = 'TRUE') =>
    service.database.execute(`UPDATE files SET shred_at = shred_at - $ms WHERE ${where}`, { ms });

  describe('when it is viewed', () => {
    it('are granted to as many of fifty simultaneous viewers as it has views, and each can download them', async () => {
      const created = await push(['tulip', 'rose'], { expireAfterViews: 5 });
      const answers = await times(50, () =>
        service.domain.pushes.reveal(created.urlToken, undefined, anonymous),
      );
      const granted = answers.filter(({ push }) => push.files.length > 0);
      expect(granted).to.have.length(5);
      expect(answers.filter(({ payload }) => payload !== null)).to.have.length(5);
      const links = granted.flatMap(({ push }) => push.files.map(({ download }) => download ?? ''));
      expect(new Set(links).size).to.equal(10);
      const contents = await Promise.all(links.map((link) => fetch(link)));
      expect(contents.sort()).to.deep.equal([...Array(5).fill('rose'), ...Array(5).fill('tulip')]);
    });
  });

  describe('with a changed lifetime', () => {
    it('are kept as long as it lives', async () => {
      const { expiresAt } = await push(['tulip'], { expireAfterDays: 3 });
      const sql = 'SELECT shred_at AS shredAt FROM files';
      const [file] = await service.database.select<{ shredAt: number }>(sql, {});
      expect(Number(file?.shredAt)).to.equal(expiresAt);
    });

    it('are kept longer when it is extended', async () => {
      const created = await push(['tulip'], { expireAfterDays: 1 });
      const { expiresAt } = await service.domain.pushes.extend(created.urlToken, caller());
      const [file] = await service.database.select<{ shredAt: number }>(
        'SELECT shred_at AS shredAt FROM files',
        {},
      );
      expect(Number(file?.shredAt)).to.equal(expiresAt);
      expect(expiresAt).to.be.above(created.expiresAt);
    });

    it('are shredded when it is withdrawn', async () => {
      const created = await push(['tulip']);
      await service.domain.pushes.withdraw(account, created.id);
      await service.domain.files.shredDue();
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });
  });

  describe('at its end', () => {
    for (const [end, act] of [
      [
        'the last view',
        (created: Push) => service.domain.pushes.reveal(created.urlToken, undefined, anonymous),
      ],
      ['a deletion', (created: Push) => service.domain.pushes.expire(created.urlToken, anonymous)],
      [
        'the deadline',
        async () => {
          await service.database.execute('UPDATE pushes SET expires_at = 1, due_at = 1', {});
          await service.domain.sweeps.expireDue();
        },
      ],
    ] as const) {
      it(`lose their key with ${end}`, async () => {
        const created = await push(['tulip'], { expireAfterViews: 1 });
        expect(await filesKey(created)).to.be.an.instanceOf(Buffer);
        await act(created);
        expect(await filesKey(created)).to.equal(null);
      });
    }

    it('stay available to a viewer for ten more minutes, and to nobody after that', async () => {
      const created = await push(['tulip'], { expireAfterViews: 1 });
      const { push: viewed } = await service.domain.pushes.reveal(created.urlToken, undefined, anonymous);
      await service.database.execute('UPDATE download_grants SET expires_at = expires_at - 599000', {});
      await shiftShredding(599_000);
      await service.domain.files.shredDue();
      expect(await fetch(viewed.files[0]?.download ?? '')).to.equal('tulip');
      await service.database.execute('UPDATE download_grants SET expires_at = expires_at - 1001', {});
      await shiftShredding(1001);
      await service.domain.files.shredDue();
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });
  });

  it('are not downloaded when the download cannot be recorded, and are closed', async () => {
    const created = await push([randomBytes(500_000)]);
    const { push: viewed } = await service.domain.pushes.reveal(created.urlToken, undefined, anonymous);
    let isOpen = false;
    const store: FileStore = {
      ...service.fileStore,
      async read(name, span) {
        const bytes = await service.fileStore.read(name, span);
        async function* watched() {
          isOpen = true;
          try {
            yield* bytes ?? [];
          } finally {
            isOpen = false;
          }
        }
        return watched();
      },
    };
    const transaction = async () => {
      expect(isOpen).to.equal(true);
      throw unavailable('databaseUnreachable');
    };
    const domain = domainOver({ store, database: { ...service.database, transaction } });
    expect(await refusal(fetch(viewed.files[0]?.download ?? '', domain))).to.match(/^unavailable: /);
    expect(isOpen).to.equal(false);
  });

  it('open after the master key was rotated, and not without the key that sealed them', async () => {
    const created = await push(['tulip']);
    const old = service.keyring;
    const rotated = { ...parseKeyring(`9:${newKey()}`, newKey()), pepper: old.pepper };
    const settings = domainSettings(readConfig({ RATE_LIMITS: 'off' }));
    const both = { ...rotated, all: new Map([...rotated.all, ...old.all]) };
    const withBoth = createDomain({
      database: service.database,
      keyring: both,
      settings,
      store: service.fileStore,
    });
    expect(await downloads(created, withBoth)).to.deep.equal(['tulip']);
    const withNew = createDomain({
      database: service.database,
      keyring: rotated,
      settings,
      store: service.fileStore,
    });
    await downloads(created, withNew).then(
      () => expect.fail('opened'),
      (error) => expect(error).to.include({ code: 'unavailable', messageCode: 'keyMissing' }),
    );
  });

  it('have names that can be shown', async () => {
    for (const filename of ['', ' \n', '\ud800', 'x'.repeat(256)]) {
      const creation = await service.domain.pushes.begin(caller());
      const file = { filename, contentType: 'text/plain', stream: chunksOf('tulip') };
      expect(await refusal(creation.addFile(file)), JSON.stringify(filename)).to.match(/^invalid: files /);
      await creation[Symbol.asyncDispose]();
    }
    expect(await readdir(service.filesFolder)).to.deep.equal([]);
  });

  describe('whose creation failed', () => {
    it('have a row before their first byte is stored, so that none is forgotten', async () => {
      let rows = 0;
      const stream = (async function* () {
        ({ rows } = await storedFiles(service));
        yield Buffer.from('tulip');
      })();
      const creation = await service.domain.pushes.begin(caller());
      await creation.addFile({ filename: 'a.txt', contentType: 'text/plain', stream });
      await creation[Symbol.asyncDispose]();
      expect(rows).to.equal(1);
    });

    it('are shredded once the time for the upload is over, even if its process died', async () => {
      await push(['tulip', 'rose'], {}, service.domain, async () => {
        expect((await storedFiles(service)).names).to.have.length(2);
        await service.domain.files.shredDue();
        expect((await storedFiles(service)).names).to.have.length(2);
        await shiftShredding(120_000 + 14 * 60_000);
        await service.domain.files.shredDue();
        expect((await storedFiles(service)).names).to.have.length(2);
        await shiftShredding(60_001);
        await service.domain.files.shredDue();
        expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
        throw new Error('seen');
      }).catch(({ message }) => expect(message).to.equal('seen'));
    });

    it('are refused to a creation that comes too late', async () => {
      const late = push(['tulip'], {}, service.domain, async () => {
        await shiftShredding(3_600_000);
        await service.domain.files.shredDue();
      });
      expect(await refusal(late)).to.equal('unavailable: The upload took too long. Try again.');
      expect(await service.database.select('SELECT 1 FROM pushes', {})).to.deep.equal([]);
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are refused to a creation that comes too late, also where no job has shredded them yet', async () => {
      const late = push(['tulip'], {}, service.domain, () => shiftShredding(3_600_000));
      expect(await refusal(late)).to.equal('unavailable: The upload took too long. Try again.');
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are kept if the database committed the push without confirming it', async () => {
      const database: Database = {
        ...service.database,
        async transaction(work) {
          await service.database.transaction((tx) => work({ ...tx, afterCommit: () => {} }));
          throw unavailable('commitUnconfirmed');
        },
      };
      expect(await refusal(push(['tulip'], {}, domainOver({ database })))).to.match(/^unavailable: /);
      const [listed] = await service.domain.pushes.list({ account }, 'active', 1);
      expect(await downloads({ urlToken: listed?.urlToken ?? 'not made' })).to.deep.equal(['tulip']);
    });

    it('are removed if the database did not commit the push', async () => {
      const database: Database = {
        ...service.database,
        transaction: (work) =>
          service.database.transaction(async (transaction) => {
            await work(transaction);
            throw unavailable('databaseUnreachable');
          }),
      };
      expect(await refusal(push(['tulip', 'rose'], {}, domainOver({ database })))).to.match(/^unavailable: /);
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are removed if one of them failed, whether or not the caller handles the error', async () => {
      const failing = { filename: 'b', contentType: '', stream: brokenOff() };
      const careless = async () => {
        await using creation = await service.domain.pushes.begin(caller());
        void creation.addFile({ filename: 'a', contentType: '', stream: chunksOf('tulip') });
        void creation.addFile(failing);
        void creation.addFile({ filename: 'c', contentType: '', stream: chunksOf('rose') }).catch(() => {});
        return await creation.create({});
      };
      await careless().then(
        () => expect.fail('made'),
        ({ message }) => expect(message).to.equal('broken off'),
      );
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are removed if the store fails for any of them', async () => {
      let puts = 0;
      const store: FileStore = {
        ...service.fileStore,
        async put(name, bytes) {
          await service.fileStore.put(name, bytes);
          puts += 1;
          if (puts === 3) throw unavailable('fileStoreFull');
        },
      };
      const contents = ['a', 'b', 'c', 'd'];
      expect(await refusal(push(contents, {}, domainOver({ store })))).to.equal(
        'unavailable: There is no space left for files.',
      );
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are left to the shredding job if they cannot be removed at once', async () => {
      const store: FileStore = {
        ...service.fileStore,
        remove: async () => {
          throw unavailable('fileStoreUnreachable');
        },
      };
      const domain = domainOver({ store });
      expect(await refusal(push(['a', 'b'], { expireAfterViews: 0 }, domain))).to.match(/^invalid: /);
      expect((await storedFiles(service)).names).to.have.length(2);
      await service.domain.files.shredDue();
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });
  });

  it('are removed with the account', async () => {
    const { account: bob } = await createAccount(service.domain, 'bob@example.com', { subscribed: true });
    await using creation = await service.domain.pushes.begin({ account: bob, client: someClient });
    await creation.addFile({ filename: 'a', contentType: '', stream: chunksOf('tulip') });
    const ofBob = await creation.create({});
    const { push: viewed } = await service.domain.pushes.reveal(ofBob.urlToken, undefined, anonymous);
    const remaining = await push(['rose']);
    await service.domain.accounts.erase('bob@example.com', 'operator');
    expect(await refusal(fetch(viewed.files[0]?.download ?? ''))).to.match(/^not_found: /);
    expect(await service.domain.files.shredDue()).to.equal(1);
    expect(await downloads(remaining)).to.deep.equal(['rose']);
    expect((await storedFiles(service)).names).to.have.length(1);
  });

  describe('due for shredding', () => {
    it('are all shredded, in as many batches as necessary, and no others are', async () => {
      const remaining = await push(['kept']);
      for (let i = 0; i < 12; i++) await push(Array(10).fill('x'), { expireAfterViews: 1 });
      await shiftShredding(100 * 86_400_000, `push_id <> (SELECT id FROM pushes WHERE file_count = 1)`);
      expect(await service.domain.files.overdue()).to.deep.include({ waiting: 120 });
      expect(await service.domain.files.shredDue()).to.equal(120);
      expect(await service.domain.files.overdue()).to.deep.equal({ waiting: 0, overdueMs: 0 });
      expect((await storedFiles(service)).names).to.have.length(1);
      expect(await downloads(remaining)).to.deep.equal(['kept']);
    });

    it('are shredded one by one, so that a failing one is retried alone and fails the job', async () => {
      await push(['a', 'b', 'c']);
      const [bad = ''] = (await storedFiles(service)).names;
      const store: FileStore = {
        ...service.fileStore,
        async remove(name) {
          if (name === bad) throw unavailable('fileStoreUnreachable');
          await service.fileStore.remove(name);
        },
      };
      await shiftShredding(100 * 86_400_000);
      expect(await refusal(domainOver({ store }).files.shredDue())).to.match(/^unavailable: /);
      expect((await storedFiles(service)).names).to.deep.equal([bad]);
      expect((await service.domain.files.overdue()).overdueMs).to.be.above(86_400_000);
      await service.domain.files.shredDue();
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('count from when they fell due, those of an upload that came to nothing, too', async () => {
      const store: FileStore = {
        ...service.fileStore,
        remove: () => Promise.reject(unavailable('fileStoreUnreachable')),
      };
      const { files, pushes } = domainOver({ store });
      {
        await using creation = await pushes.begin(caller());
        await creation.addFile({ filename: 'a', contentType: '', stream: chunksOf('tulip') });
      }
      const { waiting, overdueMs } = await files.overdue();
      expect(waiting).to.equal(1);
      expect(overdueMs).to.be.below(60_000);
      await service.domain.files.shredDue();
    });

    it('can be shredded by several calls at once', async () => {
      for (let i = 0; i < 6; i++) await push(Array(10).fill('x'));
      await shiftShredding(100 * 86_400_000);
      await times(3, () => service.domain.files.shredDue());
      expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    });

    it('are shredded until the job is asked to stop', async () => {
      for (let i = 0; i < 6; i++) await push(Array(10).fill('x'));
      await shiftShredding(100 * 86_400_000);
      expect(await service.domain.files.shredDue(() => true)).to.equal(50);
      expect((await storedFiles(service)).rows).to.equal(10);
    });
  });

  describe('compared with the database', () => {
    const prefix = async () => (await storedFiles(service)).names[0]?.slice(0, 8) ?? expect.fail('no file');
    const dayMs = 86_400_000;

    async function stray(name: string, ageMs: number): Promise<void> {
      const path = join(service.filesFolder, name);
      await writeFile(path, 'x');
      const at = new Date(Date.now() - ageMs);
      await utimes(path, at, at);
    }

    it('are complete, including those of a running upload', async () => {
      await push(['a', 'b'], {}, service.domain, async () => {
        expect(await service.domain.files.inspect()).to.deep.equal({
          stored: 2,
          strays: 0,
          removed: 0,
          missing: 0,
        });
      });
      expect(await service.domain.files.reconcile()).to.deep.equal({
        stored: 2,
        strays: 0,
        removed: 0,
        missing: 0,
      });
      expect((await storedFiles(service)).names).to.have.length(2);
    });

    it('are removed a day after no row knows them, complete or not, while those of other services stay', async () => {
      await push(['a', 'b', 'c']);
      const mine = await prefix();
      const [old, older, young, half] = ['0', '8', '9', 'f'].map((digit) => mine + digit.repeat(32));
      await stray(String(old), dayMs + 60_000);
      await stray(String(older), 9 * dayMs);
      await stray(String(young), dayMs - 60_000);
      await stray(`${half}.part`, 2 * dayMs);
      const other = `${mine.startsWith('0') ? '1' : '0'}${mine.slice(1)}${'a'.repeat(32)}`;
      await stray(other, 9 * dayMs);
      expect(await service.domain.files.inspect()).to.deep.equal({
        stored: 3,
        strays: 4,
        removed: 0,
        missing: 0,
      });
      expect(await service.domain.files.reconcile()).to.deep.equal({
        stored: 3,
        strays: 4,
        removed: 3,
        missing: 0,
      });
      const { names } = await storedFiles(service);
      expect(names)
        .to.have.length(5)
        .and.include.members([String(young), other]);
      expect(await service.domain.files.inspect()).to.deep.equal({
        stored: 3,
        strays: 1,
        removed: 0,
        missing: 0,
      });
    });

    it('are kept when their row was written while both were compared', async () => {
      await push(['a']);
      const mine = await prefix();
      const [first, late] = ['0', 'f'].map((digit) => mine + digit.repeat(32)) as [string, string];
      await stray(late, 9 * dayMs);
      const { execute } = service.database;
      const store: FileStore = {
        ...service.fileStore,
        async *list() {
          yield { name: first, changedAt: Date.now() };
          await execute('INSERT INTO files (id, object, shred_at) VALUES ($id, $late, $never)', {
            ...{ id: randomBytes(16), late },
            never: Number.MAX_SAFE_INTEGER,
          });
          yield { name: late, changedAt: Date.now() - 9 * dayMs };
        },
      };
      expect(await domainOver({ store }).files.reconcile()).to.include({ strays: 1, removed: 0 });
      expect(await readdir(service.filesFolder)).to.include(late);
    });

    it('are reported when they are missing, and keep their rows because they may come back', async () => {
      await push(['a', 'b', 'c', 'd']);
      const { names } = await storedFiles(service);
      for (const name of [names[0], names[3]]) await rm(join(service.filesFolder, String(name)));
      expect(await service.domain.files.reconcile()).to.deep.equal({
        stored: 2,
        strays: 0,
        removed: 0,
        missing: 2,
      });
      expect((await storedFiles(service)).rows).to.equal(4);
      for (const name of [names[1], names[2]]) await rm(join(service.filesFolder, String(name)));
      expect((await service.domain.files.inspect()).missing).to.equal(4);
      await shiftShredding(100 * dayMs);
      expect((await service.domain.files.inspect()).missing).to.equal(0);
    });

    it('are compared even if they do not fit into one page', async () => {
      await push(['a']);
      const mine = await prefix();
      for (let i = 0; i < 1_200; i++) {
        const object = mine + randomBytes(16).toString('hex');
        if (i % 3 !== 0) await stray(object, i % 3 === 1 ? 0 : 2 * dayMs);
        if (i % 3 !== 2) {
          await service.database.execute(
            `INSERT INTO files (id, push_id, object, label, size, shred_at)
             SELECT $id, MIN(id), $object, $id, 1, 9000000000000 FROM pushes`,
            { id: randomBytes(16), object },
          );
        }
      }
      expect(await service.domain.files.reconcile()).to.deep.equal({
        stored: 401,
        strays: 400,
        removed: 400,
        missing: 400,
      });
    });
  });
});

async function* brokenOff() {
  yield Buffer.from('half of');
  throw new Error('broken off');
}

async function* chunksOf(content: string | Buffer) {
  yield Buffer.from(content);
}

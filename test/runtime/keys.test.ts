import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { domainSettings, readConfig } from '../../src/config.ts';
import { newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { createDomain } from '../../src/domain/index.ts';
import { KeyMismatch, requireMatchingKeys } from '../../src/domain/keys/keyChecks.ts';
import { ConfigError } from '../../src/errors.ts';
import { addMasterKey, createKeyFile } from '../../src/runtime/keyFile.ts';
import { openKeys } from '../../src/runtime/keys.ts';
import { times } from '../harness/api.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from '../harness/database.ts';
import { anonymous, migrationsFolder } from '../harness/service.ts';

describe('Keys', () => {
  let folder: Folder;

  beforeEach(async () => {
    folder = await openFolder();
  });

  afterEach(() => folder.remove());

  const inFolder = (name: string) => join(folder.path, name);
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  /** The settings of a service with an embedded database in the folder. */
  const embedded = () => readConfig({ DATABASE_URL: `sqlite:${inFolder('data/hushpush.db')}` });

  /** What the keys are refused with; fails when they are not. */
  async function refusal(environment: Record<string, string>): Promise<string> {
    try {
      await openKeys(readConfig(environment));
    } catch (error) {
      expect(error).to.be.instanceOf(ConfigError);
      return (error as ConfigError).message;
    }
    throw new Error('the keys were taken');
  }

  describe('of an embedded database', () => {
    it('are created on its first start, readable by their owner only, and used from then on', async () => {
      const { keyring, createdFile } = await openKeys(embedded());
      expect(createdFile).to.equal(inFolder('data/master.key'));
      expect(await modeOf(inFolder('data/master.key'))).to.equal(0o600);
      expect(await modeOf(inFolder('data'))).to.equal(0o700);
      expect(await openKeys(embedded())).to.deep.equal({ keyring });
    });

    it('get new ones with an id each, also when two are added before a restart, and lose none', async () => {
      const path = inFolder('master.key');
      await createKeyFile(path);
      expect([await addMasterKey(path, 2), await addMasterKey(path, 2)]).to.deep.equal([2, 3]);
      const { keyring } = await openKeys(readConfig({ MASTER_KEYS_FILE: path }));
      expect([...keyring.all.keys()]).to.deep.equal([3, 2, 1]);
      expect(await modeOf(path)).to.equal(0o600);
    });

    it('are created once, even if processes with equal ids start together, as in containers', async () => {
      for (let round = 0; round < 20; round++) {
        const path = inFolder(`data${round}/master.key`);
        const made = await times(8, async () => {
          await sleep(4 * Math.random());
          const isMine = await createKeyFile(path);
          return { isMine, text: await readFile(path, 'utf8') };
        });
        expect(made.filter(({ isMine }) => isMine)).to.have.length(1);
        const texts = new Set([...made.map(({ text }) => text), await readFile(path, 'utf8')]);
        expect(texts).to.have.property('size', 1);
        expect(await readdir(dirname(path))).to.deep.equal(['master.key']);
      }
    });

    if (!onMariadb) {
      it('are the same in eight processes that start together', async () => {
        const started = await times(8, () => folder.start());
        await Promise.all(started.map(({ ready }) => ready())); // each has compared its keys with the database
        for (const { code } of await Promise.all(started.map(({ stop }) => stop()))) expect(code).to.equal(0);
        expect((await readdir(inFolder('data'))).filter((name) => name.startsWith('master'))).to.deep.equal([
          'master.key',
        ]);
      });
    }

    it('are never replaced for an existing database: the service refuses to start and prints the reason', async () => {
      await mkdir(inFolder('data'));
      await writeFile(inFolder('data/hushpush.db'), '');
      const message = `The key file ${inFolder('data/master.key')} is missing, and ${inFolder('data/hushpush.db')} cannot be decrypted without it. Restore the file.`;
      expect(await refusal({ DATABASE_URL: `sqlite:${inFolder('data/hushpush.db')}` })).to.equal(message);
      const { code, stderr } = await folder.run('start');
      expect({ code, stderr }).to.deep.equal({ code: 78, stderr: `hushpush: ${message}\n` });
      expect(await readdir(inFolder('data'))).to.deep.equal(['hushpush.db']);
    });
  });

  describe('of any other database, or in a file that the settings name', () => {
    it('are never created', async () => {
      const named = inFolder('named.key');
      for (const environment of [
        { DATABASE_URL: 'mysql://127.0.0.1:1/hushpush', MASTER_KEYS_FILE: named },
        { DATABASE_URL: `sqlite:${inFolder('data/hushpush.db')}`, MASTER_KEYS_FILE: named },
      ]) {
        expect(await refusal(environment)).to.equal(
          `There are no keys: set MASTER_KEYS and PEPPER, or put a key file at ${named}.`,
        );
      }
      expect(await readdir(folder.path)).to.be.empty;
    });
  });

  describe('in settings or in a file', () => {
    const [one, two, pepper] = [newKey(), newKey(), newKey()];
    const zero = Buffer.alloc(32).toString('base64');
    const repeated = Buffer.alloc(32, 'x').toString('base64');
    const short = Buffer.from(one, 'base64').subarray(1).toString('base64');

    const unusable: [string, string, string, RegExp][] = [
      ['without an id', one, pepper, /ID:BASE64/],
      ['with the id 0', `0:${one}`, pepper, /ID:BASE64/],
      ['with an id beyond 32 bits', `4294967296:${one}`, pepper, /ID:BASE64/],
      ['that are not base64', `1:${'*'.repeat(44)}`, pepper, /not base64/],
      ['that are short', `1:${short}`, pepper, /must hold 32 bytes, holds 31/],
      ['that are empty', '1:', pepper, /must hold 32 bytes, holds 0/],
      ['that are nothing but commas', ', ,', pepper, /holds no key/],
      ['of one byte repeated', `1:${repeated}`, pepper, /one byte repeated/],
      ['that are all zero', `1:${zero}`, pepper, /one byte repeated/],
      ['that are equal', `2:${one},1:${one}`, pepper, /differ/],
      ['of one id', `1:${one},1:${two}`, pepper, /uses a key id twice/],
      ['that equal the pepper', `1:${one}`, one, /differ/],
      ['with a short pepper', `1:${one}`, short, /PEPPER: must hold 32 bytes/],
      ['with a pepper that is all zero', `1:${one}`, zero, /PEPPER: is one byte repeated/],
    ];
    for (const [title, masterKeys, givenPepper, reason] of unusable) {
      it(`are refused, from the environment and from a file, without being shown: ${title}`, async () => {
        await writeFile(inFolder('keys'), `MASTER_KEYS=${masterKeys}\nPEPPER=${givenPepper}\n`);
        for (const environment of [
          { MASTER_KEYS: masterKeys, PEPPER: givenPepper },
          { MASTER_KEYS_FILE: inFolder('keys') },
        ]) {
          const message = await refusal(environment);
          expect(message)
            .to.match(reason)
            .and.match(/^[^\n]+\.$/);
          for (const secret of [one, two, pepper, zero, repeated, short])
            expect(message).to.not.contain(secret);
        }
      });
    }

    it('are accepted from a file edited by hand, with other lines, and the pepper from the environment', async () => {
      await writeFile(inFolder('keys'), `# ours\n\nMASTER_KEYS=2:${two}, 1:${one}\r\n`);
      const { keyring } = await openKeys(readConfig({ MASTER_KEYS_FILE: inFolder('keys'), PEPPER: pepper }));
      expect(keyring).to.deep.equal(parseKeyring(`2:${two},1:${one}`, pepper));
      expect(keyring.active.id).to.equal(2);
    });

    it('are refused without a pepper', async () => {
      await writeFile(inFolder('keys'), `MASTER_KEYS=1:${one}\n`);
      expect(await refusal({ MASTER_KEYS_FILE: inFolder('keys') })).to.match(/^There is no pepper: /);
    });

    it('are refused when the file does not contain them or cannot be read', async () => {
      await writeFile(inFolder('keys'), 'PEPPER=x\n');
      expect(await refusal({ MASTER_KEYS_FILE: inFolder('keys') })).to.contain('has no line MASTER_KEYS=');
      expect(await refusal({ MASTER_KEYS_FILE: folder.path })).to.contain('cannot be read (EISDIR)');
    });

    it('make a command exit with 78 when they are invalid, and print JSON with --json', async () => {
      const { code, stdout, stderr } = await folder.run('admin account list --json', {
        settings: { MASTER_KEYS: `1:${short}`, PEPPER: pepper },
      });
      expect({ code, stdout }).to.deep.equal({ code: 78, stdout: '' });
      expect(JSON.parse(stderr)).to.deep.equal({
        error: 'The keys are not usable: MASTER_KEYS, key 1: must hold 32 bytes, holds 31.',
      });
    });
  });

  describe('and their database:', () => {
    const [one, two, three, pepper] = [newKey(), newKey(), newKey(), newKey()];
    let fresh: FreshDatabase;
    let database: Database;

    beforeEach(async () => {
      fresh = await freshDatabase();
      database = connectDatabase(fresh.url, { poolSize: 4 });
      await createMigrations(database, migrationsFolder).up();
    });

    afterEach(async () => {
      await database.close();
      await fresh.drop();
    });

    const check = (masterKeys: string, givenPepper = pepper) =>
      requireMatchingKeys(database, parseKeyring(masterKeys, givenPepper));

    async function mismatch(masterKeys: string, givenPepper = pepper): Promise<string> {
      try {
        await check(masterKeys, givenPepper);
      } catch (error) {
        expect(error).to.be.instanceOf(KeyMismatch);
        return (error as KeyMismatch).message;
      }
      throw new Error('the keys were taken');
    }

    it('a database accepts the keys that it was first used with, and refuses others', async () => {
      await check(`1:${one}`);
      await check(`1:${one}`);
      expect(await mismatch(`1:${two}`)).to.equal(
        'master key 1 is not the one that this database was written with',
      );
      expect(await mismatch(`1:${one}`, two)).to.equal(
        'PEPPER is not the one that this database was written with',
      );
      expect(await mismatch(`2:${two}`)).to.equal(
        'none of the MASTER_KEYS is one that this database was written with',
      );
      await check(`1:${one}`);
    });

    it('a database accepts additional keys, and then refuses other keys with their ids', async () => {
      await check(`1:${one}`);
      await check(`2:${two},1:${one}`);
      await check(`2:${two}`); // as if the first was lost
      await check(`3:${three},2:${two}`);
      expect(await mismatch(`3:${one},2:${two}`)).to.contain('master key 3');
      expect(await mismatch(`2:${two},1:${three}`)).to.contain('master key 1');
    });

    it('a database accepts all keys of one of two services that start together with different keys, and none of the other', async () => {
      for (let round = 0; round < 10; round++) {
        await database.execute('DELETE FROM key_checks WHERE key_id >= $least', { least: 0 });
        const rivals = [check(`1:${one}`), check(`${1 + (round % 2)}:${two}`, three)];
        const results = await Promise.allSettled(rivals);
        expect(results.map(({ status }) => status)).to.have.members(['fulfilled', 'rejected']);
        const stored = await database.select('SELECT key_id FROM key_checks', {});
        expect(stored).to.have.length(2);
      }
    });

    it('a push is neither revealed nor lost while the key that sealed it is removed', async () => {
      const domainWith = (masterKeys: string) =>
        createDomain({
          database,
          keyring: parseKeyring(masterKeys, pepper),
          settings: domainSettings(readConfig({ RATE_LIMITS: 'off' })),
        });
      const { urlToken } = await domainWith(`1:${one}`).pushes.create(
        { payload: 'tulip', expireAfterViews: 1 },
        anonymous,
      );
      const error = await domainWith(`2:${two}`).pushes.reveal(urlToken, undefined, anonymous).catch(String);
      expect(error).to.contain('keyMissing');
      const revealed = await domainWith(`2:${two},1:${one}`).pushes.reveal(urlToken, undefined, anonymous);
      expect(revealed.payload).to.equal('tulip');
    });

    it('a service with other keys than its database exits with 78 and prints the reason', async () => {
      const settings = (masterKeys: string) => ({
        DATABASE_URL: fresh.url,
        MASTER_KEYS: masterKeys,
        PEPPER: pepper,
        LOG_LEVEL: 'error',
      });
      await check(`1:${one}`);
      const outcome = await folder.run('start', { settings: settings(`1:${two}`) });
      expect(outcome).to.deep.equal({
        code: 78,
        signal: null,
        stdout: '',
        stderr: 'hushpush: master key 1 is not the one that this database was written with\n',
      });
    });
  });
});

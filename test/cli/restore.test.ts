import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { newKey } from '../../src/crypto/keyring.ts';
import { createKeyFile } from '../../src/runtime/keyFile.ts';
import { packageVersion } from '../../src/runtime/package.ts';
import { onMariadb } from '../harness/database.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';

const databaseName = onMariadb ? 'database.ndjson' : 'database.sqlite';

describe('The seal of a backup', () => {
  let folder: DatabaseFolder;
  let proof: string;

  beforeEach(async () => {
    folder = await openDatabaseFolder({ FILES_DIR: 'files' }, { keyFile: 'master.key' });
    proof = join(folder.path, 'PROOF');
    await run('migrate up');
    await run('admin account create ann@example.com');
    await run('backup backup.tar');
    await run('admin account create bob@example.com');
  });

  afterEach(() => folder.remove());

  async function run(command: string): Promise<string> {
    const { code, stdout, stderr } = await folder.run(command);
    expect({ code }, `${command}: ${stderr}`).to.deep.equal({ code: 0 });
    return stdout;
  }

  async function refused(command: string, problem: RegExp, expectedCode = 1): Promise<void> {
    const { code, stdout, stderr } = await folder.run(command);
    expect({ code, stdout }, stderr).to.deep.equal({ code: expectedCode, stdout: '' });
    expect(stderr).to.match(problem);
    expect(existsSync(proof), 'a command ran').to.equal(false);
  }

  const emails = () =>
    folder.withDatabase(async ({ select }) =>
      (await select<{ email: string }>('SELECT email FROM accounts ORDER BY email', {})).map(
        ({ email }) => email,
      ),
    );

  /** Changes an archive as somebody would who can write it: the checksums are right again. */
  async function changed(name: string, change: (path: string) => Promise<void>, { isSealed = true } = {}) {
    const out = join(folder.path, `${name}.out`);
    await mkdir(out);
    execFileSync('tar', ['-xf', join(folder.path, 'backup.tar'), '-C', out]);
    await change(out);
    const first = ['manifest.json', databaseName, 'database.sql', 'master.key'];
    const files = existsSync(join(out, 'files')) ? await readdir(join(out, 'files')) : [];
    const entries = [
      ...first.filter((entry) => existsSync(join(out, entry))),
      ...files.map((f) => `files/${f}`),
    ];
    const sums = entries.map(
      (entry) =>
        `${createHash('sha256')
          .update(readFileSync(join(out, entry)))
          .digest('hex')}  ${entry}\n`,
    );
    await writeFile(join(out, 'SHA256SUMS'), sums.join(''));
    const last = isSealed ? ['SHA256SUMS', 'SHA256SUMS.hmac'] : ['SHA256SUMS'];
    execFileSync('tar', ['--format=ustar', '-cf', join(folder.path, name), '-C', out, ...entries, ...last]);
  }

  const untouched = async () => {};

  it('tells a backup that somebody has changed, or sealed under other keys, from a genuine one', async () => {
    await changed('same.tar', async (path) => {
      const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
      expect(manifest.version).to.equal(packageVersion());
    });
    await changed('changed.tar', async (path) => {
      const manifest = await readFile(join(path, 'manifest.json'), 'utf8');
      await writeFile(
        join(path, 'manifest.json'),
        manifest.replace('"whileServing": true', '"whileServing": false'),
      );
      await writeFile(join(path, 'master.key'), 'MASTER_KEYS=1:x');
    });
    await changed('added.tar', async (path) => {
      await mkdir(join(path, 'files'), { recursive: true });
      await writeFile(join(path, 'files', '00'), 'tulip');
    });
    for (const name of ['changed.tar', 'added.tar'])
      for (const options of ['--yes', '--yes --unsealed'])
        await refused(`restore ${name} ${options}`, /was changed after it was sealed\./);

    const keys = await readFile(join(folder.path, 'master.key'), 'utf8');
    await rm(join(folder.path, 'master.key'));
    await createKeyFile(join(folder.path, 'master.key'), { masterKeys: `1:${newKey()}`, pepper: newKey() });
    await refused('restore backup.tar --yes', /was sealed under another PEPPER than the one here/);
    await writeFile(join(folder.path, 'master.key'), keys);
    expect(await emails()).to.deep.equal(['ann@example.com', 'bob@example.com']);
    await run('restore same.tar --yes');
    expect(await emails()).to.deep.equal(['ann@example.com']);
  });

  it('holds after the master keys were replaced', async () => {
    await run('admin keys add');
    await run('restore backup.tar --yes');
    expect(await emails()).to.deep.equal(['ann@example.com']);
  });

  it('is missed: an archive without it needs --unsealed, which says what that means', async () => {
    await changed('unsealed.tar', untouched, { isSealed: false });
    await refused('restore unsealed.tar --yes', /has no seal, so anyone with write access .* add --unsealed/);
    await refused('restore unsealed.tar --unsealed', /may have added accounts, .* passwords\. Add --yes/);
    expect(await emails()).to.deep.equal(['ann@example.com', 'bob@example.com']);
    await run('restore unsealed.tar --unsealed --yes');
    expect(await emails()).to.deep.equal(['ann@example.com']);
  });

  it('or not, no archive runs a command of a database client', async () => {
    const planted = `\\! id > ${proof}\nsystem id > ${proof}\n`;
    const plant = async (path: string) => {
      const database = join(path, databaseName);
      await writeFile(database, Buffer.concat([Buffer.from(planted), await readFile(database)]));
    };
    await changed('sealed.tar', plant);
    await refused('restore sealed.tar --yes', /was changed/);
    await refused('restore sealed.tar --yes --unsealed', /was changed/);
    await changed('unsealed.tar', plant, { isSealed: false });
    await refused('restore unsealed.tar --yes', /has no seal/);
    const { code } = await folder.run('restore unsealed.tar --yes --unsealed');
    expect(code).to.equal(1);
    expect(existsSync(proof)).to.equal(false);
    // What an early version wrote: SQL for the client.
    await changed(
      'early.tar',
      async (path) => {
        const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
        const { migrations } = manifest.schema;
        await writeFile(
          join(path, 'manifest.json'),
          JSON.stringify({ ...manifest, format: 1, database: 'mysql', schema: migrations }),
        );
        await rm(join(path, databaseName));
        await writeFile(join(path, 'database.sql'), planted);
      },
      { isSealed: false },
    );
    for (const options of ['--yes', '--yes --unsealed'])
      await refused(
        `restore early.tar ${options}`,
        /made by hushpush 1\.0\.0-rc\.1 or an earlier .* has no seal/,
      );
  });

  it('does not help a backup of another schema: it is refused before anything is written', async () => {
    const before = await emails();
    for (const [name, change] of [
      ['newer.tar', { migrations: ['0099-future'], fingerprint: '' }],
      ['other.tar', { migrations: ['0001-accounts'], fingerprint: 'a'.repeat(64) }],
    ] as const)
      await changed(
        name,
        async (path) => {
          const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
          await writeFile(join(path, 'manifest.json'), JSON.stringify({ ...manifest, schema: change }));
        },
        { isSealed: false },
      );
    await refused('restore newer.tar --yes --unsealed', /which is newer\. Restore it with that version\./);
    await refused('restore other.tar --yes --unsealed', /whose tables are not those of this version/);
    expect(await emails()).to.deep.equal(before);
  });

  it('is lacked by real backups of 1.0.0-rc.1, which are refused before anything is written', async () => {
    const stored = readFileSync(join(import.meta.dirname, '../backup/stores/1.0.0-rc.1.tar.gz'));
    await writeFile(join(folder.path, 'rc1.tar'), gunzipSync(stored));
    for (const options of ['--yes', '--yes --unsealed'])
      await refused(
        `restore rc1.tar ${options}`,
        /^hushpush: This backup was made by hushpush 1\.0\.0-rc\.1 or /,
      );
    expect(await emails()).to.deep.equal(['ann@example.com', 'bob@example.com']);
  });
});

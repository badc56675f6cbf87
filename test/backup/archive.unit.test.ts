import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { createTarPacker } from 'modern-tar';
import { DamagedArchive, readContents, useEntries, writeArchive } from '../../src/backup/archive.ts';

const sealOf = (sums: string) => `seal of ${sums.length}\n`;

describe('The archive of a backup', () => {
  let folder: string;
  let path: string;
  const big = randomBytes(300_000);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'archive-'));
    path = join(folder, 'backup.tar');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const write = () =>
    writeArchive(path, sealOf, async (add) => {
      await add('manifest.json', 2, Readable.from([Buffer.from('{}')]));
      await add('files/big', big.length, Readable.from([big.subarray(0, 100_000), big.subarray(100_000)]));
      await add('files/empty', 0, Readable.from([]));
    });

  const verifies = () =>
    readContents(path).then(
      () => true,
      (error: unknown) => {
        expect(error).to.be.instanceOf(DamagedArchive);
        return false;
      },
    );

  it('is a plain tar file, readable by its owner only, that tar and sha256sum can check', async () => {
    await write();
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readdir(folder)).to.deep.equal(['backup.tar']);
    const out = join(folder, 'out');
    await mkdir(out);
    execFileSync('tar', ['-xf', path, '-C', out]);
    const checked = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: out, encoding: 'utf8' });
    expect(checked).to.equal('manifest.json: OK\nfiles/big: OK\nfiles/empty: OK\n');
    expect(await readFile(join(out, 'files/big'))).to.deep.equal(big);
    const { manifest, sumsText, seal, keys } = await readContents(path);
    expect({ manifest, keys }).to.deep.equal({ manifest: '{}', keys: undefined });
    expect(sumsText).to.equal(await readFile(join(out, 'SHA256SUMS'), 'utf8'));
    expect(seal).to.equal(sealOf(sumsText));
  });

  it('gives its entries one after the other, read or not', async () => {
    await write();
    const read: [string, number][] = [];
    await useEntries(await readContents(path), async (name, body) => {
      if (name !== 'manifest.json') read.push([name, (await buffer(body)).length]);
    });
    expect(read).to.deep.equal([
      ['files/big', big.length],
      ['files/empty', 0],
    ]);
  });

  it('is refused when a single byte of it is missing or different', async () => {
    await write();
    const whole = await readFile(path);
    expect(await verifies()).to.equal(true);
    // The end is padding: two blocks of zeros, which tar needs, after the seal, whose absence is told from damage.
    for (const length of [0, 1, 600, 1_030, 150_000, whole.length - 2_560]) {
      await writeFile(path, whole.subarray(0, length));
      expect(await verifies(), `${length} bytes`).to.equal(false);
    }
    for (const at of [0, 512, 2_000, 200_000, whole.length - 1_600]) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      await writeFile(path, changed);
      expect(await verifies(), `byte ${at}`).to.equal(false);
    }
  });

  type Packed = { name: string; bytes?: Buffer; type?: 'symlink' | 'link' | 'directory' };

  /** An archive of anything, with checksums that fit. */
  async function pack(entries: Packed[], listed = entries) {
    const { readable, controller } = createTarPacker();
    const sums = listed.map(
      ({ name, bytes = Buffer.alloc(0) }) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}\n`,
    );
    const all = [...entries, { name: 'SHA256SUMS', bytes: Buffer.from(sums.join('')), type: undefined }];
    const written = buffer(Readable.fromWeb(readable as never));
    for (const { name, bytes = Buffer.alloc(0), type } of all) {
      const isFile = type === undefined;
      const header = {
        name,
        size: isFile ? bytes.length : 0,
        ...(!isFile && { type, linkname: '/etc/passwd' }),
      };
      const writer = controller.add(header).getWriter();
      if (isFile && bytes.length > 0) await writer.write(new Uint8Array(bytes));
      await writer.close();
    }
    controller.finalize();
    await writeFile(path, await written);
  }

  const manifest = { name: 'manifest.json', bytes: Buffer.from('{}') };

  it('is refused with an entry that leads elsewhere, is no file, comes twice, or has no place in a backup', async () => {
    await pack([manifest, { name: 'files/0a1b', bytes: big }]);
    expect(await verifies()).to.equal(true);
    const foreign = [
      ...['../evil', '/etc/evil', 'files/../evil', 'files/a/b', 'files/.', 'evil', 'files/', 'database.db'],
      ...['manifest.json', './manifest.json', 'files/A', 'master.key/x', 'database.sqlite-wal'],
    ];
    for (const name of foreign) {
      await pack([manifest, { name, bytes: big }]);
      expect(await verifies(), name).to.equal(false);
    }
    const twice = { name: 'files/0a1b', bytes: Buffer.from('tulip') };
    await pack([manifest, twice, { ...twice, bytes: big }], [manifest, { ...twice, bytes: big }]);
    expect(await verifies(), 'twice').to.equal(false);
    for (const type of ['symlink', 'link', 'directory'] as const) {
      await pack([manifest, { name: 'files/0a1b', type }]);
      expect(await verifies(), type).to.equal(false);
    }
  });

  it('is refused with a manifest too large to be one, without one, and with an entry after its end', async () => {
    await pack([{ name: 'manifest.json', bytes: Buffer.alloc(1024 ** 2 + 1, ' ') }]);
    expect(await verifies(), 'large').to.equal(false);
    await pack([{ name: 'files/0a1b', bytes: big }]);
    expect(await verifies(), 'no manifest').to.equal(false);
    await pack([manifest, { name: 'SHA256SUMS', bytes: Buffer.from('') }]);
    expect(await verifies(), 'two lists').to.equal(false);
  });

  it('is not used any further where it has changed since it was checked', async () => {
    await write();
    const contents = await readContents(path);
    const changed = await readFile(path);
    changed[200_000] = (changed[200_000] ?? 0) ^ 1;
    await writeFile(path, changed);
    const used: string[] = [];
    const error = await useEntries(contents, async (name, body) => {
      await buffer(body);
      used.push(name);
    }).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(DamagedArchive);
    expect(String(error)).to.contain('has changed while it was read');
    expect(used).to.deep.equal(['manifest.json']);
  });

  it('appears only when it is complete, and never replaces a file', async () => {
    const failing = writeArchive(path, sealOf, async (add) => {
      await add('files/big', big.length, Readable.from([big]));
      throw new Error('tulip');
    });
    expect(await failing.catch(String)).to.contain('tulip');
    expect(await readdir(folder)).to.deep.equal([]);
    await writeFile(path, 'rose');
    expect(await write().catch(String)).to.contain('exists');
    expect(await readFile(path, 'utf8')).to.equal('rose');
  });
});

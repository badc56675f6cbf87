import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect } from 'chai';
import { DamagedArchive, readArchive, verifyArchive, writeArchive } from '../../src/backup/archive.ts';

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
    writeArchive(path, async (add) => {
      await add('manifest.json', 2, Readable.from([Buffer.from('{}')]));
      await add('files/big', big.length, Readable.from([big.subarray(0, 100_000), big.subarray(100_000)]));
      await add('files/empty', 0, Readable.from([]));
    });

  const verifies = () =>
    verifyArchive(path).then(
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
    expect(await verifyArchive(path)).to.equal('{}');
  });

  it('gives its entries one after the other, read or not', async () => {
    await write();
    const read: [string, number][] = [];
    await readArchive(path, async (name, body) => {
      if (name !== 'manifest.json') read.push([name, (await buffer(body)).length]);
    });
    expect(read.slice(0, 2)).to.deep.equal([
      ['files/big', big.length],
      ['files/empty', 0],
    ]);
  });

  it('is refused when a single byte of it is missing or different', async () => {
    await write();
    const whole = await readFile(path);
    expect(await verifies()).to.equal(true);
    // The end is padding: two blocks of zeros, which tar needs, after the last block of the checksums.
    for (const length of [0, 1, 600, 1_030, 150_000, whole.length - 1_536]) {
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

  it('appears only when it is complete, and never replaces a file', async () => {
    const failing = writeArchive(path, async (add) => {
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

import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { ensureBuilt } from '../harness/build.ts';
import { onMariadb } from '../harness/database.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFile(path, 'utf8');

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('The package', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('documents the library in its declarations, and has no comments that would take memory', async () => {
    ensureBuilt();
    const library = join(root, 'dist/src/client/client');
    expect(await read(`${library}.d.ts`)).to.contain('/**');
    expect(await read(`${library}.js`)).not.to.contain('/**');
  });

  it('holds a program that runs and the examples for operators, and no secret', async () => {
    ensureBuilt();
    const checkout = join(folder, 'checkout');
    const isLeftOut = (path: string) =>
      ['node_modules', '.git', 'test', 'data'].includes(relative(root, path));
    await cp(root, checkout, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !isLeftOut(path),
    });
    for (const name of ['data', 'deploy/compose/secrets', 'dist/.compile-cache']) {
      await mkdir(join(checkout, name), { recursive: true });
      await writeFile(join(checkout, name, 'secret'), 'tulip');
    }
    await writeFile(join(checkout, '.env'), 'tulip');
    await utimes(join(checkout, 'dist/src/main.js'), new Date(), new Date()); // folders are newer after a copy

    const words = ['run', '--silent', 'package', '--', '--silent', '--pack-destination', folder];
    execFileSync('npm', words, { cwd: checkout });
    const { version } = JSON.parse(await read(join(root, 'package.json')));
    execFileSync('tar', ['-xf', `hushpush-${version}.tgz`], { cwd: folder });
    const unpacked = join(folder, 'package');
    await symlink(join(root, 'node_modules'), join(unpacked, 'node_modules'));
    expect(await readdir(unpacked)).to.have.members([
      ...['README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'deploy'],
      ...['package.json', 'node_modules', '.env.example', 'slack-manifest.yaml', 'dist'],
    ]);
    expect(await readdir(join(unpacked, 'dist'))).to.have.members(['src', 'migrations']);
    expect(await readdir(join(unpacked, 'deploy/compose')))
      .to.include('sqlite.yaml')
      .and.not.include('secrets');

    const program = join(unpacked, 'dist/src/main.js');
    expect(execFileSync(program, ['--version'], { encoding: 'utf8' })).to.equal(`${version}\n`);
  });

  it('is the same, byte for byte, when a release is made again from the same sources, as is the list of its components', async () => {
    const made = [];
    for (const name of ['first', 'second']) {
      const checkout = join(folder, name);
      await cp(root, checkout, {
        recursive: true,
        filter: (path) =>
          !['node_modules', '.git', 'test', 'tools', 'data', 'dist'].includes(relative(root, path)),
      });
      await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'));
      for (const file of ['package.json', 'package-lock.json']) {
        const text = await read(join(checkout, file));
        await writeFile(join(checkout, file), text.replace(/"version": "[^"]*"/, '"version": "9.9.9"'));
      }
      execFileSync(process.execPath, ['scripts/artifacts.mjs'], { cwd: checkout, stdio: 'pipe' });
      expect((await readdir(join(checkout, 'release'))).sort()).to.deep.equal([
        ...['SHA256SUMS', 'hushpush-9.9.9.cdx.json', 'hushpush-9.9.9.tgz'],
      ]);
      execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(checkout, 'release') });
      made.push(await read(join(checkout, 'release/SHA256SUMS')));
    }
    const [first, second] = made;
    expect(second).to.equal(first);
    const components = JSON.parse(await read(join(folder, 'first/release/hushpush-9.9.9.cdx.json')));
    expect(components).to.deep.include({ bomFormat: 'CycloneDX' });
    const names = components.components.map(({ name }: { name: string }) => name);
    const { dependencies } = JSON.parse(await read(join(root, 'package.json')));
    expect(names)
      .to.include.members([...Object.keys(dependencies), 'pino', 'zod', 'statuses'])
      .and.not.include('mocha');
  });
});

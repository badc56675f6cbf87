import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { onMariadb } from '../harness/database.ts';

const root = join(import.meta.dirname, '..', '..');
const anHourAgo = new Date(Date.now() - 3_600_000);

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('The build before a start', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'build-'));
    await write('package.json', '{"type":"module"}');
    await write('package-lock.json', '{}');
    await write('tsconfig.json', '{}');
    await write(
      'tsconfig.client.json',
      '{"compilerOptions":{"rootDir":".","declaration":true,"emitDeclarationOnly":true,"types":[]},"include":["src/client"]}',
    );
    await write('src/client/client.ts', 'export const flower = 1;');
    await write(
      'tsconfig.build.json',
      '{"compilerOptions":{"rootDir":".","outDir":"dist","types":[]},"include":["src","migrations"]}',
    );
    await write('src/main.ts', 'export const flower: string = "tulip";');
    await write('src/web/public/app.css', 'a { color: red }');
    await write('src/web/public/inline/step.js', 'console.log( 1 )');
    await write('migrations/0001-first.ts', 'export const up = 1;');
    await write('migrations/schema.json', '{}');
    await mkdir(join(folder, 'scripts'));
    for (const name of ['build-if-needed.mjs', 'assets.mjs'])
      await copyFile(join(root, 'scripts', name), join(folder, 'scripts', name));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }

  async function installCompiler(): Promise<void> {
    await mkdir(join(folder, 'node_modules'));
    for (const name of ['typescript', 'esbuild'])
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
  }

  /** A build that works and is older than its sources, as after `git pull`. */
  async function writeOldBuild(): Promise<void> {
    await write('dist/src/main.js', 'old');
    await utimes(join(folder, 'dist/src/main.js'), anHourAgo, anHourAgo);
  }

  const read = (path: string) => readFile(join(folder, path), 'utf8').catch(() => undefined);
  const leftovers = () => spawnSync('ls', [folder], { encoding: 'utf8' }).stdout.match(/dist\..*/g);

  function run(...options: string[]) {
    const script = join(folder, 'scripts/build-if-needed.mjs');
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
      encoding: 'utf8',
    });
    return { status, output: stdout + stderr };
  }

  it('replaces an outdated build, and makes the program executable', async () => {
    await installCompiler();
    await writeOldBuild();
    await write('dist/src/removed.js', 'old');
    expect(run()).to.deep.equal({
      status: 0,
      output: 'hushpush: compiling the program, which takes up to a minute…\n',
    });
    expect(await read('dist/src/main.js')).to.contain('tulip');
    expect(await read('dist/migrations/0001-first.js')).to.contain('up');
    expect(await read('dist/migrations/schema.json')).to.equal('{}');
    expect(await read('dist/src/web/assets/app.css')).to.equal('a{color:red}\n');
    expect(await read('dist/src/web/assets/inline/step.js')).to.equal('console.log(1);\n');
    expect(await read('dist/src/removed.js')).to.equal(undefined);
    expect((await stat(join(folder, 'dist/src/main.js'))).mode & 0o111).to.equal(0o111);
    expect(leftovers()).to.equal(null);
  });

  it('keeps the last build when it fails, and says so', async () => {
    await installCompiler();
    await writeOldBuild();
    await write('src/main.ts', 'export const flower: number = "tulip";');
    const { status, output } = run();
    expect(status).to.equal(1);
    expect(output)
      .to.match(/is not assignable/)
      .and.match(/^hushpush: the build failed\. dist\/ still holds/m);
    expect(await read('dist/src/main.js')).to.equal('old');
    expect(leftovers()).to.equal(null);
  });

  it('starts the last build without a compiler, and says in a sentence how to update it', async () => {
    await writeOldBuild();
    const { status, output } = run();
    expect(status).to.equal(0);
    expect(output).to.match(
      /^hushpush: dist\/ is older than its sources, [^\n]* run npm ci once without --omit=dev[^\n]*\n$/,
    );
    expect(await read('dist/src/main.js')).to.equal('old');
  });

  it('fails in a sentence when there is neither a compiler nor a build, or a build was asked for', async () => {
    const problem = {
      status: 1,
      output: 'hushpush: there is no compiler: run npm ci once without --omit=dev, then npm run build.\n',
    };
    expect(run()).to.deep.equal(problem);
    await writeOldBuild();
    expect(run('--always')).to.deep.equal(problem);
    expect(await read('dist/src/main.js')).to.equal('old');
  });
});

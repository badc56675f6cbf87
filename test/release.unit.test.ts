import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

type Hashes = { file: string; schema: string };

const root = fileURLToPath(new URL('..', import.meta.url));
const { bundle }: { bundle(folder: string): Map<string, Buffer> } = await import(
  join(root, 'scripts/assets.mjs')
);
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');

/** The last version whose databases no later one can use, so that its migrations are not kept. */
const lastUnfrozen = '1.0.0-rc.1';

/** What is wrong with the version and the released migrations of a folder. */
function problemsIn(folder: string): string[] {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const json = (name: string) => JSON.parse(read(name));
  const version: string = json('package.json').version;
  const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
  const headings = sections.map((section) => section.split(/\s/)[0] ?? '');
  const [unreleased = ''] = sections;
  const isDevelopment = version.endsWith('-dev');
  const hasHeading = headings.includes(version.replace(/-dev$/, ''));
  const problems: string[] = [];
  if (headings[0] !== 'Unreleased') problems.push('CHANGELOG.md must begin with “## Unreleased”.');
  if (isDevelopment && hasHeading)
    problems.push(
      `${version} is released: after a release, run npm run release with the next version and -dev.`,
    );
  if (!isDevelopment && (!hasHeading || unreleased.replace('Unreleased', '').trim() !== ''))
    problems.push(
      `${version} calls itself released, but has no heading in CHANGELOG.md with nothing under “Unreleased”. Between releases the version ends in -dev: run npm run release with the next version and -dev.`,
    );
  for (const file of ['package-lock.json', 'deploy/kubernetes/kustomization.yaml'])
    if (!read(file).includes(version)) problems.push(`${file} has another version than package.json.`);

  const released: Record<string, Record<string, Hashes>> = json('migrations/released.json');
  const frozen = headings.slice(1).filter((heading) => heading !== lastUnfrozen);
  if (frozen.sort().join() !== Object.keys(released).sort().join())
    problems.push('migrations/released.json must have the versions of CHANGELOG.md: use npm run release.');
  for (const release of frozen)
    if (!existsSync(join(folder, 'docs/releases', `${release}.json`)))
      problems.push(`docs/releases has no hashes of what pages of ${release} load: use npm run release.`);
  const changes = json('migrations/schema.json');
  for (const [release, hashes] of Object.entries(released))
    for (const [name, { file, schema }] of Object.entries(hashes)) {
      const path = join(folder, 'migrations', `${name}.ts`);
      const isKept = existsSync(path) && sha256(readFileSync(path, 'utf8')) === file;
      if (!isKept || sha256(JSON.stringify(changes[name])) !== schema)
        problems.push(
          `migrations/${name}.ts was released with ${release}, and databases have what it made then. Leave it as it was, and add a new migration file.`,
        );
    }
  return problems;
}

describe('The version', () => {
  it('is that of a release, or ends in -dev, and no released migration has changed', () => {
    expect(problemsIn(root)).to.deep.equal([]);
  });

  it('can be read and compared by what compares the versions of servers', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(version).to.match(/^\d+\.\d+\.\d+(?:-rc\.\d+)?(?:-dev)?$/); // semantic versioning, and PEP 440 of Python
  });
});

describe('npm run release', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'release-'));
    const files = ['package.json', 'package-lock.json', 'deploy/kubernetes/kustomization.yaml'];
    const names = [...files, 'migrations'];
    for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true });
    await writeFile(join(folder, 'migrations/released.json'), '{}');
    await writeFile(
      join(folder, 'CHANGELOG.md'),
      '# Changelog\n\n## Unreleased\n\n- Tulips.\n\n## 1.0.0-rc.1\n\n- Roses.\n',
    );
    release('1.0.0-rc.2-dev');
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const release = (version: string) =>
    execFileSync(process.execPath, [join(root, 'scripts/release.mjs'), version], {
      cwd: folder,
      stdio: 'pipe',
    });
  const problems = () => problemsIn(folder);
  const edit = (name: string, text: string) => appendFile(join(folder, name), text);

  it('writes the version, gives the notes their heading, and freezes the migrations', async () => {
    expect(problems()).to.deep.equal([]);
    release('1.0.0-rc.2');
    expect(problems()).to.deep.equal([]);
    expect(await readFile(join(folder, 'CHANGELOG.md'), 'utf8')).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 1.0.0-rc.2\n\n- Tulips.\n\n## 1.0.0-rc.1\n\n- Roses.\n',
    );
    release('1.0.0-dev');
    expect(problems()).to.deep.equal([]);
  });

  it('notes which columns it is the first release not to use', async () => {
    const file = join(folder, 'migrations/unread.json');
    await writeFile(file, '{"pushes.tulip":null,"pushes.rose":"1.0.0-rc.1"}');
    release('1.0.0-rc.2');
    expect(JSON.parse(await readFile(file, 'utf8'))).to.deep.equal({
      'pushes.tulip': '1.0.0-rc.2',
      'pushes.rose': '1.0.0-rc.1',
    });
  });

  it('writes the hash of each script and style sheet of the pages', async () => {
    release('1.0.0-rc.2');
    const { version, sha256: hashes } = JSON.parse(
      await readFile(join(folder, 'docs/releases/1.0.0-rc.2.json'), 'utf8'),
    );
    expect(version).to.equal('1.0.0-rc.2');
    expect(hashes).to.include.keys('newPush.js', 'pages.css', 'inline/start.js', 'inline/encryptedSecret.js');
    expect(hashes).to.not.have.keys('icon.svg');
    const built = bundle(join(root, 'src/web/public')).get('newPush.js');
    expect(hashes['newPush.js']).to.equal(sha256(built ?? ''));
  });

  it('leads to a refusal of each edit of a released migration, or of what it makes, and of none before', async () => {
    await edit('migrations/0002-pushes.ts', '// a tulip\n');
    expect(problems()).to.deep.equal([]);
    release('1.0.0-rc.2');
    await edit('migrations/0002-pushes.ts', '// a rose\n');
    const [problem, ...others] = problems();
    expect(others).to.deep.equal([]);
    expect(problem).to.match(
      /^migrations\/0002-pushes\.ts was released with 1\.0\.0-rc\.2, .* add a new migration/,
    );
    await rm(join(folder, 'migrations/0003-files.ts'));
    expect(problems().join()).to.contain('migrations/0003-files.ts was released');
    const schema = JSON.parse(await readFile(join(folder, 'migrations/schema.json'), 'utf8'));
    await writeFile(
      join(folder, 'migrations/schema.json'),
      JSON.stringify({ ...schema, '0004-chats': ['a.b int'] }),
    );
    expect(problems().join()).to.contain('migrations/0004-chats.ts was released');
  });

  it('leaves no version between releases that calls itself released, and none that was released unfrozen', async () => {
    release('1.0.0-rc.2');
    const changelog = join(folder, 'CHANGELOG.md');
    const text = await readFile(changelog, 'utf8');
    await writeFile(changelog, text.replace('## Unreleased\n', '## Unreleased\n\n- Roses.\n'));
    expect(problems().join()).to.match(/^1\.0\.0-rc\.2 calls itself released, .* run npm run release/);
    release('1.0.0-rc.3-dev');
    expect(problems()).to.deep.equal([]);
    release('1.0.0-rc.2-dev');
    expect(problems().join()).to.contain('1.0.0-rc.2-dev is released');
    release('1.0.0-rc.3-dev');
    await edit('CHANGELOG.md', '\n## 0.9.0\n');
    expect(problems()).to.deep.equal([
      'migrations/released.json must have the versions of CHANGELOG.md: use npm run release.',
      'docs/releases has no hashes of what pages of 0.9.0 load: use npm run release.',
    ]);
  });

  it('refuses what is no version, a second time, and a release without notes', () => {
    expect(() => release('tulip')).to.throw('Name a version');
    release('1.0.0-rc.2');
    expect(() => release('1.0.0-rc.3')).to.throw('nothing under');
    expect(problems()).to.deep.equal([]);
  });
});

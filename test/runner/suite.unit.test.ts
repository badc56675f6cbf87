import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect } from 'chai';
import { buildParts, type Part } from './suite.ts';

const root = join(import.meta.dirname, '..', '..');

/** Modules through which tests get a database, the built program or a browser. */
const heavyModules = ['browser', 'cli', 'database', 'mariadb', 'process', 'service'].map(
  (name) => `test/harness/${name}.ts`,
);

describe('The test suite', () => {
  const testFiles = ['test', 'tools'].flatMap(filesIn);

  it('imports nothing into unit tests that needs a database, the built program or a browser', () => {
    const unitTests = testFiles.filter((file) => file.endsWith('.unit.test.ts'));
    expect(unitTests).to.not.be.empty;
    for (const file of unitTests) {
      expect(
        [...importsOf(file)].filter((name) => heavyModules.includes(name)),
        file,
      ).to.be.empty;
    }
  });

  it('has the tests of the domain in the folders that the domain has', () => {
    const folders = new Set(filesIn('src/domain').map((file) => dirname(file).replace('src', 'test')));
    const tests = testFiles.filter((file) => file.startsWith('test/domain/'));
    expect(tests.filter((file) => !folders.has(dirname(file)))).to.be.empty;
  });

  it('runs each test file, and none twice on one database', () => {
    const parts = buildParts(['SQLite', 'MariaDB'], []);
    for (const file of testFiles.filter((name) => /\.test\.ts$/.test(name))) {
      const databases = parts.filter((part) => runs(part, file)).map(({ database }) => database);
      expect(databases, file).to.not.be.empty;
      expect(new Set(databases).size, file).to.equal(databases.length);
    }
  });

  it('has no pattern that matches nothing', () => {
    const patterns = buildParts(['SQLite', 'MariaDB'], []).flatMap(({ spec, ignored }) => [
      ...spec,
      ...ignored,
    ]);
    expect(patterns.filter((pattern) => !testFiles.some((file) => toRegExp(pattern).test(file)))).to.be.empty;
  });

  it('runs named files on each database', () => {
    const parts = buildParts(['SQLite', 'MariaDB'], ['test/a.test.ts']);
    expect(parts.map(({ database, spec, ignored }) => ({ database, spec, ignored }))).to.eql([
      { database: 'SQLite', spec: ['test/a.test.ts'], ignored: [] },
      { database: 'MariaDB', spec: ['test/a.test.ts'], ignored: [] },
    ]);
  });

  it('runs the long tests on SQLite where there is no MariaDB', () => {
    expect(buildParts(['SQLite'], []).map(({ database }) => database)).to.eql(Array(4).fill('SQLite'));
  });
});

const runs = ({ spec, ignored }: Part, file: string): boolean =>
  matches(spec, file) && !matches(ignored, file);

const matches = (patterns: string[], file: string) =>
  patterns.some((pattern) => toRegExp(pattern).test(file));

function toRegExp(pattern: string): RegExp {
  const parts = { '**/': '(?:.*/)?', '**': '.*', '*': '[^/]*', '.': '\\.' };
  const source = pattern.replaceAll(/\*\*\/|\*\*|\*|\./g, (part) => parts[part as keyof typeof parts]);
  return new RegExp(`^${source}$`);
}

/** All modules of this repository that a module imports, directly or not. Imports of types alone do not count. */
function importsOf(file: string, found = new Set<string>()): Set<string> {
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, path = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+)'/gm)) {
    const imported = relative(root, join(root, dirname(file), path));
    if (found.has(imported) || !existsSync(join(root, imported))) continue;
    found.add(imported);
    importsOf(imported, found);
  }
  return found;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { satisfies, subset } from 'semver';

type LockedPackage = {
  license?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  engines?: { node?: string };
  dev?: boolean;
};

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

const lock = JSON.parse(read('package-lock.json')) as { packages: Record<string, LockedPackage> };
const { engines: ours } = JSON.parse(read('package.json')) as { engines: { node: string } };
const dependencies = Object.entries(lock.packages).filter(([path]) => path !== '');

const permissive = [
  'MIT',
  'MIT-0',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
];
/** Only used by tests, and not passed on. */
const permittedInTests: Record<string, string[]> = {
  'axe-core': ['MPL-2.0'],
  'railroad-diagrams': ['CC0-1.0'],
  argparse: ['PSF-2.0', 'Python-2.0'],
};
/** They work without their scripts, which look for a compiled file, compile one, or report the installation (scarf). */
const withScripts = ['bcrypt', 'esbuild', 'fsevents', '@scarf/scarf'];

/** Where they come from unless the lock file says otherwise. */
const registry = 'https://registry.npmjs.org/';

const nameOf = (path: string) => path.replace(/^.*node_modules\//, '');

/** `MIT OR X` is permissive; `MIT AND X` only if X is, too. */
function isPermissive(license: string): boolean {
  return license
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => [...permissive, 'Zlib'].includes(one)));
}

describe('The dependencies', () => {
  it('have permissive licenses', () => {
    const others = dependencies.filter(
      ([path, { license = 'none', dev }]) =>
        !isPermissive(license) && !(dev && permittedInTests[nameOf(path)]?.includes(license)),
    );
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).to.deep.equal([]);
    expect(isPermissive('MIT AND GPL-3.0-only')).to.equal(false);
    expect(isPermissive('none')).to.equal(false);
  });

  it('come from the registry, with a checksum', () => {
    const others = dependencies.filter(
      ([, { resolved, integrity }]) =>
        !(resolved ?? registry).startsWith(registry) || !integrity?.startsWith('sha512-'),
    );
    expect(others.map(([path]) => path)).to.deep.equal([]);
  });

  it('run on every Node.js that hushpush runs on, so that npm has nothing to warn of', () => {
    const others = dependencies.filter(([, { engines }]) => !subset(ours.node, engines?.node ?? '*'));
    expect(others.map(([path, { engines }]) => `${path}: ${engines?.node}`)).to.deep.equal([]);
    // Once V8 has optimized its caller, Buffer.from of 22.7.0 takes ü for a byte of UTF-8 (nodejs/node#54521).
    expect(satisfies('22.7.0', ours.node)).to.equal(false);
  });

  it('run no scripts when they are installed, and those that would are known by name', () => {
    expect(read('.npmrc')).to.match(/^ignore-scripts=true$/m);
    const named = dependencies.filter(([, { hasInstallScript }]) => hasInstallScript);
    expect(withScripts).to.include.members(named.map(([path]) => nameOf(path)));
  });

  it('are not needed before or after a command: npm would pass over such scripts of ours, too', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).to.deep.equal([]);
  });
});

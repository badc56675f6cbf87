import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { secretNames } from '../src/config/secretFiles.ts';
import { settingNames } from '../src/config.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const files = readdirSync(join(root, 'deploy'), { recursive: true, encoding: 'utf8' })
  .map((name) => join('deploy', name))
  .filter((path) => statSync(join(root, path)).isFile() && !path.includes('/secrets/'));

/** Names in capitals that are settings of other programs. */
const otherNames = /^(AF_|AWS_|MYSQL_|CAP_|DAC_|NET_|GITHUB_|ACTIONS_|RUNNER_|HUSHPUSH_|MALLOC_ARENA_MAX$)/;

describe('The files in deploy/', () => {
  it('set only settings that exist', () => {
    const known = [...settingNames, ...secretNames.map((name) => `${name}_FILE`)];
    const unknown = files.flatMap((path) =>
      [...read(path).matchAll(/(?<![\w$/])[A-Z]+(?:_[A-Z]+)+\b/g)]
        .map(([name]) => name)
        .filter((name) => !known.includes(name) && !otherNames.test(name))
        .map((name) => `${path}: ${name}`),
    );
    expect(unknown).to.deep.equal([]);
  });

  it('start hushpush with one arena of memory for all of its threads, as npm start does', () => {
    const setting = /^(?!#).*\bMALLOC_ARENA_MAX=\S*1/m;
    const starting = ['package.json', 'deploy/Dockerfile', 'deploy/systemd/hushpush.service'];
    expect(starting.filter((path) => !setting.test(read(path)))).to.deep.equal([]);
  });

  it('run the version of Node.js, and of hushpush, that this repository is at', () => {
    const versions = [...read('deploy/Dockerfile').matchAll(/FROM node:(\S+)-bookworm-slim/g)];
    expect(versions.map(([, version]) => version)).to.deep.equal(versions.map(() => read('.nvmrc').trim()));
    const { version } = JSON.parse(read('package.json'));
    expect(read('deploy/kubernetes/kustomization.yaml')).to.contain(`newTag: ${version}\n`);
  });
});

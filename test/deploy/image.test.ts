import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createClient } from '../harness/api.ts';
import { startProcess } from '../harness/process.ts';
import { createContextFilter, type Replayed, replayDockerfile } from './dockerfile.ts';

const root = join(import.meta.dirname, '..', '..');
const dockerfile = join(root, 'deploy/Dockerfile');

describe('The image', () => {
  let folder: string;
  let replayed: Replayed;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'));
    replayed = await replayDockerfile(dockerfile, folder);
  });

  after(() => rm(folder, { recursive: true, force: true }));

  it('is built from what its Dockerfile copies and runs, and serves', async () => {
    const [node, main] = replayed.entrypoint;
    expect(await stat(join(replayed.image, String(node))))
      .to.have.property('size')
      .above(0);
    const service = await startProcess(replayed.environment, { main: join(replayed.image, String(main)) });
    const client = createClient(service.port);
    try {
      const { json } = await client.create({ expire_after_views: 1 });
      expect((await client.get(json)).body.payload).to.equal('tulip');
      expect((await client.get(json)).body.expired).to.equal(true);
      const [, ...check] = replayed.healthcheck;
      const health = (port: number) =>
        execFileSync(process.execPath, check, { env: { PORT: String(port) }, stdio: 'pipe' });
      health(service.port);
      client.close();
      await service.stop();
      expect(() => health(service.port)).to.throw();
    } finally {
      client.close();
      await service.kill9();
    }
  });

  it('has the packages of the lock file, with the client of S3, and nothing else of this folder', async () => {
    const lock = async (path: string) => JSON.parse(await readFile(path, 'utf8')).packages;
    const locked = await lock(join(root, 'package-lock.json'));
    const installed = await lock(join(replayed.image, 'app/node_modules/.package-lock.json'));
    expect(installed).to.include.keys('node_modules/@aws-sdk/client-s3', 'node_modules/koa');
    const others = Object.keys(installed).filter(
      (name) => installed[name].integrity !== locked[name]?.integrity,
    );
    expect(others).to.deep.equal([]);
    expect(await readdir(join(replayed.image, 'app'))).to.have.members([
      'dist',
      'node_modules',
      'package.json',
    ]);
  });

  it('keeps its data in a folder that only its user opens, who is not root', async () => {
    expect(replayed.user).to.match(/^[1-9]\d*:[1-9]\d*$/);
    expect((await stat(join(replayed.image, 'data'))).mode & 0o777).to.equal(0o700);
  });

  it('is built without keys, data and settings', async () => {
    const isLetThrough = createContextFilter(await readFile(`${dockerfile}.dockerignore`, 'utf8'));
    const secrets = ['.env', 'data/master.key', 'deploy/compose/secrets/master.key', '.git/config'];
    expect(secrets.filter(isLetThrough)).to.deep.equal([]);
    expect(['src/main.ts', 'tsconfig.client.json'].filter(isLetThrough)).to.have.length(2);
  });
});

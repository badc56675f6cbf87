import { once } from 'node:events';
import { chmod, chown, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { lookFolder } from '../harness/look.ts';
import { newSharedSettings } from '../harness/process.ts';

const asNobody = 'process.setgroups([]); process.setgid(65_534); process.setuid(65_534);';

// The database has no part in this.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('Settings', () => {
  let folder: Folder;

  beforeEach(async () => {
    folder = await openFolder({ ...newSharedSettings('sqlite:unused.db'), PORT: '5100' });
  });

  afterEach(() => folder.remove());

  const writeEnv = (text: string) => writeFile(join(folder.path, '.env'), text);

  function expectRefused({ code, stdout, stderr }: ProcessResult, ...lines: string[]): void {
    expect(stderr.split('\n')).to.deep.equal([...lines, '']);
    expect({ code, stdout }).to.deep.equal({ code: 78, stdout: '' });
  }

  it('are also read from .env in the working folder, where the environment takes precedence, and stop a command when invalid', async () => {
    await writeEnv('PORT=http\nDATABASE_POOL=none\nLOG_LEVEL="loud"\n');
    expectRefused(
      await folder.run('admin account list'),
      'hushpush: These settings are invalid:',
      '  DATABASE_POOL must be a whole number from 1 to 500',
      '  LOG_LEVEL must be debug, info, warn, error or silent',
    );
  });

  it('stop start when files go to a bucket, and its package is not installed', async () => {
    const hook = `export const resolve = (name, context, next) => {
      if (name !== '@aws-sdk/client-s3') return next(name, context);
      throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
    }`;
    const asUrl = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const register = `import { register } from 'node:module'; register(${JSON.stringify(asUrl(hook))});`;
    const settings = { FILES_URL: 's3://bucket', NODE_OPTIONS: `--import=${asUrl(register)}` };
    const { code, stderr } = await folder.run('start', { settings });
    expect(code).to.equal(78);
    expect(stderr).to.match(/^hushpush: FILES_URL is a bucket, .* npm install @aws-sdk\/client-s3\n$/);
  });

  it('stop start, one process or several, and worker when the look is below AA, and name the colour that would do', async () => {
    const look = await lookFolder({ light: { accent: '#ff6600' }, name: '' });
    const settings = { LOOK_DIR: look };
    const second = { ...settings, WEB_PROCESSES: '2' };
    const runs = [
      await folder.run('start', { settings }),
      await folder.run('start', { settings: second }),
      await folder.run('worker', { settings }),
    ];
    for (const { code, stderr } of runs) {
      expect(code, stderr).to.equal(78);
      expect(stderr).to.include(
        `hushpush: The look in ${look} (LOOK_DIR) cannot be used:\n  look.json: name must be`,
      );
    }
    await writeFile(join(look, 'look.json'), JSON.stringify({ light: { accent: '#ff6600' } }));
    const { code, stderr } = await folder.run('start', { settings });
    expect(code).to.equal(78);
    expect(stderr).to.match(
      /^ {2}light\.accent #ff6600 has a contrast of 2\.58 with the background #f4f0e7, and needs 4\.5; #[\da-f]{6} would do$/m,
    );
  });

  it('stop start when the database of places cannot be used', async () => {
    const settings = { GEOIP_DATABASE: 'places.mmdb' };
    const { code, stderr } = await folder.run('start', { settings });
    expect(code).to.equal(78);
    const path = join(folder.path, 'places.mmdb');
    expect(stderr).to.equal(`hushpush: The file ${path} of GEOIP_DATABASE cannot be read (ENOENT).\n`);
  });

  it('stop start and doctor when a name is misspelt, and suggest the right one', async () => {
    await writeEnv('ALOW_ANONYMOUS=false\n');
    for (const command of ['start', 'doctor'])
      expectRefused(
        await folder.run(command, { settings: { BASEURL: 'https://push.example.com' } }),
        'hushpush: These settings are invalid:',
        `  ALOW_ANONYMOUS in ${join(folder.path, '.env')} is not a setting; did you mean ALLOW_ANONYMOUS?`,
        '  BASEURL is not a setting; did you mean BASE_URL? If not, leave it empty for hushpush',
      );
    expect(await folder.run('--version')).to.include({ code: 0, stderr: '' });
  });

  it('stop start and doctor when the user of the service cannot read .env', async function () {
    if (process.getuid?.() !== 0) this.skip(); // only root can become another user
    await writeEnv('ALLOW_ANONYMOUS=false\n');
    await chmod(join(folder.path, '.env'), 0o600);
    await chown(folder.path, 65_534, 65_534);
    for (const command of ['start', 'doctor'])
      expectRefused(
        await folder.run(command, { preload: asNobody }),
        `hushpush: The file ${join(folder.path, '.env')} cannot be read (EACCES).`,
      );
  });

  it('stop start with advice when the user of the service cannot write to the folder of the database', async function () {
    if (process.getuid?.() !== 0) this.skip(); // only root can become another user
    await chown(folder.path, 0, 65_534);
    await chmod(folder.path, 0o750);
    for (const name of ['own.db', 'data/own.db']) {
      const path = join(folder.path, name);
      const settings = { DATABASE_URL: `sqlite:${name}` };
      const { code, stderr } = await folder.run('start', { preload: asNobody, settings });
      expect({ code, stderr }).to.deep.equal({
        code: 78,
        stderr: `hushpush: The database ${path} cannot be written to (EACCES). Allow the user of the service to write to ${dirname(path)}, or set DATABASE_URL to another place.\n`,
      });
    }
  });

  it('stop start with advice when the port is in use or the address is not of this machine', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    const start = async (settings: Record<string, string>) => {
      const { code, stderr } = await folder.run('start', { settings });
      return { code, stderr };
    };
    expect(await start({ DATABASE_URL: 'sqlite:own.db', PORT: String(port) })).to.deep.equal({
      code: 1,
      stderr: `hushpush: Port ${port} of 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another port.\n`,
    });
    taken.close();
    expect(await start({ DATABASE_URL: 'sqlite:own.db', HOST: '192.0.2.1' })).to.deep.equal({
      code: 78,
      stderr:
        'hushpush: 192.0.2.1 is not an address of this machine. Set HOST to one, or to 0.0.0.0 for all.\n',
    });
  });

  it('are listed with where each comes from, even invalid ones, and no secret is shown', async () => {
    await writeEnv('PORT=http\nDATABASE_POOL=20\nLOG_LEVEL=\nSLACK_APP_TOKEN=xapp-tulip\n');
    const url = 'mysql://hush:tu:l@ip@db.example.com:3306/pushes';
    const { stdout } = await folder.run('settings --json', {
      settings: { DATABASE_URL: url, DATABASE_POOL: '30', METRICS_TOKEN_FILE: '/run/secrets/token' },
    });
    const listed = Object.fromEntries(
      JSON.parse(stdout).map((row: Record<string, string>) => [row.setting, [row.value, row.from]]),
    );
    expect(listed).to.deep.include({
      PORT: ['5100', 'environment'],
      DATABASE_POOL: ['30', 'environment'],
      DATABASE_URL: ['mysql://hush:********@db.example.com:3306/pushes', 'environment'],
      SLACK_APP_TOKEN: ['********', join(folder.path, '.env')],
      METRICS_TOKEN_FILE: ['/run/secrets/token', 'environment'],
      MASTER_KEYS: ['********', 'environment'],
      PEPPER: ['********', 'environment'],
    });
    expect(listed).to.not.have.any.keys('LOG_LEVEL', 'PATH');
  });

  it('are named in the first line of the log, with all that is wrong about them', async () => {
    await writeEnv('ALLOW_ANONYMOUS=false\nRATE_LIMITS=off\n');
    const served = await folder.start({ settings: { DATABASE_URL: 'sqlite:own.db' } });
    await served.ready();
    const body = new URLSearchParams({ 'password[payload]': 'tulip' });
    expect((await fetch(`${served.url}/p.json`, { method: 'POST', body })).status).to.equal(401);
    const { stdout } = await served.stop();
    const [first, second] = stdout
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line));
    expect(first).to.include({ msg: 'starting', envFile: join(folder.path, '.env') });
    expect(second).to.include({ level: 'warn', code: 'limitsOff' });
    const { stdout: found } = await folder.run('doctor', { settings: { DATABASE_URL: 'sqlite:own.db' } });
    expect(found).to.contain(`ok       .env: settings come from the environment and ${folder.path}/.env\n`);
  });
});

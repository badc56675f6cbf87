import { chmod, chown, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Folder, openFolder, type ProcessResult } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { newSharedSettings } from '../harness/process.ts';

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
      await folder.run('account list'),
      'hushpush: These settings are invalid:',
      '  DATABASE_POOL must be a whole number from 1 to 500',
      '  LOG_LEVEL must be debug, info, warn, error or silent',
    );
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
    const asNobody = 'process.setgroups([]); process.setgid(65_534); process.setuid(65_534);';
    for (const command of ['start', 'doctor'])
      expectRefused(
        await folder.run(command, { preload: asNobody }),
        `hushpush: The file ${join(folder.path, '.env')} cannot be read (EACCES).`,
      );
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
    expect(second).to.include({ level: 40, code: 'limitsOff' });
    const { stdout: found } = await folder.run('doctor', { settings: { DATABASE_URL: 'sqlite:own.db' } });
    expect(found).to.contain(`ok       .env: settings come from the environment and ${folder.path}/.env\n`);
  });
});

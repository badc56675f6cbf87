import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { firstRunBanner } from '../../src/runtime/banner.ts';
import { mainFile } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { findProgram } from '../harness/debian.ts';
import { freePort } from '../harness/mariadb.ts';
import { programMs, until } from '../harness/until.ts';

describe('The first start in an empty folder', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder();
  });

  after(() => folder.remove());

  if (onMariadb) {
    it('with a database server but no keys says what to do, creates no keys, and exits with 78', async () => {
      const settings = { DATABASE_URL: 'mysql://127.0.0.1:1/hushpush' };
      const { code, stderr } = await folder.run('start', { settings });
      expect(code).to.equal(78);
      expect(stderr).to.equal(
        `hushpush: There are no keys: set MASTER_KEYS and PEPPER, or put a key file at ${join(folder.path, 'data/master.key')}.\n`,
      );
      expect(readdirSync(folder.path)).to.be.empty;
    });
    return;
  }

  it('tells a person at a terminal how to share a secret and how to get an account, in lines that work when pasted', async () => {
    const served = await folder.start({ settings: { PORT: String(await freePort()) } });
    await served.ready();
    const keyFile = join(folder.path, 'data', 'master.key');
    const lines = served.output().trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).to.deep.include.members([
      { ...JSON.parse(lines.find((line) => line.includes('"keyFile"')) ?? '{}'), keyFile, level: 'warn' },
    ]);
    expect(existsSync(join(folder.path, 'data', 'hushpush.db'))).to.equal(true);

    const banner = firstRunBanner(served.url, keyFile);
    const curl = /Share a secret: +(curl .*)$/m.exec(banner)?.[1] ?? '';
    const shared = await folder.launch(['sh', '-c', curl.replace('curl ', 'curl -sS ')]).ended;
    expect(shared).to.include({ code: 0, stderr: '' });
    const push = JSON.parse(shared.stdout);
    expect(push.html_url).to.equal(`${served.url}/p/${push.url_token}`);
    const revealed = await fetch(`${served.url}/p/${push.url_token}.json`);
    expect(await revealed.json()).to.include({ payload: 'the secret' });

    const account = /Create an account: +(npx hushpush .*)$/m.exec(banner)?.[1] ?? '';
    const words = [process.execPath, mainFile].map((word) => `'${word}'`).join(' ');
    const settings = { BASE_URL: served.url };
    const made = await folder.launch(['sh', '-c', account.replace('npx hushpush', words)], { settings })
      .ended;
    expect(made).to.include({ code: 0 });
    const [link = ''] = /http\S+/.exec(made.stdout) ?? [];
    expect(await fetch(link)).to.have.property('status', 200);

    const docs = /Read the API docs: +(.*)$/m.exec(banner)?.[1] ?? '';
    expect(await fetch(docs)).to.have.property('status', 200);
    expect(await served.stop()).to.include({ code: 0, stderr: '' });
  });

  it('prints that at a terminal alone: elsewhere nothing stands between the lines of the log', async function () {
    if (findProgram('script') === undefined) return this.skip();
    const other = await openFolder();
    const port = String(await freePort());
    const command = `${process.execPath} ${mainFile} start`;
    const { child, ended } = other.launch(['script', '-qec', command, '/dev/null'], {
      settings: { PORT: port },
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    await until(() => output.includes('Without it nothing can be decrypted.'), programMs);
    expect(output).to.contain('npx hushpush admin account invite you@example.com');
    child.kill('SIGTERM');
    await ended;
    await other.remove();
  });

  it('is the only one that prints instructions', async () => {
    const served = await folder.start();
    await served.ready();
    expect((await served.stop()).stdout).to.not.contain('curl');
  });
});

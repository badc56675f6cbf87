import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { mainFile } from '../harness/build.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';

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

  it('prints how to share a secret and how to create an account, in lines that work when pasted', async () => {
    const served = await folder.start({ settings: { PORT: String(await freePort()) } });
    await served.ready();
    const banner = served.output();
    expect(banner).to.contain(`hushpush is listening on ${served.url}\n`);
    expect(banner).to.contain(join(folder.path, 'data', 'master.key'));
    expect(existsSync(join(folder.path, 'data', 'hushpush.db'))).to.equal(true);

    const curl = /Share a secret: +(curl .*)$/m.exec(banner)?.[1] ?? '';
    const shared = await folder.launch(['sh', '-c', curl.replace('curl ', 'curl -sS ')]).ended;
    expect(shared).to.include({ code: 0, stderr: '' });
    const push = JSON.parse(shared.stdout);
    expect(push.html_url).to.equal(`${served.url}/p/${push.url_token}`);
    const revealed = await fetch(`${served.url}/p/${push.url_token}.json`);
    expect(await revealed.json()).to.include({ payload: 'the secret' });

    const account = /Create an account: +(npx hushpush .*)$/m.exec(banner)?.[1] ?? '';
    const words = [process.execPath, mainFile].map((word) => `'${word}'`).join(' ');
    const made = await folder.launch(['sh', '-c', account.replace('npx hushpush', words)]).ended;
    expect(made).to.include({ code: 0, stderr: '' });
    const [token] = /\bhp_\w+$/m.exec(made.stdout) ?? [];
    const asAccount = { headers: { authorization: `Bearer ${token}` } };
    expect(await fetch(`${served.url}/p/active.json`, asAccount)).to.have.property('status', 200);

    const docs = /Read the API docs: +(.*)$/m.exec(banner)?.[1] ?? '';
    expect(await fetch(docs)).to.have.property('status', 200);
    expect(await served.stop()).to.include({ code: 0, stderr: '' });
  });

  it('is the only one that prints instructions', async () => {
    const served = await folder.start();
    await served.ready();
    expect((await served.stop()).stdout).to.not.contain('curl');
  });
});

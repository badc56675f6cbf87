import { expect } from 'chai';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';

const email = 'ann@example.com';

describe('The passwords of accounts on the command line', () => {
  let folder: DatabaseFolder;

  /* Few commands: each starts the whole program. */
  before(async () => {
    folder = await openDatabaseFolder({ BASE_URL: 'https://push.example.com' });
    await folder.run('migrate up');
  });
  after(() => folder.remove());

  it('are set by the operator, or by somebody with a link that works once', async () => {
    const invited = JSON.parse((await folder.run(`admin account invite ${email} --json`)).stdout);
    expect(invited).to.have.property('email', email);
    expect(invited.link).to.match(/^https:\/\/push\.example\.com\/invite\/[\w-]{43}$/);
    const promoted = await folder.run(`admin account promote ${email}`);
    expect(promoted.stdout).to.include(
      `It has no password for the web yet: hushpush admin account invite ${email}`,
    );
    const set = await folder.run(`admin account password ${email} --stdin`, {
      input: 'correct horse battery\n',
    });
    expect(set).to.include({ code: 0, stderr: '', stdout: `${email} can sign in with the new password.\n` });
    expect((await folder.run(`admin account reset ${email}`)).stdout).to.match(
      /Hand this link to ann@example\.com\. It works once, within half an hour:\nhttps:\/\/push\.example\.com\/reset\/[\w-]{43}\n$/,
    );
  });

  it('do not prove the address of somebody who signed up, which promoting and subscribing say', async () => {
    const carl = 'carl@example.com';
    await folder.run(`admin account create ${carl}`);
    await folder.withDatabase((database) =>
      database.execute('UPDATE accounts SET signed_up = TRUE WHERE email = $carl', { carl }),
    );
    const refused = await folder.run(`admin account promote ${carl}`);
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.match(/its address is unconfirmed.*account reset carl.*--yes/);
    expect((await folder.run(`admin account subscribe ${carl} --yes`)).code).to.equal(0);
    await folder.run(`admin account password ${carl} --stdin`, { input: 'correct horse battery' });
    expect((await folder.run(`admin account promote ${carl}`)).code).to.equal(0);
  });

  it('sign in alone again once the operator has agreed to remove a second factor', async () => {
    const dora = 'dora@example.com';
    await folder.run(`admin account create ${dora}`);
    const command = `admin account remove-factors ${dora}`;
    expect((await folder.run(`${command} --yes`)).stderr).to.include('has no second factor');
    const [id, digest] = [Buffer.alloc(16, 1), Buffer.alloc(32)];
    await folder.withDatabase((database) =>
      database.execute(
        `INSERT INTO authenticators (id, account_id, secret, last_step, created_at)
         SELECT $id, id, $digest, 0, 0 FROM accounts WHERE email = $dora`,
        { id, digest, dora },
      ),
    );
    const refused = await folder.run(command);
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      `hushpush: A password alone will sign in to ${dora}. Be sure who asks for it. Add --yes to agree.\n`,
    ]);
    const removed = await folder.run(`${command} --yes --json`);
    expect(JSON.parse(removed.stdout)).to.deep.equal({ email: dora, factors_removed: true });
    expect((await folder.run(`${command} --yes`)).code, 'a second time').to.equal(1);
  });
});

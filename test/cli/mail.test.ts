import { expect } from 'chai';
import { checkRefusedMails } from '../../src/cli/doctor/mail.ts';
import { readConfig } from '../../src/config.ts';
import { type Folder, openFolder } from '../harness/cli.ts';
import { byCheck } from '../harness/doctor.ts';
import { mailUser, Reply, startMailServer } from '../harness/mailServer.ts';
import { freePort } from '../harness/mariadb.ts';
import { createAccount, someClient, startService } from '../harness/service.ts';
import { untilLater } from '../harness/until.ts';

/** Prints what a process loads of mail: the library, and what uses it. */
const printMail = `
  import { register } from 'node:module';
  register('data:text/javascript,' + encodeURIComponent(\`
    import { writeSync } from 'node:fs';
    export async function resolve(specifier, context, next) {
      const found = await next(specifier, context);
      if (/nodemailer|\\\\/src\\\\/mail\\\\//.test(found.url)) writeSync(1, 'loads ' + found.url + '\\\\n');
      return found;
    }
  \`));`;

describe('Mail at the command line', () => {
  let folder: Folder;

  before(async () => {
    folder = await openFolder();
    await folder.run('migrate up');
  });

  after(() => folder.remove());

  it('hands a test to the mail server, and says what that answers', async () => {
    const server = await startMailServer();
    const { settings } = server;
    const { code, stdout } = await folder.run('admin mail test bob@example.com', { settings });
    expect(code).to.equal(0);
    expect(stdout).to.match(/^Handed to your mail server, which answered: 250 /);
    expect(stdout).not.to.match(/delivered/i);
    const json = await folder.run('admin mail test bob@example.com --json', { settings });
    expect(JSON.parse(json.stdout)).to.deep.include({ address: 'bob@example.com' });
    expect(server.mails.map(({ subject }) => subject)).to.deep.equal(Array(2).fill('A test from hushpush'));
    expect(new Set(server.mails.map(({ messageId }) => messageId))).to.have.property('size', 2);
  });

  it('says why nothing was sent, without the password', async () => {
    const server = await startMailServer({
      password: () => 'other',
      to: () => new Reply(550, 'No such user'),
    });
    const settings = { ...server.settings, SMTP_URL: `smtp://${mailUser}:hunter2@127.0.0.1:${server.port}` };
    const refused = await folder.run('admin mail test bob@example.com', { settings });
    expect(refused.code).to.equal(1);
    expect(refused.stderr).to.include('your mail server refused the password: 535');
    expect(refused.stderr + refused.stdout).not.to.include('hunter2');
    const unknown = await folder.run('admin mail test bob@example.com', { settings: server.settings });
    expect(unknown.stderr).to.include('your mail server refused it: 550 No such user');
    const wrong = await folder.run(['admin', 'mail', 'test', 'a@b@c'].join(' '), { settings });
    expect(wrong).to.include({ code: 1 });
    expect(wrong.stderr).to.include('not an e-mail address');
    const off = await folder.run('admin mail test bob@example.com');
    expect(off.stderr).to.include('Mail is off: set SMTP_URL and MAIL_FROM.');
  });

  /** Starts a service with mail, and an account in it for the commands. */
  async function startForClients() {
    const server = await startMailServer();
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService({ ...server.settings, PORT: String(port), BASE_URL: url });
    const { token } = await createAccount(service.domain);
    const settings = { XDG_CONFIG_HOME: folder.path, HUSHPUSH_SERVER: url, HUSHPUSH_TOKEN: token };
    return { server, service, url, settings };
  }

  it('pushes to e-mail addresses, with a code unless told not to', async () => {
    const { server, service, settings } = await startForClients();
    const run = (command: string) => folder.run(command, { settings, input: 'tulip' });
    const { code, stdout, stderr } = await run('push --views 2 --to bob@acme.example carol@acme.example');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^http:\S+\/p\/\w{26}\n$/);
    expect(stderr)
      .to.include(
        'A mail with a link goes to bob@acme.example, carol@acme.example. It opens only with a code',
      )
      .and.include('The link printed here names the push, and opens nothing. 4 views, expires ');
    expect((await run(`get --yes ${stdout.trim()}`)).stderr).to.include('only through the links');
    const named = stdout.trim();
    expect(await run(`send-again ${named} bob@acme.example`)).to.deep.include({
      ...{ code: 0, stdout: 'A mail with the link is on its way to bob@acme.example.\n' },
    });
    const withdrawn = await run(`withdraw ${named} bob@acme.example`);
    expect(withdrawn.stdout).to.equal('The link of bob@acme.example opens nothing any more.\n');
    const gone = await run(`send-again ${named} bob@acme.example`);
    expect(gone).to.include({ stdout: '' }).and.not.include({ code: 0 });
    expect(gone.stderr).to.include('no such recipient with views left');
    const plain = await run('push --json --no-code --to bob@acme.example');
    const { recipients, views_total } = JSON.parse(plain.stdout);
    expect([recipients[0].name, recipients[0].mail, views_total]).to.deep.equal([
      'bob@acme.example',
      { state: 'waiting', reason: null, code: false },
      1,
    ]);
    for (const [command, reason] of [
      ['push --to bob', 'bob is not an e-mail address.'],
      ['push --to a@b@c', 'a@b@c is not an e-mail address.'],
      [`push --to ${'a'.repeat(65)}@acme.example`, 'recipients.0 '],
      ['push --no-code', 'it needs --to.'],
      ['push --encrypt --to bob@acme.example', 'cannot be used with'],
    ] as const) {
      const refused = await run(command);
      expect(refused, command).to.deep.include({ stdout: '' }).and.not.include({ code: 0 });
      expect(refused.stderr, command).to.include(reason);
    }
    const anonymous = { ...settings, HUSHPUSH_TOKEN: '' };
    const refused = await folder.run('push --to bob@acme.example', { settings: anonymous, input: 'tulip' });
    expect(refused.stderr).to.include('A push with recipients needs an account.');
    await service.stop();
    await server.stop();
  });

  it('mails a request link, and again by the link, its page or its id', async () => {
    const { server, service, url, settings } = await startForClients();
    const run = (command: string) => folder.run(command, { settings });
    const created = JSON.parse(
      (await run('request --link VPN --to bob@acme.example --no-seal --json')).stdout,
    );
    const { id, html_url } = created;
    for (const named of [html_url, `${url}/requests/links/${id}`, id, id.slice(-8)])
      expect(await run(`send-again ${named} Bob@acme.example`), named).to.deep.include({
        ...{ code: 0, stdout: 'A mail with the link is on its way to Bob@acme.example.\n' },
      });
    await service.deliver();
    expect(server.mails.map(({ text }) => text?.includes(html_url))).to.deep.equal(Array(5).fill(true));
    for (const [command, reason] of [
      [`send-again ${id} eve@acme.example`, 'no mail went to that address'],
      [`send-again ${'0'.repeat(8)} bob@acme.example`, 'You have no request link 00000000.'],
      [`withdraw ${html_url} bob@acme.example`, 'hushpush cancel closes it.'],
      ['request --to bob@acme.example', 'add --link TITLE, which says what you ask for.'],
    ] as const) {
      const refused = await run(command);
      expect(refused, command).to.deep.include({ stdout: '' }).and.not.include({ code: 0 });
      expect(refused.stderr, command).to.include(reason);
    }
    await service.stop();
    await server.stop();
  });

  it('chooses the notifications that come by mail, once the address is confirmed', async () => {
    const server = await startMailServer();
    const service = await startService(server.settings);
    const { account } = await createAccount(service.domain);
    const settings = { ...server.settings, ...service.shared };
    const choose = (kinds: string) =>
      folder.run(`admin account notifications ${account.email} --mail ${kinds} --json`, { settings });
    expect((await choose('viewed')).stderr).to.include('The e-mail address of this account is not confirmed');
    await service.database.transaction(async (tx) => {
      const { address } = await service.domain.mailAddresses.save(account.email, null, tx);
      await tx.execute(
        "INSERT INTO recipients (account_id, messenger, address) VALUES ($id, 'mail', $address)",
        { id: account.id, address },
      );
    });
    expect(JSON.parse((await choose('viewed,answered')).stdout).mail).to.have.members(['viewed', 'answered']);
    expect(JSON.parse((await choose('none')).stdout).mail).to.deep.equal([]);
    expect((await choose('tulips')).code).to.equal(2);
  });

  it('stops everything with 78 for settings that cannot work, without the password', async () => {
    const cases = [
      [{ SMTP_URL: 'smtp://me:hunter2@mail.test' }, 'MAIL_FROM must be set when SMTP_URL is'],
      [{ MAIL_FROM: 'a@acme.example' }, 'SMTP_URL must be set when MAIL_FROM is'],
      [{ SIGN_UP: 'verified' }, 'SMTP_URL must be set when SIGN_UP is verified'],
      [
        { SMTP_URL: 'smtp://me:hunter2@mail.test', MAIL_FROM: 'acme.example' },
        'MAIL_FROM must be an e-mail address',
      ],
      [{ SMTP_URL: 'mail.test:hunter2', MAIL_FROM: 'a@acme.example' }, 'SMTP_URL must be smtps://'],
    ] as const;
    for (const [settings, reason] of cases) {
      const { code, stderr } = await folder.run('start', { settings });
      expect(code, reason).to.equal(78);
      expect(stderr).to.include(reason).and.not.to.include('hunter2');
    }
  });

  it('is checked by doctor, which sends nothing, and is not mentioned where it is off', async () => {
    let sender: Reply | undefined;
    const server = await startMailServer({ password: () => 'hunter2', from: () => sender });
    const examine = async (settings = {}) =>
      byCheck(JSON.parse((await folder.run('doctor --json', { settings })).stdout));
    expect((await examine(server.settings)).mail).to.include({ code: 'mailAccepted', state: 'ok' });
    sender = new Reply(553, 'Not your address');
    const { mail } = await examine(server.settings);
    expect(mail).to.include({ code: 'mailSender', state: 'failure' });
    expect(mail?.finding).to.include('553 Not your address').and.not.to.include('hunter2');
    await server.stop();
    expect((await examine(server.settings)).mail).to.include({ code: 'mailConnection', state: 'failure' });
    expect(await examine()).not.to.have.property('mail');
    expect(server.mails).to.deep.equal([]);
  });

  it('refused by a policy is told apart by doctor from what addresses were refused', async () => {
    const server = await startMailServer({
      to: (address) =>
        address.startsWith('nobody')
          ? new Reply(550, '5.1.1 No such user')
          : new Reply(554, '5.7.1 Rejected by \u001b[1mpolicy'),
    });
    const service = await startService(server.settings);
    const { account } = await createAccount(service.domain);
    const recipients = ['nobody@acme.example', 'ann@acme.example', 'bob@acme.example'];
    await service.domain.pushes.create({ payload: 'tulip', recipients }, { account, client: someClient });
    await service.deliver();
    const findings = await checkRefusedMails(readConfig(server.settings), service);
    expect(findings.map(({ code, state }) => [code, state])).to.deep.equal([
      ['mailsRefusedByPolicy', 'warning'],
      ['mailsRefused', 'warning'],
    ]);
    expect(findings[0]?.finding).to.match(
      /mails to 2 addresses .* of the last one, your mail server refused it: 554 5\.7\.1 Rejected by \[1mpolicy$/,
    );
    expect(findings[1]?.finding).to.include('mails to one address').and.include('550 5.1.1 No such user');
    await service.stop();
    await server.stop();
  });

  it('loads nothing where it is off, and all of it before the first mail where it is on', async () => {
    const off = await folder.start({ preload: printMail });
    await untilLater(() => off.output().includes('listening'));
    await off.stop();
    expect(off.output()).not.to.include('loads ');
    for (const settings of [{}, { SMTP_URL: 'smtp://127.0.0.1', MAIL_FROM: 'a@acme.example' }]) {
      const { code, stdout } = await folder.run('--version', { preload: printMail, settings });
      expect([code, stdout.includes('loads ')]).to.deep.equal([0, false]);
    }
    const server = await startMailServer();
    const on = await folder.start({ preload: printMail, settings: server.settings });
    await untilLater(() => on.output().includes('nodemailer'));
    await on.stop();
    expect(server.mails).to.deep.equal([]);
  });
});

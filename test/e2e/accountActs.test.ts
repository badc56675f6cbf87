import { expect } from 'chai';
import { bearer, createClient } from '../harness/api.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';
import { openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../harness/receiver.ts';
import { programMs, until } from '../harness/until.ts';

const [admin, ann] = ['admin@example.com', 'ann@example.com'];

describe('What an admin does on the web to the account of somebody else', () => {
  let folder: DatabaseFolder;
  let receiver: WebhookReceiver;

  beforeEach(async () => {
    receiver = await startWebhookReceiver();
    folder = await openDatabaseFolder({ WEBHOOK_ALLOW_PRIVATE: 'on' });
  });

  afterEach(async () => {
    await folder.remove();
    await receiver.close();
  });

  async function createAccount(email: string, options = ''): Promise<{ token: string }> {
    const outcome = await folder.run(
      `admin account create ${email} --json --password-stdin ${options}`.trim(),
      {
        input: `${password}\n`,
      },
    );
    return JSON.parse(outcome.stdout);
  }

  it('reaches its webhook with a signature, the log by its id, and the command that lists it', async () => {
    await folder.run('migrate up');
    await createAccount(admin, '--admin');
    const { token } = await createAccount(ann);
    const served = await folder.start();
    await served.ready();
    const api = createClient(served.port);
    const hook = await receiver.open(async (url) => {
      const { body } = await api.post('/api/v1/webhooks.json', { webhook: { url } }, bearer(token));
      return String(body.secret);
    });

    const browser = await openFormBrowser(api);
    await browser.submit('/sign-in', '/sign-in', { email: admin, password });
    const { text } = await browser.get('/admin?search=ann');
    const [, page = '', id] = /href="(\/admin\/accounts\/([0-9a-f]{32}))"/.exec(text) ?? [];
    const answer = await browser.submit(page, `${page}/subscribe`);
    expect(visibleText(answer)).to.include('This account may attach files now.');
    await browser.submit(page, `${page}/password-link`);

    await until(() => hook.received.length === 2, programMs);
    expect(hook.refused).to.equal(0);
    expect(hook.received.map(({ type, data }) => ({ type, data }))).to.have.deep.members(
      ['subscribed', 'reset_link'].map((change) => ({
        type: 'account.changed',
        data: { account: ann, change, by: admin },
      })),
    );

    const lines = () =>
      served
        .output()
        .split('\n')
        .filter((line) => line.includes('account of somebody else'));
    await until(() => lines().length === 2, programMs);
    const logged = lines().map((line) => JSON.parse(line));
    expect(logged.map(({ level, act, accountId }) => [level, act, accountId])).to.deep.equal([
      ['info', 'subscribed', id],
      ['info', 'reset_link', id],
    ]);
    expect(logged[0].by).to.match(/^[0-9a-f]{32}$/);
    expect(served.output()).to.not.include('@example.com');

    await folder.run(`admin account unsubscribe ${ann}`);
    const listed = await folder.run(`admin account log ${ann}`);
    expect(listed.stdout).to.match(
      /^at +account +change +token +by\n\S+Z +ann@example\.com +unsubscribed +\S* *\S*\n\S+Z +ann@example\.com +reset_link .*admin@example\.com\n\S+Z .* subscribed .*admin@example\.com\n$/,
    );
    const rows = JSON.parse((await folder.run('admin account log --json')).stdout);
    expect(rows.map(({ account, change, token, by }: Row) => [account, change, token, by])).to.deep.equal([
      [ann, 'unsubscribed', null, null],
      [ann, 'reset_link', null, admin],
      [ann, 'subscribed', null, admin],
    ]);
    api.close();
  });
});

type Row = Record<'account' | 'change' | 'token' | 'by', string | null>;

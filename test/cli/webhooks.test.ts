import { expect } from 'chai';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { type DatabaseFolder, openDatabaseFolder } from '../harness/databaseFolder.ts';

const email = 'ann@example.com';
const url = 'https://example.com/hook';
const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const time = '2026-01-02T03:04:05.678Z';
const addChosen = `admin webhook add ${email} http://Example.com --types push.viewed push.locked`;
const deliveryId = `notice_${'ab'.repeat(16)}`;
const unknownId = '0'.repeat(32);

describe('The webhook commands', () => {
  let database: Database;
  let folder: DatabaseFolder;
  let id: string;
  let otherId: string;
  let first: Map<string, string>;
  let printed: Map<string, string>;

  function jsonOf(text = ''): unknown {
    expect(text).to.match(/^[^\n]+\n$/);
    return JSON.parse(text);
  }

  before(async () => {
    folder = await openDatabaseFolder();
    database = connectDatabase(folder.url, { poolSize: 1 });
    first = await folder.runAll([
      'migrate up',
      `admin account create ${email}`,
      `admin webhook list ${email}`,
      `admin webhook list ${email} --json`,
      addChosen,
      `admin webhook add ${email} ${url} --json`,
    ]);
    ({ id } = jsonOf(first.get(`admin webhook add ${email} ${url} --json`)) as { id: string });
    otherId = /webhook (\w+)/.exec(first.get(addChosen) ?? '')?.[1] ?? '';
    await endure();
    printed = await folder.runAll([
      `admin webhook list ${email}`,
      `admin webhook deliveries ${email} ${id}`,
      `admin webhook deliveries ${email} ${id} --json`,
      `admin webhook deliveries ${email} ${id} --page 2`,
      `admin webhook test ${email} ${otherId}`,
      `admin webhook test ${email} ${otherId} --json`,
      `admin webhook rotate-secret ${email} ${id}`,
      `admin webhook rotate-secret ${email} ${id} --json`,
      `admin webhook enable ${email} ${id}`,
      `admin webhook enable ${email} ${id} --json`,
      `admin webhook redeliver ${email} ${id} ${deliveryId}`,
      `admin webhook redeliver ${email} ${id} ${deliveryId} --json`,
      `admin webhook list ${email} --json`,
      `admin webhook types ${email} ${otherId} all`,
      `admin webhook types ${email} ${otherId} push.expired push.viewed --json`,
      `admin webhook remove ${email} ${id} --json`,
      `admin webhook remove ${email} ${otherId}`,
    ]);
  });

  after(async () => {
    await database.close();
    await folder.remove();
  });

  /** What one of the webhooks has behind it when the second half of the commands runs. */
  async function endure(): Promise<void> {
    const disabled =
      'UPDATE webhooks SET created_at = $at, failing_since = $at, disabled_at = $at WHERE id = $id';
    await database.execute(disabled, { at, id: Buffer.from(id, 'hex') });
    await database.execute(
      `INSERT INTO notices (id, event, messenger, address, times, views_used, happened_at, created_at,
         attempts, last_problem, due_at)
       VALUES ($notice, 'locked', 'webhook', $id, 2, 1, $at, $at, 3, 'answered 500', $at)`,
      { id, at, notice: Buffer.alloc(16, 0xab) },
    );
  }

  it('webhook add creates a webhook and shows its secret', () => {
    const made = jsonOf(first.get(`admin webhook add ${email} ${url} --json`));
    expect(made).to.have.all.keys('email', 'id', 'url', 'secret').and.include({ email, id, url });
    expect(made)
      .to.have.property('secret')
      .that.matches(/^whsec_[0-9A-Za-z+/]{43}=$/);
    expect(first.get(addChosen)).to.match(
      /^Created webhook [0-9a-f]{32} of ann@example\.com\. Its secret, shown only once:\nwhsec_\S{44}\n$/,
    );
  });

  it('webhook types changes which events it gets', () => {
    expect(printed.get(`admin webhook types ${email} ${otherId} all`)).to.equal(
      `Webhook ${otherId} of ${email} gets all events.\n`,
    );
    const types = ['push.expired', 'push.viewed'];
    expect(
      jsonOf(printed.get(`admin webhook types ${email} ${otherId} ${types.join(' ')} --json`)),
    ).to.deep.equal({ email, id: otherId, types });
  });

  it('webhook test and redeliver have the service send an event', () => {
    expect(printed.get(`admin webhook test ${email} ${otherId}`)).to.match(
      /^The service sends notice_\w{32} within a minute\./,
    );
    const tested = jsonOf(printed.get(`admin webhook test ${email} ${otherId} --json`));
    expect(tested).to.include({ event: 'test', state: 'waiting', attempts: 0 });
    const again = jsonOf(printed.get(`admin webhook redeliver ${email} ${id} ${deliveryId} --json`));
    expect(printed.get(`admin webhook redeliver ${email} ${id} ${deliveryId}`)).to.contain(deliveryId);
    expect(again).to.include({ id: deliveryId, event: 'locked', attempts: 0, last_problem: null });
  });

  it('webhook rotate-secret shows the new secret, and until when the previous one signs', () => {
    const text = printed.get(`admin webhook rotate-secret ${email} ${id}`) ?? '';
    expect(text).to.match(/^The new secret of webhook \w{32}, .* until \d{4}-\S+Z:\nwhsec_\S{44}\n$/);
    const json = jsonOf(printed.get(`admin webhook rotate-secret ${email} ${id} --json`));
    expect(json).to.have.all.keys('email', 'id', 'secret', 'previous_secret_until');
  });

  it('webhook list shows whether webhooks work, but no secret', () => {
    expect(jsonOf(first.get(`admin webhook list ${email} --json`))).to.deep.equal([]);
    expect(first.get(`admin webhook list ${email}`)).to.equal('The account has no webhooks.\n');
    const words = printed.get(`admin webhook list ${email}`) ?? '';
    expect(words).to.match(/^id +url +types +created_at +disabled +failing_since\n/);
    expect(words).to.match(new RegExp(`^${id}  ${url} +- +${time}  yes +${time}$`, 'm'));
    expect(words).to.match(
      new RegExp(`^${otherId}  http://example\\.com/ +push\\.viewed push\\.locked  \\S+Z  no +-$`, 'm'),
    );
    expect(words).to.not.contain('whsec_');
  });

  it('webhook deliveries lists deliveries, sent and waiting', () => {
    const row = {
      id: deliveryId,
      event: 'locked',
      times: 2,
      happened_at: time,
      state: 'waiting',
      attempts: 3,
      last_problem: 'answered 500',
      next_attempt_at: time,
    };
    expect(jsonOf(printed.get(`admin webhook deliveries ${email} ${id} --json`))).to.deep.equal([row]);
    const [head, line] = (printed.get(`admin webhook deliveries ${email} ${id}`) ?? '').split('\n');
    expect(head?.split(/ +/)).to.deep.equal(Object.keys(row));
    expect(line?.split(/ {2,}/)).to.deep.equal(Object.values(row).map(String));
    expect(printed.get(`admin webhook deliveries ${email} ${id} --page 2`)).to.equal(
      'The webhook has no deliveries yet.\n',
    );
  });

  it('webhook enable enables a webhook that was disabled', () => {
    expect(printed.get(`admin webhook enable ${email} ${id}`)).to.equal(
      `Enabled webhook ${id} of ${email}.\n`,
    );
    const json = jsonOf(printed.get(`admin webhook enable ${email} ${id} --json`));
    expect(json).to.deep.equal({ email, id, enabled: true });
    const [enabled] = jsonOf(printed.get(`admin webhook list ${email} --json`)) as unknown[];
    expect(enabled).to.deep.equal({
      ...{ id, url, types: null, created_at: time },
      ...{ disabled: false, failing_since: null },
    });
  });

  it('webhook remove deletes a webhook and its recipient', async () => {
    const json = jsonOf(printed.get(`admin webhook remove ${email} ${id} --json`));
    expect(json).to.deep.equal({ email, id, removed: true });
    expect(printed.get(`admin webhook remove ${email} ${otherId}`)).to.equal(
      `Removed webhook ${otherId} of ${email}.\n`,
    );
    expect(await database.select('SELECT id FROM webhooks', {})).to.deep.equal([]);
    expect(await database.select('SELECT address FROM recipients', {})).to.deep.equal([]);
  });

  it('the webhook commands exit with 1 when refused and with 2 after wrong usage, and print the reason in one line', async () => {
    const refusals: [string, number, string][] = [
      [`admin webhook remove ${email} ${unknownId}`, 1, 'The account has no such webhook.'],
      [`admin webhook test ${email} ${unknownId}`, 1, 'The account has no such webhook.'],
      [
        `admin webhook add ${email} ${url}/x --types push.burned`,
        1,
        'types.0 must be one of push.viewed, push.expired, push.failed_passphrase, push.locked,',
      ],
      [
        `admin webhook add ${email} http://10.0.0.1/`,
        1,
        'url must not lead to this machine or a private network',
      ],
      ['admin webhook list ben@example.com', 1, 'There is no account ben@example.com.'],
      [
        `admin webhook deliveries ${email} ${unknownId} --page 0`,
        2,
        "option '--page <number>' argument '0' is invalid.",
      ],
    ];
    const outcomes = await Promise.all(refusals.map(([words]) => folder.run(words)));
    for (const [index, [words, code, problem]] of refusals.entries()) {
      const { stderr = '', ...outcome } = outcomes[index] ?? {};
      expect(outcome, words).to.deep.equal({ code, signal: null, stdout: '' });
      expect(stderr.split('\n')[0]).to.contain(`hushpush: ${problem}`);
    }
  });
});

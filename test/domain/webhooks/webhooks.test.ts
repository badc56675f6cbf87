import { expect } from 'chai';
import type { Account, Domain, DomainError, WebhookEndpoint } from '../../../src/domain/index.ts';
import { times } from '../../harness/api.ts';
import { anonymous, refusal, someClient, startService, type TestService } from '../../harness/service.ts';

const dayMs = 86_400_000;
const url = 'https://example.com/hook?key=tulip';

describe('A webhook', () => {
  let service: TestService;
  let accounts: Domain['accounts'];
  let webhooks: Domain['webhooks'];
  let ann: Account;
  let ben: Account;
  let annsEmail: string;
  let count = 0;

  before(async () => {
    service = await startService();
    ({ accounts, webhooks } = service.domain);
  });

  after(() => service.stop());

  beforeEach(async () => {
    count += 1;
    annsEmail = `ann${count}@x.org`;
    ann = await accounts.create({ email: annsEmail });
    ben = await accounts.create({ email: `ben${count}@x.org` });
  });

  async function rowsIn(table: string, condition: string, bind: Record<string, Buffer | string>) {
    const sql = `SELECT COUNT(*) AS found FROM ${table} WHERE ${condition}`;
    const [row] = await service.database.select<{ found: number }>(sql, bind);
    return Number(row?.found);
  }

  /** Creates a push and views it, which notifies its owner. */
  async function view(account: Account): Promise<void> {
    const { urlToken } = await service.domain.pushes.create(
      { payload: 'x' },
      { account, client: someClient },
    );
    await service.domain.pushes.reveal(urlToken, undefined, anonymous);
  }

  const noticesFor = (id: string) =>
    rowsIn('notices', 'messenger = $m AND address = $id', { m: 'webhook', id });

  async function endpointOf(id: string): Promise<WebhookEndpoint> {
    const endpoint = await webhooks.maybeEndpoint(id);
    if (endpoint === null) throw new Error('there is no such endpoint');
    return endpoint;
  }

  /** Moves the first failure into the past by `ms`. */
  const age = (id: string, ms: number) =>
    service.database.execute('UPDATE webhooks SET failing_since = failing_since - $ms WHERE id = $id', {
      id: Buffer.from(id, 'hex'),
      ms,
    });

  const note = async (id: string, result: 'sent' | 'failed' | 'gone') =>
    webhooks.recordResult(await endpointOf(id), result);

  async function stateOf(account: Account, id: string) {
    const found = (await webhooks.list(account)).find((webhook) => webhook.id === id);
    return { failing: found?.failingSince !== null, disabled: found?.disabledAt !== null };
  }

  describe('when it is registered', () => {
    it('gets a secret of 32 random bytes, which is shown only once', async () => {
      const before = await service.domain.clock();
      const { secret, ...webhook } = await webhooks.create(ann, { url });
      const other = await webhooks.create(ann, { url: 'http://example.com/' });
      expect(secret).to.match(/^whsec_[0-9A-Za-z+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).to.have.length(32);
      expect(other.secret).to.not.equal(secret);
      expect(webhook.id).to.match(/^[0-9a-f]{32}$/);
      expect(webhook).to.include({ url, failingSince: null, disabledAt: null });
      expect(webhook.createdAt).to.be.within(before, await service.domain.clock());
      const { secret: _, ...listed } = other;
      expect(await webhooks.list(ann)).to.deep.equal([webhook, listed]);
      expect(await webhooks.list(ben)).to.deep.equal([]);
    });

    it('is readable for the sender, and sealed in the database', async () => {
      const { id, secret } = await webhooks.create(ann, { url });
      const endpoint = await endpointOf(id);
      expect(endpoint).to.include({ url, failingSince: null, isDisabled: false });
      expect(endpoint.secrets).to.deep.equal([secret]);
      expect(endpoint.now).to.be.closeTo(await service.domain.clock(), 100_000);
      const [row = {}] = await service.database.select<Record<string, unknown>>(
        'SELECT * FROM webhooks WHERE id = $id',
        { id: Buffer.from(id, 'hex') },
      );
      const stored = Object.values(row).map((value) =>
        Buffer.isBuffer(value) ? value.toString('latin1') + value.toString('hex') : String(value),
      );
      for (const text of ['example.com', 'tulip', secret, secret.slice(6)]) {
        expect(stored.join()).to.not.contain(text);
        expect(stored.join()).to.not.contain(Buffer.from(text).toString('hex'));
      }
    });

    it('receives its account’s events from then on, and nobody else’s', async () => {
      await view(ann);
      const { id } = await webhooks.create(ann, { url });
      const { id: other } = await webhooks.create(ann, { url: 'https://example.com/other' });
      const { id: bens } = await webhooks.create(ben, { url });
      await view(ann);
      await view(ann);
      expect(await Promise.all([id, other, bens].map(noticesFor))).to.deep.equal([2, 2, 0]);
    });

    it('needs an absolute http or https URL without credentials or a fragment', async () => {
      const whole = 'must be an absolute http or https address';
      const refused: [unknown, string][] = [
        [undefined, whole],
        [null, whole],
        [7, whole],
        [{}, whole],
        ['', whole],
        ['example.com', whole],
        ['/hook', whole],
        ['//example.com/hook', whole],
        ['http:example.com', whole],
        ['http:/example.com', whole],
        ['http://', whole],
        ['https://exa mple.com/', whole],
        ['https://example.com:99999/', whole],
        ['https://[::1/', whole],
        ['http://1.2.3.256/', whole],
        ['ftp://example.com/', whole],
        ['file:///etc/passwd', whole],
        ['javascript:alert(1)', whole],
        ['https://ann@example.com/', 'must not hold a user name or a password'],
        ['https://:tulip@example.com/', 'must not hold a user name or a password'],
        ['https://example.com/#', 'must not have a fragment'],
        ['https://example.com/hook#part', 'must not have a fragment'],
        [`https://example.com/${'x'.repeat(2029)}`, 'must have at most 2048 characters'],
        [`https://example.com/${'ü'.repeat(400)}`, 'must have at most 2048 characters'],
      ];
      for (const [address, problem] of refused) {
        expect(await refusal(webhooks.create(ann, { url: address })), String(address)).to.equal(
          `invalid: url ${problem}`,
        );
      }
      for (const nothing of [undefined, null, 'url', []]) {
        expect(await refusal(webhooks.create(ann, nothing))).to.match(/^invalid: /);
      }
      expect(await webhooks.list(ann)).to.deep.equal([]);
    });

    it('has its URL normalized by the URL standard', async () => {
      const accepted: [string, string][] = [
        ['  https://example.com  ', 'https://example.com/'],
        ['HTTP://Example.COM:80/A?b=C', 'http://example.com/A?b=C'],
        ['https://example.com:8443/a/../b', 'https://example.com:8443/b'],
        ['https://tülip.example/ü', 'https://xn--tlip-0ra.example/%C3%BC'],
        ['http://8.8.8.8/', 'http://8.8.8.8/'],
        ['http://0x08.8.2056/', 'http://8.8.8.8/'],
        ['https://[2606:4700::1111]/', 'https://[2606:4700::1111]/'],
        [`https://example.com/${'x'.repeat(2028)}`, `https://example.com/${'x'.repeat(2028)}`],
      ];
      for (const [given, normalized] of accepted) {
        const { id, url: stored } = await webhooks.create(ann, { url: given });
        expect(stored).to.equal(normalized);
        await webhooks.remove(ann, id);
      }
    });

    it('must not lead to this machine or a private network, unless the operator allows it', async () => {
      const hosts = [
        'localhost',
        'LOCALHOST.',
        'api.localhost',
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f.0.0.1',
        '10.1.2.3',
        '169.254.169.254',
        '[::1]',
        '[::ffff:10.0.0.1]',
        '[::127.0.0.1]',
        '[fd00::1]',
      ];
      for (const host of hosts) {
        expect(await refusal(webhooks.create(ann, { url: `http://${host}:8080/` })), host).to.equal(
          'invalid: url must not lead to this machine or a private network',
        );
      }
      const open = await startService({ WEBHOOK_ALLOW_PRIVATE: 'true' });
      try {
        const account = await open.domain.accounts.create({ email: 'ann@x.org' });
        for (const host of ['localhost', '127.0.0.1', '10.1.2.3', '[::1]']) {
          await open.domain.webhooks.create(account, { url: `http://${host}:8080/` });
        }
      } finally {
        await open.stop();
      }
    });

    it('is the only one of its account for its URL, even when many are registered at once', async () => {
      const { id } = await webhooks.create(ann, { url: 'https://example.com/a' });
      for (const same of ['https://example.com/a', 'HTTPS://EXAMPLE.com:443/./a']) {
        expect(await refusal(webhooks.create(ann, { url: same }))).to.equal(
          'conflict: The account has a webhook for this address already.',
        );
      }
      await webhooks.create(ann, { url: 'https://example.com/A' });
      await webhooks.create(ben, { url: 'https://example.com/a' });
      await webhooks.remove(ann, id);
      const rivals = Array.from({ length: 6 }, () => webhooks.create(ann, { url: 'https://example.com/a' }));
      const created = (await Promise.allSettled(rivals)).filter(({ status }) => status === 'fulfilled');
      expect(created).to.have.length(1);
      expect((await webhooks.list(ann)).map((webhook) => webhook.url)).to.have.members([
        'https://example.com/A',
        'https://example.com/a',
      ]);
    });

    it('is one of twenty at most, even when many are registered at once', async () => {
      const results = await Promise.allSettled(
        Array.from({ length: 24 }, (_, index) =>
          webhooks.create(ann, { url: `https://example.com/${index}` }),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(20);
      expect(await refusal(webhooks.create(ann, { url }))).to.equal(
        'conflict: The account has 20 webhooks already; remove one first.',
      );
      const [first] = await webhooks.list(ann);
      await webhooks.remove(ann, first?.id ?? '');
      await webhooks.create(ann, { url });
      expect(await webhooks.list(ann)).to.have.length(20);
    });
  });

  it('receives nothing more once it is removed', async () => {
    const { id } = await webhooks.create(ann, { url });
    await view(ann);
    await webhooks.remove(ann, id);
    await view(ann);
    expect(await noticesFor(id)).to.equal(1);
    expect(await webhooks.maybeEndpoint(id)).to.equal(null);
    expect(await webhooks.list(ann)).to.deep.equal([]);
    expect(await refusal(webhooks.remove(ann, id))).to.match(/^not_found/);
  });

  it('belongs to its account only', async () => {
    const { id } = await webhooks.create(ann, { url });
    for (const [account, wanted] of [
      [ben, id],
      [ann, id.toUpperCase()],
      [ann, id.slice(1)],
      [ann, `${id}0`],
      [ann, ''],
      [ann, '0'.repeat(32)],
    ] as const) {
      for (const act of [
        () => webhooks.remove(account, wanted),
        () => webhooks.enable(account, wanted),
        () => webhooks.deliveries(account, wanted, 1),
      ]) {
        expect(await refusal(act())).to.equal('not_found: The account has no such webhook.');
      }
    }
    for (const address of ['', 'C0123', '0'.repeat(32), id.toUpperCase()]) {
      expect(await webhooks.maybeEndpoint(address)).to.equal(null);
    }
    expect(await webhooks.list(ann)).to.have.length(1);
  });

  it('sends nothing again that belongs to another account', async () => {
    const [{ id: anns }, { id: bens }] = [
      await webhooks.create(ann, { url }),
      await webhooks.create(ben, { url }),
    ];
    await view(ann);
    await service.database.execute("UPDATE notices SET attempts = 3, last_problem = 'answered 500'", {});
    const [delivery] = await webhooks.deliveries(ann, anns, 1);
    expect(await refusal(webhooks.redeliver(ben, bens, delivery?.id ?? ''))).to.match(/^not_found/);
    expect(await webhooks.deliveries(ann, anns, 1)).to.deep.equal([delivery]);
  });

  it('receives the events alone that its owner chose last', async () => {
    const { id } = await webhooks.create(ann, { url });
    const { types } = await webhooks.changeTypes(ann, id, { types: ['push.expired'] });
    expect(types).to.deep.equal(['push.expired']);
    await view(ann);
    const events = (await webhooks.deliveries(ann, id, 1)).map(({ event }) => event);
    expect(events).to.not.include('viewed');
  });

  describe('that fails', () => {
    let id: string;

    beforeEach(async () => {
      ({ id } = await webhooks.create(ann, { url }));
    });

    it('is failing from the first failure until a delivery succeeds', async () => {
      const [first, beside] = [await endpointOf(id), await endpointOf(id)];
      expect(await webhooks.recordResult(first, 'failed')).to.equal(false);
      const { failingSince } = await endpointOf(id);
      expect(failingSince).to.be.closeTo(await service.domain.clock(), 100_000);
      await age(id, 1_000);
      expect(await webhooks.recordResult(beside, 'failed')).to.equal(false);
      expect(await note(id, 'failed')).to.equal(false);
      expect((await endpointOf(id)).failingSince).to.equal(Number(failingSince) - 1_000);
      expect(await note(id, 'sent')).to.equal(false);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: false, disabled: false });
    });

    it('is disabled after three days with nothing but failures', async () => {
      await note(id, 'failed');
      await age(id, 3 * dayMs - 60_000);
      expect(await note(id, 'failed')).to.equal(false);
      await view(ann);
      await age(id, 60_000);
      expect(await note(id, 'failed')).to.equal(true);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: true, disabled: true });
      expect((await endpointOf(id)).isDisabled).to.equal(true);
      await view(ann);
      expect(await noticesFor(id)).to.equal(1);
    });

    it('gets three new days after a successful delivery', async () => {
      await note(id, 'failed');
      await age(id, 4 * dayMs);
      await note(id, 'sent');
      expect(await note(id, 'failed')).to.equal(false);
      expect(await note(id, 'failed')).to.equal(false);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: true, disabled: false });
    });

    it('is disabled at once, and only once, when its receiver is gone', async () => {
      const endpoint = await endpointOf(id);
      expect(await webhooks.recordResult(endpoint, 'gone')).to.equal(true);
      expect(await webhooks.recordResult(endpoint, 'gone')).to.equal(false);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: true, disabled: true });
      await view(ann);
      expect(await noticesFor(id)).to.equal(0);
    });

    it('can be tested only when it is enabled again', async () => {
      await note(id, 'gone');
      expect(await refusal(webhooks.test(ann, id))).to.match(/^conflict: The webhook is disabled/);
    });

    it('receives events again, and gets three new days, when it is enabled', async () => {
      await note(id, 'failed');
      await age(id, 4 * dayMs);
      await note(id, 'failed');
      await webhooks.enable(ann, id);
      await webhooks.enable(ann, id);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: false, disabled: false });
      await view(ann);
      expect(await noticesFor(id)).to.equal(1);
      expect(await note(id, 'failed')).to.equal(false);
    });

    it('is not disabled by an attempt that started before it recovered', async () => {
      await note(id, 'failed');
      await age(id, 4 * dayMs);
      const slow = await endpointOf(id);
      await note(id, 'sent');
      expect(await webhooks.recordResult(slow, 'failed')).to.equal(false);
      expect(await stateOf(ann, id)).to.deep.equal({ failing: false, disabled: false });
    });

    it('costs no statement while deliveries succeed', async () => {
      const endpoint = await endpointOf(id);
      const { options } = service.database.sequelize as unknown as { options: { logging: unknown } };
      const statements: unknown[] = [];
      options.logging = (sql: string) => statements.push(sql);
      try {
        await webhooks.recordResult(endpoint, 'sent');
        expect(statements).to.deep.equal([]);
        await webhooks.recordResult(endpoint, 'failed');
        expect(statements).to.have.length(1);
      } finally {
        options.logging = false;
      }
    });
  });

  describe('in its delivery log', () => {
    it('shows the event and the state of each delivery', async () => {
      const { id } = await webhooks.create(ann, { url });
      const states = [
        { due_at: 'happened_at', attempts: 0 },
        { due_at: 'happened_at + 5000', attempts: 2, last_problem: "'answered 500'" },
        { sent_at: 'happened_at + 70', ended_at: 'happened_at + 70', due_at: 'NULL', attempts: 1 },
        { ended_at: 'happened_at + 9', due_at: 'NULL', attempts: 9, last_problem: "'answered 404'" },
      ];
      await times(states.length, () => view(ann));
      const notices = await service.database.select<{ id: Buffer }>(
        'SELECT id FROM notices WHERE address = $id',
        {
          id,
        },
      );
      for (const [index, state] of states.entries()) {
        const stored = { created_at: `happened_at + ${1_000 * index}`, ...state, times: index + 1 };
        const assignments = Object.entries(stored).map(([column, value]) => `${column} = ${value}`);
        await service.database.execute(`UPDATE notices SET ${assignments.join(', ')} WHERE id = $notice`, {
          notice: notices[index]?.id ?? null,
        });
      }
      const found = await webhooks.deliveries(ann, id, 1);
      expect(found.map(({ id: _, happenedAt: __, nextAttemptAt: ___, ...rest }) => rest)).to.deep.equal([
        { event: 'viewed', times: 4, attempts: 9, state: 'failed', lastProblem: 'answered 404' },
        { event: 'viewed', times: 3, attempts: 1, state: 'sent', lastProblem: null },
        { event: 'viewed', times: 2, attempts: 2, state: 'waiting', lastProblem: 'answered 500' },
        { event: 'viewed', times: 1, attempts: 0, state: 'waiting', lastProblem: null },
      ]);
      const [failed, sent, retried] = found;
      expect([failed?.nextAttemptAt, sent?.nextAttemptAt]).to.deep.equal([null, null]);
      expect(Number(retried?.nextAttemptAt) - Number(retried?.happenedAt)).to.equal(5_000);
      expect(retried?.happenedAt).to.be.closeTo(await service.domain.clock(), 100_000);
      for (const { id: noticeId } of found) expect(noticeId).to.match(/^notice_[0-9a-f]{32}$/);
    });

    it('leaves a delivery that is just being sent alone when its owner asks for it again', async () => {
      const { id } = await webhooks.create(ann, { url });
      await view(ann);
      const [delivery] = await webhooks.deliveries(ann, id, 1);
      const { now } = service.database.dialect;
      await service.database.execute(
        `UPDATE notices SET lease = id, attempts = 1, due_at = ${now} + 60000 WHERE address = $id`,
        { id },
      );
      const again = await webhooks.redeliver(ann, id, delivery?.id ?? '');
      expect(again.attempts).to.equal(1);
      expect(Number(again.nextAttemptAt)).to.be.above(await service.domain.clock());
    });

    it('shows pages of fifty deliveries, newest first', async () => {
      const { id } = await webhooks.create(ann, { url });
      await times(4, () => view(ann));
      const [row] = await service.database.select<{ pushId: Buffer }>(
        'SELECT push_id AS pushId FROM notices WHERE address = $id LIMIT 1',
        { id },
      );
      for (let index = 0; index < 51; index++) {
        await service.database.execute(
          `INSERT INTO notices (id, push_id, event, messenger, address, times, views_used, happened_at, created_at)
           VALUES (${service.database.dialect.newId}, $pushId, 'locked', 'webhook', $id, 1, 1, $at, $at)`,
          { pushId: row?.pushId ?? null, id, at: 1_000 + index },
        );
      }
      const pages = await times(3, (index) => webhooks.deliveries(ann, id, index + 1));
      expect(pages.map((page) => page.length)).to.deep.equal([50, 5, 0]);
      const happened = pages.flat().map(({ happenedAt }) => happenedAt);
      expect(happened).to.deep.equal(happened.toSorted((one, other) => other - one));
      expect(happened.at(-1)).to.equal(1_000);
      expect(new Set(pages.flat().map(({ id: noticeId }) => noticeId)).size).to.equal(55);
    });
  });

  describe('of an erased account', () => {
    it('is erased with its notices, and nothing of other accounts', async () => {
      const { id } = await webhooks.create(ann, { url });
      const { id: bens } = await webhooks.create(ben, { url });
      await view(ann);
      await view(ben);
      await accounts.erase(annsEmail, 'operator');
      expect(await noticesFor(id)).to.equal(0);
      expect(await noticesFor(bens)).to.equal(1);
      for (const table of ['webhooks', 'recipients']) {
        expect(await rowsIn(table, 'account_id = $id', { id: ann.id }), table).to.equal(0);
        expect(await rowsIn(table, 'account_id = $id', { id: ben.id }), table).to.equal(1);
      }
      expect(await webhooks.maybeEndpoint(id)).to.equal(null);
    });

    it('cannot be registered while the account is being erased', async () => {
      const registered = times(8, (index) =>
        webhooks
          .create(ann, { url: `https://example.com/${index}` })
          .catch((error: DomainError) => error.code),
      );
      await accounts.erase(annsEmail, 'operator');
      for (const result of await registered) {
        if (typeof result === 'string') expect(result).to.equal('not_found');
      }
      expect(await refusal(webhooks.create(ann, { url }))).to.match(/^not_found/);
      for (const table of ['webhooks', 'recipients']) {
        expect(await rowsIn(table, 'account_id = $id', { id: ann.id }), table).to.equal(0);
      }
    });
  });
});

import { expect } from 'chai';
import { mailSettingsOf, readConfig } from '../../src/config.ts';
import type { Account, Push } from '../../src/domain/index.ts';
import { createMailMessenger } from '../../src/mail/messenger.ts';
import { createMailTransport } from '../../src/mail/transport.ts';
import { mailUser, Reply, startMailServer } from '../harness/mailServer.ts';
import { type ProxiedPair, startProxy } from '../harness/proxy.ts';
import { createAccount, newEmail, someClient, startService, type TestService } from '../harness/service.ts';

/** What the mail server does wrong to the next mail. */
type Fault = {
  to?: Reply;
  data?: Reply;
  /** Called with what the service sends, before the mail server has it. */
  meddle?: (sent: string, pair: ProxiedPair) => void;
  password?: string;
};

describe('A mail that meets a fault of the mail server', () => {
  let fault: Fault;
  let password: string;
  let server: Awaited<ReturnType<typeof startMailServer>>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let service: TestService;
  let account: Account;
  let deliver: (by?: TestService, attemptMs?: number) => Promise<void>;

  beforeEach(async () => {
    fault = {};
    password = 'hunter2';
    server = await startMailServer({
      password: () => fault.password ?? password,
      to: () => fault.to,
      data: () => fault.data,
    });
    proxy = await startProxy({
      target: { host: '127.0.0.1', port: server.port },
      onPair: (pair) => pair.client.prependListener('data', (chunk) => fault.meddle?.(String(chunk), pair)),
    });
    const settings = {
      ...server.settings,
      SMTP_URL: `smtp://${mailUser}:${password}@127.0.0.1:${proxy.port}`,
    };
    service = await startService(settings);
    ({ account } = await createAccount(service.domain));
    const mailSettings = mailSettingsOf(readConfig(settings));
    if (mailSettings === undefined) throw new Error('mail is off');
    deliver = async ({ domain } = service, attemptMs = 1_000) => {
      const transport = createMailTransport(mailSettings, { attemptMs }); // one that signs in
      const mail = createMailMessenger({
        addresses: domain.mailAddresses,
        unsubscribeToken: domain.mailLinks.unsubscribeToken,
        transport,
        baseUrl: 'http://push.test',
        perMinute: 100_000,
        onUnavailable: () => {},
      });
      await domain.notices.deliverDue({ mail });
      await transport.close();
    };
  });

  afterEach(async () => {
    await service.stop();
    await proxy.close();
    await server.stop();
  });

  const stateOf = async ({ id }: Push) =>
    (await service.domain.pushes.recipientsOf([id])).get(id)?.[0]?.mail?.state;
  const makeDue = () =>
    service.database.execute(
      `UPDATE notices SET due_at = ${service.database.dialect.now} WHERE due_at IS NOT NULL`,
      {},
    );

  /** What its sender sees after the fault, and after the next attempt, which meets none; and the mails that the server took. */
  async function meet(met: Fault) {
    const push = await service.domain.pushes.create(
      { payload: 'tulip', recipients: [newEmail()] },
      { account, client: someClient },
    );
    fault = met;
    await deliver();
    const during = await stateOf(push);
    fault = {};
    await makeDue();
    await deliver();
    expect(service.logged()).not.to.include(password);
    return { during, after: await stateOf(push), ids: server.mails.map(({ messageId }) => messageId) };
  }

  const waiting = (reason: string) => ({ is: 'waiting', reason });
  const handedOver = { is: 'handedOver', reason: null };

  it('waits after greylisting, and is handed over then', async () => {
    const { during, after, ids } = await meet({ to: new Reply(451, '4.7.1 Greylisted') });
    expect(during).to.deep.equal(waiting('your mail server refused it: 451 4.7.1 Greylisted'));
    expect([after, ids.length]).to.deep.equal([handedOver, 1]);
  });

  it('waits after 421 in the middle of DATA', async () => {
    const { during, after, ids } = await meet({
      meddle(sent, { client, target }) {
        if (!sent.includes('Content-Type')) return;
        client.unpipe(target);
        client.end('421 4.3.2 Shutting down\r\n');
      },
    });
    expect(during).to.deep.equal(waiting('your mail server refused it: 421 4.3.2 Shutting down'));
    expect([after, ids.length]).to.deep.equal([handedOver, 1]);
  });

  it('waits while the final dot is not answered, and may then arrive twice, with the same Message-ID', async () => {
    const { during, after, ids } = await meet({
      meddle(sent, { target }) {
        if (sent.endsWith('\r\n.\r\n')) target.pause();
      },
    });
    expect(during).to.deep.equal(waiting('your mail server did not answer in time'));
    expect([after, ids.length, new Set(ids).size]).to.deep.equal([handedOver, 2, 1]);
  });

  it('waits while the password does not work any more', async () => {
    const { during, after, ids } = await meet({ password: 'changed' });
    expect(during).to.deep.equal(
      waiting('your mail server refused the password: 535 5.7.8 Authentication credentials invalid'),
    );
    expect([after, ids.length]).to.deep.equal([handedOver, 1]);
  });

  for (const [name, met, words] of [
    ['a mailbox that does not exist', { to: new Reply(550, '5.1.1 No such user') }, '550 5.1.1 No such user'],
    ['a full mailbox', { to: new Reply(552, '5.2.2 Mailbox full') }, '552 5.2.2 Mailbox full'],
    ['a mail that is too big', { data: new Reply(552, '5.3.4 Too big') }, '552 5.3.4 Too big'],
  ] as const)
    it(`ends with ${name}, in the words of the server`, async () => {
      const { during, after, ids } = await meet(met);
      const refused = { is: 'refused', reason: `your mail server refused it: ${words}` };
      expect([during, after, ids]).to.deep.equal([refused, refused, []]);
    });

  it('waits for an hour while the server is away, as all others do, and then each arrives once, in order', async () => {
    const addresses = Array.from({ length: 20 }, newEmail);
    const owner = { account, client: someClient };
    const { pushes } = service.domain;
    for (let created = 0; created < 5; created++) {
      const push = await pushes.create({ payload: 'tulip', recipients: addresses }, owner);
      for (const { id } of push.recipients.slice(0, 5)) await pushes.sendAgain(account, push.id, id);
    }
    const notices = 5 * (20 + 5);
    const { select, execute } = service.database;
    const stored = async () => {
      const [row] = await select<{ attempts: number; waiting: number }>(
        'SELECT SUM(attempts) AS attempts, COUNT(CASE WHEN ended_at IS NULL THEN 1 END) AS waiting FROM notices',
        {},
      );
      return { attempts: Number(row?.attempts), waiting: Number(row?.waiting) };
    };
    /** By a process that was restarted, and remembers no pause of the server. */
    const deliverAnew = async () => {
      const restarted = await startService({ ...service.shared, ...server.settings });
      await makeDue();
      await deliver(restarted, 15_000);
      await restarted.stop();
    };
    proxy.shut();
    for (let tries = 0; tries < 10; tries++) await deliver();
    const away = await stored();
    expect(away.waiting).to.equal(notices);
    expect(away.attempts).to.be.within(5, 40); // and then the server has a pause
    await execute('UPDATE notices SET created_at = created_at - $ms, due_at = due_at - $ms', {
      ms: 3_600_000,
    });

    await deliverAnew();
    expect((await stored()).waiting).to.equal(notices);

    proxy.open();
    await deliverAnew();
    expect((await stored()).waiting).to.equal(0);
    const ids = server.mails.map(({ messageId }) => messageId);
    expect([ids.length, new Set(ids).size]).to.deep.equal([notices, notices]);
    const linkIn = (text = '') => /\/p\/\w{26}/.exec(text)?.[0];
    const again = server.mails.filter(({ subject }) => subject === 'A secret is waiting for you');
    expect(again).to.have.length(25);
    for (const mail of again) {
      const first = server.mails.findIndex(({ text }) => linkIn(text) === linkIn(mail.text));
      expect(server.mails[first]?.subject).to.equal('Someone shared a secret with you');
    }
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { mailSettingsOf, readConfig } from '../../src/config.ts';
import type { Account, Delivery, Messenger } from '../../src/domain/index.ts';
import { contentOf } from '../../src/mail/contents.ts';
import { createMailMessenger } from '../../src/mail/messenger.ts';
import { createMailTransport } from '../../src/mail/transport.ts';
import { Reply, startMailServer } from '../harness/mailServer.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

describe('Notices by mail', () => {
  let service: TestService;

  // One each: a process remembers the pauses of the mail server.
  beforeEach(async () => {
    service = await startService();
  });

  afterEach(() => service.stop());

  /** An account that gets mails at an address. */
  async function withMail(locale: string | null = null): Promise<Account> {
    const { account } = await createAccount(service.domain);
    await service.domain.accounts.setLocale(account, locale);
    await service.database.transaction(async (tx) => {
      const { messenger, address } = await service.domain.mailAddresses.save(account.email, null, tx);
      await tx.execute(
        'INSERT INTO recipients (account_id, messenger, address) VALUES ($id, $messenger, $address)',
        { id: account.id, messenger, address },
      );
    });
    return account;
  }

  const accountsWithMail = (count: number) => Promise.all(Array.from({ length: count }, () => withMail()));

  type Server = Awaited<ReturnType<typeof startMailServer>>;

  function messengerTo(
    { settings }: Pick<Server, 'settings'>,
    { perMinute = 100_000, attemptMs = 5_000, unavailable = [] as string[], results = [] as string[] } = {},
  ): Messenger {
    const mail = mailSettingsOf(readConfig(settings));
    if (mail === undefined) throw new Error('mail is off');
    return createMailMessenger({
      addresses: service.domain.mailAddresses,
      unsubscribeToken: service.domain.mailLinks.unsubscribeToken,
      transport: createMailTransport(mail, { attemptMs }),
      baseUrl: 'http://push.test',
      perMinute,
      onResult: (result) => void results.push(result),
      onUnavailable: (reason) => void unavailable.push(reason),
    });
  }

  const change = ({ email }: Account) => service.domain.accounts.setSubscribed(email, true, 'operator');
  const deliver = (mail: Messenger, others: Record<string, Messenger> = {}) =>
    service.domain.notices.deliverDue({ mail, ...others });
  const makeDue = () =>
    service.database.execute(
      `UPDATE notices SET due_at = ${service.database.dialect.now} WHERE due_at IS NOT NULL`,
      {},
    );
  const stored = () =>
    service.database.select<{ isSent: number; isEnded: number; attempts: number; problem: string | null }>(
      `SELECT sent_at IS NOT NULL AS isSent, ended_at IS NOT NULL AS isEnded, attempts, last_problem AS problem FROM notices`,
      {},
    );

  it('reach the address of an account in its language, in two parts, without what anybody typed in the subject', async () => {
    const server = await startMailServer();
    const messenger = messengerTo(server);
    const subjects = [];
    for (const locale of [null, 'en', 'de']) {
      const account = await withMail(locale);
      await change(account);
      await deliver(messenger);
      const mail = server.mails.at(-1);
      subjects.push(mail?.subject);
      expect(mail?.envelope.to).to.deep.equal([account.email]);
      for (const part of [mail?.text, String(mail?.html)]) {
        expect(part).to.include(account.email);
        expect(part).to.include('http://push.test/account/security/log');
      }
      expect(mail?.html).to.include(`lang="${locale ?? 'en'}"`);
    }
    expect(subjects).to.deep.equal([
      'Your hushpush account was changed',
      'Your hushpush account was changed',
      'Dein Konto bei hushpush wurde geändert',
    ]);
  });

  it('tell of a browser that is new to the account, in words that nobody else chose', async () => {
    const server = await startMailServer();
    const account = await withMail();
    const from = (userAgent: string) =>
      service.domain.sessions.create(account, { ...someClient, userAgent }, byPassword);
    await from('test');
    await from('evil.example/1 (call-us)');
    await deliver(messengerTo(server));
    const [mail] = server.mails;
    expect(mail?.subject).to.equal('A new browser signed in to your hushpush account');
    for (const part of [mail?.text, String(mail?.html)]) {
      for (const text of [account.email, someClient.ip, 'An unknown browser']) expect(part).to.include(text);
      expect(part).to.include('http://push.test/account/security').and.to.not.include('evil');
    }
    expect(server.mails).to.have.length(1);
  });

  it('load nothing from anywhere', async () => {
    const server = await startMailServer();
    await change(await withMail());
    await deliver(messengerTo(server));
    const html = String(server.mails[0]?.html);
    expect(html).not.to.match(/<(img|link|script|iframe|object|video|audio|form)\b|url\(|@import|src=/i);
    expect(html).to.include('prefers-color-scheme:dark');
    expect(html).to.include('max-width:600px');
  });

  it('show names as text, in both parts', async () => {
    const server = await startMailServer();
    const account = await withMail();
    const name = '<b>&"x"</b>';
    await service.domain.apiTokens.create(account as never, { name }, { actor: 'operator' });
    await deliver(messengerTo(server));
    expect(server.mails[0]?.text).to.include(name);
    expect(server.mails[0]?.html).to.include('&lt;b>&amp;').and.not.to.include('<b>');
  });

  it('come again after a temporary refusal, with the same Message-ID', async () => {
    const answers = [new Reply(451, '4.7.1 Greylisted')];
    const server = await startMailServer({ to: () => answers.shift() });
    const messenger = messengerTo(server);
    await change(await withMail());
    await deliver(messenger);
    expect(await stored()).to.deep.equal([
      { isSent: 0, isEnded: 0, attempts: 1, problem: 'your mail server refused it: 451 4.7.1 Greylisted' },
    ]);
    await makeDue();
    await deliver(messenger);
    expect(await stored()).to.deep.include({ isSent: 1, isEnded: 1, attempts: 2, problem: null });
    await service.database.execute(
      `UPDATE notices SET sent_at = NULL, ended_at = NULL, due_at = ${service.database.dialect.now}`,
      {},
    ); // as after a kill between the answer and the commit
    await deliver(messenger);
    const [first, second, ...others] = server.mails.map(({ messageId }) => messageId);
    expect(first).to.match(/^<notice_[0-9a-f]{32}@acme\.example>$/);
    expect([second, others]).to.deep.equal([first, []]);
  });

  it('are given up after a day', async () => {
    const server = await startMailServer({ to: () => new Reply(451, '4.7.1 Greylisted') });
    await change(await withMail());
    await service.database.execute('UPDATE notices SET created_at = created_at - 86400000', {});
    await deliver(messengerTo(server));
    expect(await stored()).to.deep.include({
      ...{ isSent: 0, isEnded: 1, attempts: 1 },
      problem: 'your mail server refused it: 451 4.7.1 Greylisted',
    });
  });

  it('end with a final refusal, whose words are kept with the address until a mail is taken again', async () => {
    let answer: Reply | undefined = new Reply(550, `5.1.1 \u001b[1mNo such user ${'x'.repeat(300)}`);
    const server = await startMailServer({ to: () => answer });
    const messenger = messengerTo(server);
    const account = await withMail();
    await change(account);
    await deliver(messenger);
    const [{ isEnded, isSent } = { isEnded: 0, isSent: 1 }] = await stored();
    expect([isEnded, isSent]).to.deep.equal([1, 0]);
    const refusal = (await service.domain.mailAddresses.maybeRefusal(account.email))?.refusal ?? '';
    expect(refusal).to.match(/^your mail server refused it: 550 5\.1\.1 \[1mNo such user x+$/);
    expect(refusal).to.have.length(200);
    expect(await service.domain.mailAddresses.recentRefusals()).to.have.length(1);
    answer = undefined;
    await service.domain.accounts.setSubscribed(account.email, false, 'operator');
    await deliver(messenger);
    expect(await service.domain.mailAddresses.maybeRefusal(account.email)).to.equal(undefined);
  });

  it('are counted by their results, those that a policy refuses by themselves', async () => {
    let answer: Reply | undefined;
    const server = await startMailServer({ to: () => answer });
    const results: string[] = [];
    const messenger = messengerTo(server, { results });
    const expected = [];
    for (const [code, words, result] of [
      [0, '', 'handed_over'],
      [451, '4.7.1 Greylisted', 'later'],
      [550, '5.1.1 No such user 552', 'refused'],
      [552, '5.2.2 Mailbox full', 'refused'],
      [552, '5.3.4 Message too big', 'refused_by_policy'],
      [552, 'We do not take that', 'refused_by_policy'],
      [554, '5.7.1 Spam', 'refused_by_policy'],
      [550, '5.7.26 Not authenticated', 'refused_by_policy'],
    ] as const) {
      answer = code === 0 ? undefined : new Reply(code, words);
      await change(await withMail());
      await deliver(messenger);
      expected.push(result);
    }
    await server.stop();
    await change(await withMail());
    await deliver(messenger);
    expect(results).to.deep.equal([...expected, 'unavailable']);
  });

  it('keep to the rate, over all processes, and lose nothing by it', async () => {
    const server = await startMailServer();
    for (const account of await accountsWithMail(12)) await change(account);
    const both = [1, 2].map(() => messengerTo(server, { perMinute: 40 })); // four in six seconds
    await Promise.all(both.map((messenger) => deliver(messenger)));
    expect(server.mails).to.have.length(4);
    const waiting = (await stored()).filter(({ isSent }) => !isSent);
    expect(waiting).to.have.length(8);
    for (const { attempts } of waiting) expect(attempts).to.equal(0);
  });

  it('are of what changes an account, and of nothing else yet', () => {
    const reader = { locale: 'en' as const, messages: undefined as never, baseUrl: '' };
    const base = { id: 'notice_1', times: 1, startedAt: 0, happenedAt: 0, attempt: 1 };
    expect(contentOf({ ...base, event: 'test' }, reader)).to.equal(undefined);
  });

  it('hold up no other messenger while the mail server hangs', async () => {
    const server = await startMailServer({ data: () => sleep(60_000, undefined, { ref: false }) });
    const accounts = await accountsWithMail(230);
    for (const account of accounts) await change(account);
    let isDelivered = false;
    const unavailable: string[] = [];
    const pigeon: Messenger = {
      async deliver(): Promise<Delivery> {
        isDelivered = true;
        return { outcome: 'sent' };
      },
    };
    const delivery = deliver(messengerTo(server, { attemptMs: 4_000, unavailable }), { pigeon });
    await until(() => server.counts().openMax === 4);
    const { account } = await createAccount(service.domain);
    await service.database.execute(
      "INSERT INTO recipients (account_id, messenger, address) VALUES ($id, 'pigeon', 'x')",
      { id: account.id },
    );
    await change(account);
    await until(() => isDelivered || unavailable.length > 0);
    expect([isDelivered, unavailable]).to.deep.equal([true, []]);
    await delivery;
    expect(server.mails).to.deep.equal([]);
  });

  it('wait while the server is down, for all addresses at once', async () => {
    const server = await startMailServer();
    await server.stop();
    const unavailable: string[] = [];
    const messenger = messengerTo(server, { unavailable });
    for (const account of await accountsWithMail(40)) await change(account);
    await deliver(messenger);
    await deliver(messenger);
    expect(unavailable.length).to.be.within(5, 30); // and then the server has a pause
    expect((await stored()).filter(({ attempts }) => attempts === 0)).to.have.length.greaterThan(9);
    expect((await stored()).filter(({ isEnded }) => isEnded)).to.deep.equal([]);
  });
});

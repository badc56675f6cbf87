import { expect } from 'chai';
import type { Account, MailKind, Push } from '../../src/domain/index.ts';
import { type ApiResponse, asForm, type Client, times } from '../harness/api.ts';
import { type MailedService, startMailedService } from '../harness/mailedService.ts';
import { Reply } from '../harness/mailServer.ts';
import { type FormBrowser, openFormBrowser, password, visibleText } from '../harness/pages.ts';
import { anonymous, createAccount, newEmail, refusal, someClient } from '../harness/service.ts';

const everyKind: MailKind[] = ['viewed', 'expired', 'failedPassphrase', 'reminder', 'askedAgain', 'answered'];

describe('Notices of links by mail', () => {
  let service: MailedService;
  let api: Client;

  before(async () => {
    service = await startMailedService();
    ({ api } = service);
  });

  afterEach(() => service.forgetMails());

  after(() => service.stop());

  type Owner = { account: Account; browser: FormBrowser };

  const delivered = () => service.delivered();

  async function signedUp(): Promise<Owner> {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    return { browser, account: await service.domain.accounts.find(email) };
  }

  async function confirm(browser: FormBrowser, email: string): Promise<void> {
    await browser.submit('/account', '/account/address', { email });
    const mails = await delivered();
    const text = mails.find(({ envelope }) => envelope.to.includes(email))?.text;
    const [link = ''] = /\/verify\/\S+/.exec(String(text)) ?? [];
    await browser.submit(link, link, { held: 'yes' });
    await delivered();
  }

  /** An account with a confirmed address, which gets these kinds by mail. */
  async function owner(...kinds: MailKind[]): Promise<Owner> {
    const { account, browser } = await signedUp();
    await confirm(browser, account.email);
    await service.domain.mailLinks.chooseMails(account, kinds);
    return { account, browser };
  }

  const create = ({ account }: Pick<Owner, 'account'>, input: object = {}): Promise<Push> =>
    service.domain.pushes.create({ payload: 'tulip', ...input }, { account, client: someClient });
  const view = ({ urlToken }: Push, passphrase?: string) =>
    service.domain.pushes.reveal(String(urlToken), passphrase, anonymous);
  const makeDue = () =>
    service.database.execute(
      `UPDATE notices SET due_at = ${service.database.dialect.now} WHERE due_at IS NOT NULL`,
      {},
    );
  const kindsOf = async (account: Account) => (await service.domain.mailLinks.mailChoiceOf(account))?.kinds;

  it('come of the kinds that were chosen on the page, and of no kind before', async () => {
    const { browser, account } = await signedUp();
    expect(visibleText(await browser.get('/account/notices'))).to.include('once you have confirmed');
    await confirm(browser, account.email);
    await view(await create({ account }, { expireAfterViews: 1 }));
    expect(await delivered()).to.deep.equal([]);
    expect(visibleText(await browser.get('/account/notices'))).to.include(`Also by mail to ${account.email}`);
    const chosen = { viewed: 'every', expired: 'on', 'byMail.viewed': 'on', 'byMail.answered': 'on' };
    await browser.submit('/account/notices', '/account/notices', chosen);
    expect(await kindsOf(account)).to.deep.equal(['viewed', 'answered']);
    const { text } = await browser.get('/account/notices');
    const checked = [...text.matchAll(/<input[^>]*name="byMail\.(\w+)"[^>]*>/g)].flatMap(([input, kind]) =>
      /\bchecked\b/.test(input) ? kind : [],
    );
    expect(checked).to.deep.equal(['viewed', 'answered']);
    const push = await create({ account }, { expireAfterViews: 2 });
    await view(push);
    await service.domain.pushes.expire(String(push.urlToken), { account, client: someClient });
    expect((await delivered()).map(({ subject }) => subject)).to.deep.equal(['Your link was opened']);
  });

  it('hold nothing that opens a secret, and neither its name nor its note', async () => {
    const { account, browser } = await owner(...everyKind);
    const fields = { name: 'the-name', note: 'the-note', passphrase: 'the-passphrase', expireAfterViews: 3 };
    const push = await create({ account }, fields);
    await view(push, 'the-passphrase');
    const [mail] = await delivered();
    for (const part of [mail?.raw, mail?.text, String(mail?.html)])
      for (const secret of ['tulip', 'the-name', 'the-note', 'the-passphrase', String(push.urlToken)])
        expect(part).not.to.include(secret);
    expect(mail?.text).to.match(/Your link \(.* UTC\) was opened on .* UTC\. It opens twice more\./);
    const [path = ''] = /\/pushes\/\w+/.exec(String(mail?.text)) ?? [];
    expect((await browser.get(path)).headers.location).to.equal(`/pushes/${push.urlToken}`);
    const { browser: other } = await signedUp();
    expect((await other.get(path)).status).to.equal(404);
    expect((await api.get(path)).headers.location).to.match(/^\/sign-in/);
  });

  it('are one thread for a push, and count together what comes in a burst', async () => {
    const { account } = await owner('viewed');
    const push = await create({ account }, { expireAfterViews: 9 });
    await view(push);
    const [first] = await delivered();
    await times(4, () => view(push));
    expect(await delivered()).to.deep.equal([]); // within ten seconds
    await makeDue();
    const [second, ...more] = await delivered();
    expect(more).to.deep.equal([]);
    expect(second?.text)
      .to.include('was opened 4 times, the last time on')
      .and.include('It opens 4 more times.');
    const thread = `<${push.id}@acme.example>`;
    expect([first, second].map((mail) => [mail?.inReplyTo, mail?.references])).to.deep.equal([
      [thread, thread],
      [thread, thread],
    ]);
    expect(new Set([first?.messageId, second?.messageId])).to.have.property('size', 2);
  });

  it('are one mail for a last view, which says so', async () => {
    const both = await owner('viewed', 'expired');
    await view(await create(both, { expireAfterViews: 1 }));
    const mails = await delivered();
    expect(mails.map(({ subject }) => subject)).to.deep.equal(['Your link was opened']);
    expect(mails[0]?.text).to.include('That was the last view.');
    const stored = `SELECT last_problem AS reason FROM notices WHERE event = 'expired_by_views' AND messenger = 'mail'`;
    expect(await service.database.select(stored, {})).to.deep.include({
      reason: 'the mail about the last view says it',
    });
    const ends = await owner('expired');
    await view(await create(ends, { expireAfterViews: 1 }));
    expect((await delivered()).map(({ subject }) => subject)).to.deep.equal([
      'Your link was opened for the last time',
    ]);
    const first = await owner('viewed', 'expired');
    const push = await create(first, { expireAfterViews: 2, notify: { viewed: 'first' } });
    await view(push);
    expect(await delivered()).to.have.length(1);
    await view(push);
    expect((await delivered()).map(({ subject }) => subject)).to.deep.equal([
      'Your link was opened for the last time',
    ]);
  });

  it('say who opened it, and of a burst all who did', async () => {
    const { account } = await owner('viewed');
    const push = await create({ account }, { recipients: ['Bob', 'Carol'] });
    for (const { urlToken } of (await service.domain.pushes.recipientsOf([push.id])).get(push.id) ?? [])
      await service.domain.pushes.reveal(String(urlToken), undefined, anonymous);
    const [mail] = await delivered();
    expect(mail?.text).to.include('was opened twice by Bob and Carol, the last time');
  });

  it('come of wrong passphrases, of the end, and of answers, whose title they leave out', async () => {
    const { account } = await owner(...everyKind);
    const guarded = await create({ account }, { passphrase: 'open sesame' });
    await refusal(view(guarded, 'wrong'));
    const [wrong] = await delivered();
    expect(wrong?.subject).to.equal('Somebody entered a wrong passphrase');
    const { requestLinks } = service.domain;
    const caller = { account, client: someClient };
    const { urlToken } = await requestLinks.create(caller, { title: 'the-title' });
    await using begun = await requestLinks.beginAnswer(String(urlToken), someClient);
    await begun.send({ formId: 'x'.repeat(22), text: 'rose' });
    const [answered, ...more] = await delivered();
    expect(more).to.deep.equal([]);
    expect(answered?.subject).to.equal('Somebody answered your request');
    expect(answered?.raw).not.to.include('the-title').and.not.include('rose');
  });

  it('say nothing of what owners did themselves', async () => {
    const { account } = await owner(...everyKind);
    const push = await create({ account });
    await service.domain.pushes.expire(String(push.urlToken), { account, client: someClient });
    expect(await delivered()).to.deep.equal([]);
  });

  it('are in the language of the account', async () => {
    const { account } = await owner('viewed');
    await service.domain.accounts.setLocale(account, 'de');
    await view(await create({ account }, { expireAfterViews: 1 }));
    const [mail] = await delivered();
    expect(mail?.subject).to.equal('Dein Link wurde geöffnet');
    expect(mail?.text).to.match(/Dein Link \(.*\) wurde am .* geöffnet\. Das war die letzte Ansicht\./);
  });

  describe('with one press, as mail programs send it,', () => {
    /** An owner whom a mail reached, and the path that ends such mails. */
    async function reached() {
      const someone = await owner(...everyKind);
      await view(await create(someone));
      const [mail] = await delivered();
      const [, path = ''] =
        /\nList-Unsubscribe:\s+<http:\/\/push\.test(\S+)>\r\n/.exec(String(mail?.raw)) ?? [];
      return { ...someone, path, mail };
    }

    const press = (
      path: string,
      headers: Record<string, string> = asForm,
      body = 'List-Unsubscribe=One-Click',
    ) => api.send('POST', path, { headers, body });

    const isRefused = async (account: Account, pressed: Promise<ApiResponse>) => [
      (await pressed).status,
      (await kindsOf(account))?.length,
    ];

    it('end, without a cookie, and from any site', async () => {
      for (const headers of [
        asForm,
        { ...asForm, origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' },
      ]) {
        const { account, path, mail } = await reached();
        expect(mail?.raw).to.include('\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n');
        const done = await press(path, headers);
        expect([done.status, done.headers['set-cookie']]).to.deep.equal([200, undefined]);
        expect(await kindsOf(account)).to.deep.equal([]);
        expect((await press(path)).status).to.equal(200); // again
        await view(await create({ account }));
        expect(await delivered()).to.deep.equal([]);
      }
    });

    it('end as a form with parts, too', async () => {
      const { account, path } = await reached();
      const body =
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n';
      const done = await press(path, { 'content-type': 'multipart/form-data; boundary=x' }, body);
      expect([done.status, await kindsOf(account)]).to.deep.equal([200, []]);
    });

    it('do not come any more, even if they waited', async () => {
      const { account, path } = await reached();
      await view(await create({ account }));
      await press(path);
      expect(await delivered()).to.deep.equal([]);
    });

    it('go on when a program only opens the address, or sends something else', async () => {
      const { account, path } = await reached();
      for (const method of ['GET', 'HEAD']) await api.send(method, path);
      expect((await press(path, asForm, 'a=b')).text).to.include('name="List-Unsubscribe"');
      expect((await press(path, asForm, '')).status).to.equal(200);
      expect(await kindsOf(account)).to.have.length(everyKind.length);
    });

    it('end by the button of the page that a person sees', async () => {
      const { account, path, mail } = await reached();
      expect(mail?.text).to.include(`Unsubscribe: http://push.test${path}`);
      expect(mail?.html).to.include(path);
      const stranger = await openFormBrowser(api);
      expect(visibleText(await stranger.submit(path, path))).to.include(
        'You will get no more mails about your links',
      );
      expect(await kindsOf(account)).to.deep.equal([]);
    });

    it('end for that address alone', async () => {
      const { account, path } = await reached();
      const { account: other, path: otherPath } = await reached();
      const [, id = '', signature = ''] = /^\/unsubscribe\/(\w+)\.(.*)$/.exec(path) ?? [];
      const [, otherId = ''] = /^\/unsubscribe\/(\w+)\./.exec(otherPath) ?? [];
      for (const wrong of [
        `${otherId}.${signature}`,
        `${id}.${'x'.repeat(43)}`,
        `${id}.${signature}x`,
        `${id}.`,
        id,
        `${id.toUpperCase()}.${signature}`,
        `${id}.${signature}%0d%0aX:y`,
      ])
        for (const method of ['GET', 'POST']) {
          const refused = await api.send(method, `/unsubscribe/${wrong}`, {
            headers: asForm,
            ...(method === 'POST' && { body: 'List-Unsubscribe=One-Click' }),
          });
          expect(refused.status, wrong).to.equal(404);
        }
      await press(otherPath);
      expect(await isRefused(account, press(`/unsubscribe/${otherId}.${signature}`))).to.deep.equal([404, 6]);
      expect(await kindsOf(other)).to.deep.equal([]);
    });

    it('leave mails about the account, which cannot be switched off', async () => {
      const { account, path } = await reached();
      await press(path);
      await service.domain.accounts.setSubscribed(account.email, true, 'operator');
      const [mail] = await delivered();
      expect(mail?.subject).to.equal('Your hushpush account was changed');
      expect(mail?.raw).not.to.match(/List-Unsubscribe|unsubscribe/);
    });
  });

  it('keep what was chosen when the address changes or the password is reset, and go to one address', async () => {
    const { account, browser } = await owner('viewed');
    const to = newEmail();
    await confirm(browser, to);
    const moved = await service.domain.accounts.find(to);
    expect(await kindsOf(moved)).to.deep.equal(['viewed']);
    await (await openFormBrowser(api)).submit('/reset', '/reset', { email: to });
    const [mail] = await delivered();
    const [link = ''] = /\/reset\/\S+/.exec(String(mail?.text)) ?? [];
    await (await openFormBrowser(api)).submit(link, link, { next: `${password} 2` });
    await delivered();
    expect(await kindsOf(moved)).to.deep.equal(['viewed']);
    await view(await create({ account: moved }));
    expect((await delivered()).map(({ envelope }) => envelope.to)).to.deep.equal([[to]]);
    const former = service.domain.mailLinks.unsubscribeToken(
      (await service.database.transaction((tx) => service.domain.mailAddresses.save(account.email, null, tx)))
        .address,
    );
    await service.domain.mailLinks.unsubscribe(former);
    expect(await kindsOf(moved)).to.deep.equal(['viewed']);
  });

  it('go to no address that nobody has confirmed', async () => {
    const { account } = await createAccount(service.domain);
    expect(await refusal(service.domain.mailLinks.chooseMails(account, ['viewed']))).to.match(
      /^conflict: .*not confirmed/,
    );
    await view(await create({ account }));
    expect(await delivered()).to.deep.equal([]);
  });

  it('that the mail server refused are told of on the page, until it takes one again', async () => {
    const { account, browser } = await owner('viewed');
    service.answerMails(new Reply(550, '5.1.1 <b>No such user</b>'));
    await view(await create({ account }));
    await delivered();
    const page = await browser.get('/account/notices');
    expect(visibleText(page)).to.include(
      'The last mail to this address was not sent: your mail server refused it: 550 5.1.1 <b>No such user</b>',
    );
    expect(page.text).not.to.include('<b>No');
    service.answerMails(undefined);
    await view(await create({ account }));
    await delivered();
    expect(visibleText(await browser.get('/account/notices'))).not.to.include('was not sent');
  });
});

import { expect } from 'chai';
import type { Account } from '../../src/domain/index.ts';
import { asJson, bearer, type Client, createClient } from '../harness/api.ts';
import { connectChat, countRows, newChatUser } from '../harness/chat.ts';
import { type MailedService, startMailedService } from '../harness/mailedService.ts';
import { Reply } from '../harness/mailServer.ts';
import { openFormBrowser, parseForms, visibleText } from '../harness/pages.ts';
import { createAccount, newEmail, refusal, someClient, startService } from '../harness/service.ts';

describe('A request link that goes by mail', () => {
  let service: MailedService;
  let api: Client;
  let account: Account;
  let token: string;

  before(async () => {
    service = await startMailedService();
    ({ api } = service);
    ({ account, token } = await createAccount(service.domain, 'ann@acme.example'));
  });

  afterEach(() => service.forgetMails());

  after(() => service.stop());

  const caller = () => ({ account, client: someClient });
  const links = () => service.domain.requestLinks;
  const create = (to: string[] | string, input: object = {}) =>
    links().create(caller(), { title: 'the-title', note: 'the-note', to, ...input });
  const delivered = () => service.delivered();

  it('reaches each address once, says who asks and until when, and nothing of what for', async () => {
    const [bob, carol] = [newEmail(), newEmail()];
    const link = await create([bob, carol, bob.toUpperCase()]);
    expect(link.answersMax).to.equal(2);
    const mails = await delivered();
    expect(mails.map(({ envelope }) => envelope.to[0]?.toLowerCase()).sort()).to.deep.equal(
      [bob, carol].sort(),
    );
    const [mail] = mails;
    expect(mail?.subject).to.equal('You are asked for a secret');
    for (const part of [mail?.text, String(mail?.html)]) {
      expect(part).to.include('ann@acme.example').and.include(`http://push.test/a/${link.urlToken}`);
      expect(part).not.to.match(/the-title|the-note|unchecked|nobody has checked/);
    }
    const page = await api.get(`/a/${link.urlToken}`);
    expect(visibleText(page)).to.include('the-title');
    expect((await create(newEmail(), { answers: 7 })).answersMax).to.equal(7);
    expect((await create([])).answersMax).to.equal(1);
    await delivered();
  });

  it('says that nobody has checked who asks, where nobody has', async () => {
    const browser = await openFormBrowser(api);
    const email = newEmail();
    await browser.signUp(email);
    const to = newEmail();
    const page = await browser.submit('/requests/links/new', '/requests/links/new', {
      title: 'VPN',
      expires: '1d',
      to,
    });
    expect(visibleText(page)).to.match(new RegExp(`Sent by mail to ${to} The mail with the link is waiting`));
    const mails = await delivered();
    expect(mails.map(({ envelope }) => envelope.to)).to.deep.equal([[to]]);
    expect(mails[0]?.text).to.include('nobody has checked it').and.include(email);
  });

  it('leaves in no mail once it is closed, answered or over, or its account disabled', async () => {
    const closed = await create(newEmail());
    await links().close(account, closed.id);
    const answered = await create(newEmail());
    await using begun = await links().beginAnswer(String(answered.urlToken), someClient);
    await begun.send({ formId: 'x'.repeat(22), text: 'rose' });
    const { account: other } = await createAccount(service.domain);
    await links().create({ account: other, client: someClient }, { title: 'VPN', to: newEmail() });
    await service.domain.accounts.setDisabled(other.email, true, 'operator');
    expect((await delivered()).filter(({ subject }) => subject?.includes('asked'))).to.deep.equal([]);
  });

  it('has no more lines, headers or elements from the name of who asks, whatever that is in a chat', async () => {
    async function mailFrom(name: string) {
      const asker = await connectChat(service.domain, newChatUser(), { name });
      const input = { title: name, note: name, allowName: true, to: newEmail() };
      await links().create({ account: asker, client: someClient }, input);
      const [mail] = (await delivered()).filter(({ subject }) => subject === 'You are asked for a secret');
      if (mail === undefined) throw new Error(`no mail from ${name}`);
      return {
        name: mail.text,
        seen: {
          headers: [...mail.headers.keys()],
          addresses: [mail.from?.text, mail.envelope.to.length],
          lines: mail.text?.split('\n').length,
          elements: String(mail.html).match(/<[a-z]+/g),
        },
      };
    }
    const { seen: expected } = await mailFrom('@ann');
    for (const name of [
      'Ann\r\nBcc: eve@evil.test\r\n\r\n<script>',
      'Ann\n\nSee the secret:\nhttps://evil.test/a/0123456789abcdefghjkmnpqrs',
      'Ann\u2028\u0085--\u001b',
      '"><img src=x onerror=alert(1)>, <eve@evil.test>',
      '</bdi><a href="javascript:alert(1)">x</a>',
    ]) {
      const { name: text, seen } = await mailFrom(name);
      expect(seen, name).to.deep.equal(expected);
      expect(text).to.match(/^From: .*(?:Ann|evil|alert)/m);
    }
  });

  it('waits in no table: what waits is the id of the link', async () => {
    const link = await create(newEmail());
    const rows = JSON.stringify(await service.database.select('SELECT * FROM notices', {}));
    expect(rows).not.to.include(link.urlToken);
    await delivered();
  });

  it('shows its owner what became of the mails, by the page and the API, and nobody else', async () => {
    service.answerMails(new Reply(550, '5.1.1 <b>No such user</b>'));
    const to = newEmail();
    const created = await api.send('POST', '/api/v1/request-links.json', {
      headers: { ...asJson, ...bearer(token) },
      body: JSON.stringify({ request_link: { title: 'VPN', to: [to] } }),
    });
    expect([created.status, created.body.mails]).to.deep.equal([
      201,
      [{ address: to, state: 'waiting', reason: null }],
    ]);
    await delivered();
    const { mailed } = await links().findWithAnswers(caller(), String(created.body.id));
    expect(mailed).to.deep.equal([
      {
        address: to,
        state: { is: 'refused', reason: 'your mail server refused it: 550 5.1.1 <b>No such user</b>' },
      },
    ]);
    const reader = { account, token: { scope: 'read' } };
    expect(await links().mailedTo(reader as never, String(created.body.id))).to.deep.equal([]);
    const { account: other } = await createAccount(service.domain);
    expect(await refusal(links().findWithAnswers({ account: other }, String(created.body.id)))).to.match(
      /^not_found/,
    );
  });

  it('says of a mail that waited too long that the link had ended, and not that anybody refused it', async () => {
    const to = newEmail();
    const link = await create(to);
    await links().close(account, link.id);
    await delivered();
    const { mailed } = await links().findWithAnswers(caller(), link.id);
    expect(mailed).to.deep.equal([{ address: to, state: { is: 'ended', reason: null } }]);
  });

  describe('that its owner sends again', () => {
    const sendAgain = (id: string, recipient: string) =>
      api.send(
        'POST',
        `/api/v1/request-links/recipients.json?id=${id}&recipient=${encodeURIComponent(recipient)}`,
        { headers: bearer(token) },
      );

    it('reaches that address once more, by the API, which says what became of its last mail', async () => {
      const [bob, carol] = [newEmail(), newEmail()];
      const link = await create([bob, carol]);
      service.answerMails(new Reply(550, '5.1.1 No such user'));
      await delivered();
      service.answerMails(undefined);
      const { status, body } = await sendAgain(link.id, ` ${bob.toUpperCase()} `);
      expect([status, body.id]).to.deep.equal([200, link.id]);
      const refused = 'your mail server refused it: 550 5.1.1 No such user';
      expect(body.mails).to.have.deep.members([
        { address: bob, state: 'waiting', reason: null },
        { address: carol, state: 'refused', reason: refused },
      ]);
      const mails = await delivered();
      expect(mails.map(({ envelope }) => envelope.to)).to.deep.equal([[bob]]);
      expect(mails[0]?.text).to.include(`/a/${link.urlToken}`);
    });

    it('is refused for other addresses and other accounts, and once it takes no more answers', async () => {
      const to = newEmail();
      const link = await create(to);
      await delivered();
      const { account: other } = await createAccount(service.domain);
      expect((await sendAgain(link.id, newEmail())).status).to.equal(404);
      expect((await sendAgain('0'.repeat(32), to)).status).to.equal(404);
      expect(await refusal(links().sendAgain(other, link.id, to))).to.match(/^not_found/);
      expect(await links().mailedTo({ account: other }, link.id)).to.deep.equal([]);
      await links().close(account, link.id);
      expect((await sendAgain(link.id, to)).status).to.equal(404);
      expect(await delivered()).to.deep.equal([]);
    });

    it('reaches an address as it is typed, while mails may still go there', async () => {
      const link = await create('eve@bücher.example');
      await delivered();
      await links().sendAgain(account, link.id, 'Eve@bücher.example');
      expect(await delivered()).to.have.length(1);
      const narrowed = await startService({
        ...service.shared,
        ...service.mailSettings,
        MAIL_ALLOWED_DOMAINS: 'example.com',
      });
      const again = narrowed.domain.requestLinks.sendAgain(account, link.id, 'eve@bücher.example');
      expect(await refusal(again)).to.match(/^invalid: .*an address at example\.com/);
      await narrowed.stop();
    });

    it('is sent by a button on its page, which says so', async () => {
      const browser = await openFormBrowser(api);
      await browser.signUp(newEmail());
      const to = newEmail();
      const created = await browser.submit('/requests/links/new', '/requests/links/new', {
        ...{ title: 'VPN', expires: '1d', to },
      });
      expect(visibleText(created)).to.include('The link is ready, and on its way by mail.');
      await delivered();
      const action = '/requests/links/send';
      const { id } = parseForms(created.text).find((form) => form.action === action)?.fields ?? {};
      const page = await browser.submit(`/requests/links/${id}`, action);
      expect(visibleText(page)).to.include('The link is on its way again.');
      expect((await delivered()).map(({ envelope }) => envelope.to)).to.deep.equal([[to]]);
    });
  });

  for (const [to, problem] of [
    ['bob', 'must be an e-mail address'],
    ['a@b@c', 'must be an e-mail address'],
    [`${'x'.repeat(65)}@example.com`, 'must be an e-mail address'],
    [['Bob <bob@example.com>'], 'must be an e-mail address'],
    [['bob@example.com\r\nBcc: eve@example.com'], 'must be an e-mail address'],
    [Array.from({ length: 51 }, (_, at) => `p${at}@example.com`), '50'],
    [[7], 'text'],
    [{}, ''],
  ] as const)
    it(`is refused before anything is created: ${JSON.stringify(to).slice(0, 40)}`, async () => {
      const before = [
        await countRows(service, 'request_links', 'TRUE'),
        await countRows(service, 'notices', 'TRUE'),
      ];
      expect(await refusal(create(to as never)))
        .to.match(/^invalid: /)
        .and.include(problem);
      expect([
        await countRows(service, 'request_links', 'TRUE'),
        await countRows(service, 'notices', 'TRUE'),
      ]).to.deep.equal(before);
    });

  it('shows the form again with the address that is wrong', async () => {
    const browser = await openFormBrowser(api);
    await browser.signUp(newEmail());
    const to = 'bob@example.com, eve@';
    const page = await browser.submit('/requests/links/new', '/requests/links/new', {
      title: 'VPN',
      expires: '1d',
      to,
    });
    expect(page.status).to.equal(422);
    expect(visibleText(page)).to.match(/eve@: [^.]*e-mail address/);
    expect(page.text).to.include(`value="${to}"`);
  });

  it('is refused beyond the limits, and where links may not be mailed', async () => {
    const limited = await startService({
      ...service.mailSettings,
      RATE_LIMITS: 'on',
      LIMIT_MAIL_BY_ADDRESS: '2/1h',
      LIMIT_MAIL_BY_ACCOUNT: '4/1d',
      MAIL_ALLOWED_DOMAINS: 'example.com',
    });
    const { requestLinks } = limited.domain;
    const ask = async (to: string[]) => {
      const { account: asker } = await createAccount(limited.domain);
      return requestLinks.create({ account: asker, client: someClient }, { title: 'VPN', to });
    };
    const email = newEmail();
    await ask([email]);
    const { account: asker } = await createAccount(limited.domain);
    const link = await requestLinks.create(
      { account: asker, client: someClient },
      { title: 'VPN', to: [email] },
    );
    expect(await refusal(requestLinks.sendAgain(asker, link.id, email))).to.match(
      /^invalid: .*got many mails/,
    );
    expect(await refusal(ask([email]))).to.match(new RegExp(`^invalid: .*${email}, which got many mails`));
    expect(await refusal(ask(Array.from({ length: 5 }, newEmail)))).to.match(/^too_many/);
    const elsewhere = ask(['bob@example.com', 'bob@elsewhere.example']);
    expect(await refusal(elsewhere)).to.match(/^invalid: to\.1 .*an address at example\.com/);
    await limited.stop();
  });

  it('does not exist where there is no mail server, which says so', async () => {
    const without = await startService();
    const { account: asker, token: own } = await createAccount(without.domain);
    const { requestLinks } = without.domain;
    const askerCaller = { account: asker, client: someClient };
    expect(await refusal(requestLinks.create(askerCaller, { title: 'VPN', to: newEmail() }))).to.match(
      /^forbidden: .*sends no such mails/,
    );
    await requestLinks.create(askerCaller, { title: 'VPN', to: [] });
    const client = createClient(without.port);
    const browser = await openFormBrowser(client);
    await browser.signUp(newEmail());
    const form = (await browser.get('/requests/links/new')).text;
    expect(form).not.to.include('name="to"').and.not.include('for each address');
    expect(form).to.match(/name="answers"[^>]*value="1"/);
    const description = (await client.get('/openapi.json', bearer(own))).text;
    expect(description).not.to.include('recipients.json').and.not.include('get the link in a mail');
    client.close();
    await without.stop();
  });
});

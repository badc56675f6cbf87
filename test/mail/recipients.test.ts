import { expect } from 'chai';
import type { Account, Push } from '../../src/domain/index.ts';
import { type ApiResponse, asForm, bearer, type Client, createClient, times } from '../harness/api.ts';
import { countRows } from '../harness/chat.ts';
import { createForms, parseForm, payloadShown, sameOrigin, wordOf } from '../harness/forms.ts';
import { type MailedService, startMailedService } from '../harness/mailedService.ts';
import { Reply } from '../harness/mailServer.ts';
import { openFormBrowser, visibleText } from '../harness/pages.ts';
import { refusalOf } from '../harness/refusal.ts';
import { anonymous, createAccount, newEmail, refusal, someClient, startService } from '../harness/service.ts';

const payload = 'tulip';

describe('A recipient who is known by an e-mail address', () => {
  let service: MailedService;
  let pushes: MailedService['domain']['pushes'];
  let account: Account;
  let token: string;
  let api: Client;
  let forms: ReturnType<typeof createForms>;

  before(async () => {
    service = await startMailedService();
    ({ api } = service);
    ({ pushes } = service.domain);
    ({ account, token } = await createAccount(service.domain, 'ann@acme.example'));
    forms = createForms(service.domain, api);
  });

  afterEach(() => service.forgetMails());

  after(() => service.stop());

  const owner = () => ({ account, client: someClient });
  const create = (recipients: string[], input: object = {}): Promise<Push> =>
    pushes.create({ payload, recipients, ...input }, owner());
  const deliver = () => service.deliver();
  const mailsTo = (address: string) => service.mailsTo(address);
  const recipientsOf = async ({ id }: Push) => (await pushes.recipientsOf([id])).get(id) ?? [];
  const usedBy = async (push: Push) => (await recipientsOf(push)).map(({ viewsUsed }) => viewsUsed);
  const codeRows = () => countRows(service, 'recipient_codes', 'TRUE');

  /** A push for a new address, the mail to it, and the path of the link in that. */
  async function sent(input: object = {}) {
    const address = newEmail();
    const push = await create([address], input);
    await deliver();
    const [taken] = mailsTo(address);
    const [, path = ''] = /http:\/\/push\.test(\/p\/\w+)/.exec(String(taken?.text)) ?? [];
    return { address, push, mail: taken, path, urlToken: path.slice('/p/'.length) };
  }

  async function codeIn(address: string): Promise<string> {
    await deliver();
    return /Code: (\d{6})\n/.exec(String(mailsTo(address).at(-1)?.text))?.[1] ?? '';
  }

  /** Holds the button of a page that asks for a code. Returns the cookies of the browser. */
  async function askForCode(path: string, cookie?: string): Promise<string> {
    const form = await forms.loadForm(path, cookie === undefined ? {} : { cookie });
    expect(form.fields.step).to.equal('ask');
    const asked = await forms.submit(path, form);
    expect(asked.status).to.equal(303);
    return parseForm(asked, form.headers.cookie).headers.cookie ?? '';
  }

  const enter = (path: string, code: string, cookie: string): Promise<ApiResponse> =>
    api.send('POST', path, {
      headers: { ...asForm, ...sameOrigin, cookie },
      body: String(new URLSearchParams({ step: 'enter', code })),
    });

  /** Opens the link after its code was entered. */
  async function open(path: string, cookie: string, values: Record<string, string> = {}) {
    return forms.submit(path, await forms.loadForm(path, { cookie }), values);
  }

  const otherThan = (code: string) => (code === '111111' ? '222222' : '111111');

  it('gets a mail that names the sender, the end and the views, and nothing of the secret', async () => {
    const { mail, address, path } = await sent({
      name: 'the-name',
      note: 'the-note',
      passphrase: 'the-passphrase',
      viewsPerRecipient: 2,
    });
    expect(mail?.envelope.to).to.deep.equal([address]);
    expect(mail?.subject).to.equal('Someone shared a secret with you');
    expect(mail?.text)
      .to.include('From: ann@acme.example')
      .and.include('Opens: 2 times')
      .and.match(/Until: .+ UTC/);
    expect(mail?.raw).not.to.match(/tulip|the-(name|note|passphrase)/);
    expect(path).to.match(/^\/p\/\w{26}$/);
  });

  describe('on the page of a new push', () => {
    const entered = { payload, lifetime: '1d', views: '2' };

    async function signedUp() {
      const browser = await openFormBrowser(api);
      await browser.signUp(newEmail());
      return browser;
    }

    it('is named in a field, and gets a mail with a link of their own', async () => {
      const browser = await signedUp();
      const addresses = [newEmail(), newEmail()];
      const made = await browser.submit('/', '/', { ...entered, recipients: `${addresses.join(',\t')}; ` });
      expect(visibleText(made))
        .to.include('gets a mail with a link of their own')
        .and.not.match(/deliver/i);
      expect(made.text).not.to.match(/\/p\/\w{26}"/);
      const [, path = ''] = /href="(\/pushes\/\w+)"/.exec(made.text) ?? [];
      await deliver();
      for (const address of addresses) expect(mailsTo(address)[0]?.text).to.include('Opens: 2 times');
      expect(visibleText(await browser.get(path)))
        .to.include(addresses[1])
        .and.include('0 of 4');
    });

    it('gets a plain link only where that is chosen', async () => {
      const browser = await signedUp();
      const codes = [];
      for (const choice of [{}, { plainLinks: 'on' }]) {
        const address = newEmail();
        await browser.submit('/', '/', { ...entered, recipients: address, ...choice });
        await deliver();
        codes.push(/code/.test(String(mailsTo(address)[0]?.text)));
      }
      expect(codes).to.deep.equal([true, false]);
      const wrong = { ...entered, recipients: 'bob@', plainLinks: 'on' };
      const { text } = await browser.submit('/', '/', wrong);
      expect(/<input[^>]*name="plainLinks"[^>]*>/.exec(text)?.[0]).to.match(/\bchecked\b/);
    });

    it('is shown again with what is wrong with which of them, and nothing is created', async () => {
      const browser = await signedUp();
      for (const [recipients, problem] of [
        ['bob@example.com a@b@c', /a@b@c: [^.]*e-mail address/],
        ['bob@example.com Eve', /e-mail address/],
        ['bob@', /e-mail address/],
        [Array.from({ length: 51 }, newEmail).join(' '), /50/],
      ] as const) {
        const answer = await browser.submit('/', '/', { ...entered, recipients });
        expect(answer.status, recipients).to.equal(422);
        const [, shown = ''] = /id="recipients-problem"[^>]*>([^<]*)</.exec(answer.text) ?? [];
        expect(shown, recipients).to.match(problem);
        expect(answer.text).to.match(/<details class="more" open/);
        expect(answer.text).to.include(`value="${recipients}"`);
      }
    });

    it('is offered to accounts alone, and only where there is mail', async () => {
      const stranger = await openFormBrowser(api);
      expect((await stranger.get('/')).text).not.to.include('name="recipients"');
      const fields = { ...entered, recipients: newEmail(), anonymous: 'yes' };
      const refused = await stranger.submit('/', '/', fields);
      expect(refused.text).to.include('data-outdated="ended"');
      const off = await startService({ ...service.shared });
      const client = createClient(off.port);
      const browser = await openFormBrowser(client);
      await browser.signUp(newEmail());
      expect((await browser.get('/')).text)
        .to.include('name="sender"')
        .and.not.include('name="recipients"');
      client.close();
      await off.stop();
    });
  });

  it('is found by clients among what the server can do', async () => {
    expect((await api.get('/api/v1/version.json')).body.features).to.include('recipient-mail');
  });

  it('opens their link with the code that goes to their address, whose log says which', async () => {
    const { address, push, path } = await sent();
    const cookie = await askForCode(path);
    const code = await codeIn(address);
    expect(code).to.match(/^\d{6}$/);
    expect(mailsTo(address)[1]?.subject).not.to.include(code);
    const page = await api.get(path, { cookie });
    expect(page.text).to.include('name="code"');
    const entered = await enter(path, ` ${code.slice(0, 3)} ${code.slice(3)}`, cookie);
    expect([entered.status, entered.headers.location]).to.deep.equal([303, path]);
    expect(payloadShown(await open(path, cookie))).to.equal(payload);
    const log = await api.get(`/p/${push.urlToken}/audit.json`, bearer(token));
    expect((log.body.views as { kind: string }[]).find(({ kind }) => kind === 'view')).to.include({
      opened_by: `mail:${address}`,
    });
  });

  it('asks for the passphrase after the code, and takes none for an attempt before it', async () => {
    const { address, path } = await sent({ passphrase: 'daffodil' });
    const refused = await api.get(`${path}.json?passphrase=wrong`);
    expect(refused.status).to.equal(403);
    expect(await countRows(service, 'audit_rows', `kind = 'failed_passphrase'`)).to.equal(0);
    const cookie = await askForCode(path);
    await enter(path, await codeIn(address), cookie);
    expect(payloadShown(await open(path, cookie, { passphrase: 'daffodil' }))).to.equal(payload);
  });

  it('is refused through the API and by the form of the retrieval step without the code, which uses no view', async () => {
    const { push, path, urlToken } = await sent();
    const answer = await api.get(`${path}.json`);
    expect([answer.status, answer.body.error]).to.deep.equal([
      403,
      'That link opens only in a browser, with a code that goes to the e-mail address of its recipient.',
    ]);
    const { fields, headers } = await forms.loadForm(path);
    const { step: _, ...withoutStep } = fields;
    const page = await forms.submit(path, { headers, fields: withoutStep });
    expect(page.status).to.equal(403);
    expect(page.text).to.include('name="step"').and.not.include(payload);
    expect(await refusal(pushes.reveal(urlToken, undefined, anonymous, { browserSecret: 'guess' }))).to.match(
      /^forbidden/,
    );
    expect(await usedBy(push)).to.deep.equal([0]);
  });

  it('cannot be deleted by whoever has the link alone', async () => {
    const { path } = await sent({ deletableByViewer: true });
    expect((await api.send('DELETE', `${path}.json`)).status).to.equal(401);
  });

  it('sends a code to nobody who only loads the page or sends its form, however often', async () => {
    const { address, push, path } = await sent();
    const before = await codeRows();
    for (const method of ['GET', 'HEAD', 'OPTIONS']) await api.send(method, path);
    for (const values of [{}, { word: 'tulip' }, { code: '111111', step: 'enter' }, { held: '' }]) {
      const form = await forms.loadForm(path);
      const body = String(new URLSearchParams({ ...form.fields, ...(values as Record<string, string>) }));
      await api.send('POST', path, { headers: { ...asForm, ...form.headers, ...sameOrigin }, body });
    }
    await deliver();
    expect(await codeRows()).to.equal(before);
    expect(mailsTo(address)).to.have.length(1);
    expect(await usedBy(push)).to.deep.equal([0]);
  });

  it('gets a code for the word of the page, too, but not for a form of another site or without a page', async () => {
    const { address, path } = await sent();
    const form = await forms.loadForm(path);
    const foreign = await forms.submit(path, form, {}, { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).to.equal(403);
    const without = await forms.submit(path, { headers: {}, fields: form.fields });
    expect(without.status).to.equal(403);
    expect(await codeIn(address)).to.equal('');
    expect((await forms.submit(path, form, { word: wordOf(form) })).status).to.equal(303);
    expect(await codeIn(address)).to.match(/^\d{6}$/);
  });

  it('is refused in another browser, with the code that the first one asked for', async () => {
    const { address, push, path } = await sent();
    const cookie = await askForCode(path);
    const code = await codeIn(address);
    const other = await forms.loadForm(path);
    expect((await enter(path, code, other.headers.cookie ?? '')).status).to.equal(409);
    expect(await usedBy(push)).to.deep.equal([0]);
    expect((await enter(path, code, cookie)).status).to.equal(303);
    expect((await forms.loadForm(path)).fields.step).to.equal('ask'); // the other one
  });

  it('ends a code with the next one, in whichever browser that is asked for', async () => {
    const { address, path } = await sent();
    const first = await askForCode(path);
    const firstCode = await codeIn(address);
    const second = await askForCode(path);
    const secondCode = await codeIn(address);
    expect((await enter(path, firstCode, first)).status).to.equal(409);
    expect((await enter(path, secondCode, first)).status).to.equal(409);
    expect((await enter(path, secondCode, second)).status).to.equal(303);
  });

  it('takes a code once', async () => {
    const { address, path } = await sent();
    const cookie = await askForCode(path);
    const code = await codeIn(address);
    expect((await enter(path, code, cookie)).status).to.equal(303);
    expect((await enter(path, code, cookie)).status).to.equal(409);
  });

  it('takes a code once of tries that arrive together', async () => {
    const { address, urlToken } = await sent();
    const secret = await pushes.sendCode(urlToken, { locale: 'en' });
    const code = await codeIn(address);
    const enterOnce = () =>
      pushes.enterCode(urlToken, code, secret).then(
        () => 'taken',
        () => 'refused',
      );
    expect((await times(10, enterOnce)).filter((result) => result === 'taken')).to.have.length(1);
  });

  it('ends a code with the fifth wrong try, also of those that arrive together', async () => {
    const { address, path, urlToken } = await sent();
    const cookie = await askForCode(path);
    const code = await codeIn(address);
    const left = [];
    for (let tries = 0; tries < 4; tries++) {
      const wrong = await enter(path, otherThan(code), cookie);
      left.push([wrong.status, /You have (one|\d) more tr/.exec(wrong.text)?.[1]]);
    }
    expect(left).to.deep.equal([
      [401, '4'],
      [401, '3'],
      [401, '2'],
      [401, 'one'],
    ]);
    expect((await enter(path, otherThan(code), cookie)).text).to.include('name="step" value="ask"');
    expect((await enter(path, code, cookie)).status).to.equal(409);

    const secret = await pushes.sendCode(urlToken, { locale: 'en' });
    const next = await codeIn(address);
    const errors = await times(20, () => refusalOf(pushes.enterCode(urlToken, otherThan(next), secret)));
    expect(errors.filter(({ messageCode }) => messageCode === 'mailedCodeWrong')).to.have.length(5);
    expect(await refusal(pushes.enterCode(urlToken, next, secret))).to.match(/^conflict/);
  });

  it('counts what is no code for no try', async () => {
    const { address, path } = await sent();
    const cookie = await askForCode(path);
    const code = await codeIn(address);
    for (const text of ['', '12345', '1234567', 'abcdef', '１２３４５６', "' OR 1=1", 'x'.repeat(10_000)])
      expect((await enter(path, text, cookie)).status).to.equal(401);
    expect((await enter(path, code, cookie)).status).to.equal(303);
  });

  it('takes a code for ten minutes, and then opens the push for ten', async () => {
    const { address, push, path, urlToken } = await sent();
    const age = (minutes: number) =>
      service.database.execute(
        `UPDATE recipient_codes SET expires_at = expires_at - $ms, proven_until = proven_until - $ms`,
        { ms: minutes * 60_000 },
      );
    const old = await pushes.sendCode(urlToken, { locale: 'en' });
    const oldCode = await codeIn(address);
    await age(10);
    expect(await refusal(pushes.enterCode(urlToken, oldCode, old))).to.match(/^conflict/);

    const cookie = await askForCode(path);
    await enter(path, await codeIn(address), cookie);
    await age(10);
    expect((await forms.loadForm(path, { cookie })).fields.step).to.equal('ask');
    const secret = await pushes.sendCode(urlToken, { locale: 'en' });
    await pushes.enterCode(urlToken, await codeIn(address), secret);
    await age(10);
    const options = { browserSecret: secret };
    expect(await refusal(pushes.reveal(urlToken, undefined, anonymous, options))).to.match(/^forbidden/);
    expect(await usedBy(push)).to.deep.equal([0]);
    await pushes.purgeCodes();
    expect(await codeRows()).to.equal(0);
  });

  it('opens no other link with a code, and no other with what a browser proved', async () => {
    const first = await sent();
    const second = await sent();
    const secret = await pushes.sendCode(first.urlToken, { locale: 'en' });
    const code = await codeIn(first.address);
    expect(await refusal(pushes.enterCode(second.urlToken, code, secret))).to.match(/^conflict/);
    await pushes.enterCode(first.urlToken, code, secret);
    const options = { browserSecret: secret };
    expect(await refusal(pushes.reveal(second.urlToken, undefined, anonymous, options))).to.match(
      /^forbidden/,
    );
    expect((await pushes.reveal(first.urlToken, undefined, anonymous, options)).payload).to.equal(payload);
  });

  it('keeps codes nowhere: neither the database nor the log has them', async () => {
    const { address, path } = await sent();
    await askForCode(path);
    const code = await codeIn(address);
    expect(service.logged()).not.to.include(code);
    const rows = await service.database.select<Record<string, unknown>>('SELECT * FROM recipient_codes', {});
    const notices = await service.database.select<Record<string, unknown>>('SELECT * FROM notices', {});
    const texts = [...rows, ...notices].flatMap(Object.values).filter((value) => typeof value === 'string');
    expect(texts.filter((text) => text.includes(code))).to.deep.equal([]);
  });

  it('gets a plain link where the sender wants no code, and still has the retrieval step', async () => {
    const { mail, push, path } = await sent({ recipientCode: 'off', retrievalStep: false });
    expect(mail?.text).not.to.include('code');
    await api.get(path); // a scanner
    expect(await usedBy(push)).to.deep.equal([0]);
    expect(payloadShown(await forms.submit(path, await forms.loadForm(path)))).to.equal(payload);
  });

  it('shows the sender what became of the mail, who can send it again', async () => {
    service.answerMails(new Reply(550, '5.1.1 No such user'));
    const { push, address } = await sent();
    const stateOf = async () => (await recipientsOf(push))[0]?.mail?.state;
    expect(await stateOf()).to.deep.equal({
      is: 'refused',
      reason: 'your mail server refused it: 550 5.1.1 No such user',
    });
    const created = await api.get('/p/active.json', bearer(token));
    expect((created.json as { recipients?: object[] }[])[0]?.recipients?.[0]).to.deep.include({
      name: address,
      mail: { state: 'refused', reason: 'your mail server refused it: 550 5.1.1 No such user', code: true },
    });
    service.answerMails(undefined);
    const [recipient] = await recipientsOf(push);
    await pushes.sendAgain(account, push.id, recipient?.id ?? '');
    expect(await stateOf()).to.deep.include({ is: 'waiting' });
    await deliver();
    expect(await stateOf()).to.deep.equal({ is: 'handedOver', reason: null });
    expect(mailsTo(address)[0]?.subject).to.equal('A secret is waiting for you');
  });

  it('is mailed again, and loses their link, by the API, named by address or id', async () => {
    const { push, address, path } = await sent();
    const { account: other, token: strange } = await createAccount(service.domain);
    expect(other).not.to.equal(account);
    const at = (recipient: string, name = push.urlToken) =>
      `/p/${name}/recipients.json?recipient=${encodeURIComponent(recipient)}`;
    const act = (method: string, target: string, headers = bearer(token)) =>
      api.send(method, target, { headers });
    const [{ id = '' } = {}] = await recipientsOf(push);
    for (const target of [at(address.toUpperCase()), at(id, push.urlTokenSha256)]) {
      const again = await act('POST', target);
      expect([again.status, (again.json as { recipients: object[] }).recipients]).to.deep.include(200);
      await deliver();
    }
    expect(mailsTo(address).map(({ subject }) => subject)).to.deep.equal([
      'Someone shared a secret with you',
      'A secret is waiting for you',
      'A secret is waiting for you',
    ]);
    for (const method of ['POST', 'DELETE']) {
      expect((await act(method, at(address), bearer(strange))).status).to.equal(404);
      expect((await act(method, at(address), {} as never)).status).to.equal(401);
      expect((await act(method, at('nobody@acme.example'))).status).to.equal(404);
      expect((await act(method, at(''))).status).to.equal(400);
      expect((await act(method, at(`${address}\r\nX: y`))).status).to.equal(404);
    }
    const withdrawn = await act('DELETE', at(address));
    expect([withdrawn.status, (await api.get(path)).status]).to.deep.equal([200, 404]);
    expect((await act('DELETE', at(address))).status).to.equal(404);
  });

  it('loses their link and a mail that waits when the sender withdraws it, and the push gets its views back', async () => {
    const address = newEmail();
    const push = await create([address, 'Bob']);
    const [bob, byMail] = (await recipientsOf(push)).toSorted((a, b) => Number(!!a.mail) - Number(!!b.mail));
    const stranger = (await createAccount(service.domain)).account;
    for (const attempt of [
      () => pushes.withdrawRecipient(stranger, push.id, byMail?.id ?? ''),
      () => pushes.withdrawRecipient(account, push.id, bob?.id ?? ''),
      () => pushes.withdrawRecipient(account, push.id, 'x'),
      () => pushes.sendAgain(stranger, push.id, byMail?.id ?? ''),
      () => pushes.sendAgain(account, push.id, bob?.id ?? ''),
    ])
      expect(await refusal(attempt())).to.match(/^not_found/);
    await pushes.withdrawRecipient(account, push.id, byMail?.id ?? '');
    await deliver();
    expect(mailsTo(address)).to.deep.equal([]);
    expect((await api.get(`/p/${byMail?.urlToken}`)).status).to.equal(404);
    expect((await recipientsOf(push)).map(({ name }) => name)).to.deep.equal(['Bob']);
    expect((await pushes.reveal(push.urlToken, undefined, anonymous)).payload).to.equal(payload);
  });

  for (const [text, problem] of [
    ['a@b@c', 'must be an e-mail address'],
    ['Bob <bob@example.com>', 'must be an e-mail address'],
    ['bob@example.com, eve@example.com', 'must be an e-mail address'],
    [`bob@example.com\nBcc: eve@example.com`, 'must be an e-mail address'],
    [`${'x'.repeat(65)}@example.com`, 'must be an e-mail address'],
    ['bob@localhost', 'must be an e-mail address'],
  ]) {
    it(`is refused before anything is created: ${JSON.stringify(text).slice(0, 40)}`, async () => {
      const answer = await api.post('/p.json', { password: { payload, recipients: [text] } }, bearer(token));
      expect(answer.status).to.equal(422);
      expect(answer.body.fields).to.deep.equal({ 'recipients.0': [problem] });
    });
  }

  it('is one recipient however often an address is named, and names with an at sign stay names', async () => {
    const address = newEmail();
    const push = await create([
      address,
      address.toUpperCase().replace(/@.*/, `@${address.split('@')[1]}`),
      '@bob',
      'Bob @ Acme',
    ]);
    const recipients = await recipientsOf(push);
    expect(recipients.map(({ mail }) => mail !== undefined).filter(Boolean)).to.have.length(1);
    expect(recipients).to.have.length(3);
    expect(push.viewsMax).to.equal(3);
  });

  it('is a name like others where there is no mail server, and gets no mail', async () => {
    const off = await startService({ ...service.shared });
    const { account } = await createAccount(off.domain);
    const push = await off.domain.pushes.create(
      { payload, recipients: ['bob@example.com', 'a@b@c'] },
      { account, client: someClient },
    );
    expect(push.recipients.map(({ name, mail }) => [name, mail])).to.have.deep.members([
      ['bob@example.com', undefined],
      ['a@b@c', undefined],
    ]);
    const [written] = await off.database.select('SELECT 1 FROM notices WHERE push_id = $id', {
      id: Buffer.from(push.id, 'hex'),
    });
    expect(written).to.equal(undefined);
    await off.stop();
  });

  it('is refused where links may not be mailed, and after too many mails', async () => {
    const limited = await startService({
      ...service.mailSettings,
      MAIL_ALLOWED_DOMAINS: 'example.com, bücher.example',
      RATE_LIMITS: 'on',
      LIMIT_MAIL_BY_ADDRESS: '2/1h',
      LIMIT_MAIL_BY_ACCOUNT: '4/1d',
    });
    const { domain } = limited;
    const { account } = await createAccount(domain);
    const to = (...recipients: string[]) =>
      domain.pushes.create({ payload, recipients }, { account, client: someClient });
    expect(await refusal(to('bob@elsewhere.example'))).to.equal(
      'invalid: recipients.0 must be an address at example.com or xn--bcher-kva.example: whoever runs this server allows no others',
    );
    await to('bob@example.com');
    await to('BOB@example.com');
    expect(await refusal(to('bob@example.com'))).to.match(
      /^invalid: recipients must not have bob@example\.com, which got many mails/,
    );
    const push = await to('eve@bücher.example');
    expect(await refusal(to('carol@example.com'))).to.match(/^too_many/);
    const urlToken = push.recipients[0]?.urlToken ?? '';
    await domain.pushes.sendCode(urlToken, { locale: 'en' });
    await domain.pushes.sendCode(urlToken, { locale: 'en' });
    expect(await refusal(domain.pushes.sendCode(urlToken, { locale: 'en' }))).to.match(/^too_many/);
    const narrowed = await startService({
      ...{ ...limited.shared, ...service.mailSettings, MAIL_ALLOWED_DOMAINS: 'example.com' },
    });
    const { pushes } = narrowed.domain;
    expect(await refusal(pushes.sendAgain(account, push.id, 'eve@bücher.example'))).to.match(
      /^invalid: recipients must be an address at example\.com/,
    );
    await pushes.withdrawRecipient(account, push.id, 'Eve@bücher.example');
    await narrowed.stop();
    await limited.stop();
  });
});

import { expect } from 'chai';
import { openViewCopy } from '../../src/crypto/cipher.ts';
import {
  type ApiResponse,
  asForm,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
  expirePushIn,
  type Fields,
  times,
} from '../harness/api.ts';
import { chatCaller, countRows, deliverNotices, newChatUser, summarize } from '../harness/chat.ts';
import { cleanUpAfterEach } from '../harness/cleanUp.ts';
import { createForms, type HtmlForm, parseForm, payloadShown, sameOrigin, wordOf } from '../harness/forms.ts';
import { anonymous, byPassword, createAccount, startService, type TestService } from '../harness/service.ts';

const tenMinutesMs = 600_000;

describe('Opening a secret on its page', () => {
  const cleanUp = cleanUpAfterEach();
  let service: TestService;
  let api: Client;
  let ann: { authorization: string };
  let forms: ReturnType<typeof createForms>;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
    forms = createForms(service.domain, api);
    ann = bearer((await createAccount(service.domain, 'ann@example.com')).token);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  const create = (fields: Fields = {}) => api.create({ expire_after_views: 2, ...fields }, ann);

  const viewsOf = async ({ token }: CreatedPush) =>
    (await service.domain.pushes.preview(token, anonymous)).viewsUsed;

  function expectFormAgain(answer: ApiResponse, status: number, words: RegExp): void {
    expect(answer.status).to.equal(status);
    expect(answer.text)
      .to.match(words)
      .and.to.match(/name="nonce"/)
      .and.not.include('tulip');
  }

  it('opens a secret to a form that its page issued, after its button was held', async () => {
    const { page } = await create();
    expect(payloadShown(await forms.submit(page, await forms.loadForm(page)))).to.equal('tulip');
  });

  it('says at once that only recipients can open a secret, and opens it to each of them', async () => {
    const { page, push } = await api.create({ recipients: ['Bob'] }, ann);
    const refused = await api.get(page);
    expect(refused.status).to.equal(403);
    expect(refused.text)
      .to.include('opens only through the links of its recipients')
      .and.not.include('name="nonce"');
    const [bob] = push.recipients as [{ html_url: string }];
    const { pathname } = new URL(bob.html_url);
    expect(payloadShown(await forms.submit(pathname, await forms.loadForm(pathname)))).to.equal('tulip');
  });

  for (const [how, write] of [
    ['in capitals', (word: string) => word.toUpperCase()],
    ['with spaces around it', (word: string) => ` ${word} `],
    ['with its quotation marks', (word: string) => `“${word}”`],
  ] as const) {
    it(`opens a secret to its word however people type it: ${how}`, async () => {
      const { page } = await create();
      const form = await forms.loadForm(page);
      expect(payloadShown(await forms.submit(page, form, { word: write(wordOf(form)) }))).to.equal('tulip');
    });
  }

  it('draws another word for each page, which stands in its label alone', async () => {
    const { page } = await create();
    const words = await times(30, async () => {
      const { text } = await api.get(page);
      const [, word = ''] = /Type the word “<span[^>]*>(\w+)</.exec(text) ?? [];
      expect(text.match(/="[^"]*"/g)?.filter((attribute) => attribute.includes(word))).to.deep.equal([]);
      return word;
    });
    expect(new Set(words).size).to.be.above(10);
    const form = await forms.loadForm(page);
    const other = words.find((word) => word !== wordOf(form));
    expectFormAgain(await forms.submit(page, form, { word: String(other) }), 422, /type the word/);
  });

  it('takes forms that machines fill in on the page of a passphrase for no attempts, and locks nobody out', async () => {
    const limited = await startService({
      ...service.shared,
      RATE_LIMITS: 'on',
      LIMIT_PASSPHRASE_BY_CLIENT: '3/10m',
      LIMIT_PASSPHRASE_BY_PUSH: '3/10m',
    });
    const client = createClient(limited.port);
    const pages = createForms(limited.domain, client);
    try {
      const sender = newChatUser(); // who would be notified
      const secret = { payload: 'tulip', passphrase: 'daffodil' };
      const { urlToken } = await limited.domain.chat.pushes.create(chatCaller(sender), secret);
      const page = `/p/${urlToken}`;
      const attempts = () => countRows(limited, 'audit_rows', `kind = 'failed_passphrase'`);
      const before = await attempts();
      for (const word of ['', 'test', 'daffodil', 'on', 'test@example.com', 'open']) {
        const form = await pages.loadForm(page);
        const answer = await pages.submit(page, form, { passphrase: 'test', word });
        expectFormAgain(answer, 422, /type the word/);
      }
      expect(await attempts()).to.equal(before);
      expect(await deliverNotices(limited.domain, [sender])).to.be.empty;
      await pages.reveal({ page }, { passphrase: 'test' });
      expect(await attempts()).to.equal(before + 1);
      expect(await deliverNotices(limited.domain, [sender])).to.have.length(1);
      expect(payloadShown(await pages.reveal({ page }, { passphrase: 'daffodil' }))).to.equal('tulip');
    } finally {
      client.close();
      await limited.stop();
    }
  });

  it('records how each view was opened', async () => {
    const { page, token, json } = await create({ expire_after_views: 5 });
    await forms.reveal({ page });
    const form = await forms.loadForm(page);
    await forms.submit(page, form, { word: wordOf(form) });
    await api.get(json);
    const locked = await create({ passphrase: 'daffodil' });
    await forms.reveal(locked, { passphrase: 'daffodil' });
    const direct = await create({ retrieval_step: false });
    await api.get(direct.page);
    const openedBy = async (token: string) => {
      const { body } = await api.get(`/p/${token}/audit.json`, ann);
      return (body.views as Fields[]).flatMap(({ kind, opened_by }) => (kind === 'view' ? [opened_by] : []));
    };
    expect(await openedBy(token)).to.deep.equal(['hold', 'word', 'api']);
    expect(await openedBy(locked.token)).to.deep.equal(['passphrase']);
    expect(await openedBy(direct.token)).to.deep.equal(['link']);
  });

  for (const word of ['', 'test', 'open', 'yes', 'on', '1']) {
    it(`opens no secret to any other word: “${word}”`, async () => {
      const created = await create();
      const { page } = created;
      expectFormAgain(await forms.submit(page, await forms.loadForm(page), { word }), 422, /type the word/);
      expect(await viewsOf(created)).to.equal(0);
    });
  }

  it('opens no secret to a form that is submitted faster than a person can', async () => {
    const created = await create();
    const { page } = created;
    const form = await forms.loadForm(page);
    expectFormAgain(
      await forms.submit(page, forms.ageForm(400, await loadFreshForm(page), page)),
      403,
      /too quick/,
    );
    expect((await forms.submit(page, form)).status).to.equal(200);
    expect(await viewsOf(created)).to.equal(1);
  });

  it('opens no secret to a form older than ten minutes', async () => {
    const created = await create();
    const { page } = created;
    const form = await loadFreshForm(page);
    const old = forms.ageForm(tenMinutesMs + 1_000, form, page);
    expectFormAgain(await forms.submit(page, old), 409, /open for a while/);
    expect(await viewsOf(created)).to.equal(0);
    expect((await forms.submit(page, forms.ageForm(tenMinutesMs - 5_000, form, page))).status).to.equal(200);
  });

  it('opens no secret to a form of another push or browser, or to a forged one', async () => {
    const [one, other] = [await create(), await create()];
    const [form, foreign] = [await forms.loadForm(one.page), await forms.loadForm(one.page)];
    const otherForm = await forms.loadForm(other.page);
    const nonce = String(form.fields.nonce);
    const tries = [
      { headers: {}, fields: form.fields },
      { headers: foreign.headers, fields: form.fields },
      { headers: otherForm.headers, fields: otherForm.fields },
      { headers: form.headers, fields: {} },
      { headers: form.headers, fields: { nonce: '' } },
      { headers: form.headers, fields: { nonce: nonce.replace(/^\d+/, (at) => String(Number(at) - 1)) } },
      { headers: form.headers, fields: { nonce: `${nonce}x` } },
      { headers: form.headers, fields: { nonce: 'x'.repeat(60_000) } },
    ];
    for (const attempt of tries) {
      expectFormAgain(await forms.submit(one.page, attempt), 403, /try once more/);
    }
    expect(await viewsOf(one)).to.equal(0);
    expect((await forms.submit(one.page, form)).status).to.equal(200);
  });

  it('opens either of two secrets whose pages are open in one browser', async () => {
    const [one, other] = [await create(), await create()];
    const first = await forms.loadForm(one.page);
    const second = await forms.loadForm(other.page, first.headers);
    const both = { cookie: second.headers.cookie ?? '' };
    expect((await forms.submit(one.page, { ...first, headers: both })).status).to.equal(200);
    expect((await forms.submit(other.page, { ...second, headers: both })).status).to.equal(200);
  });

  it('opens a secret to a person inside an app that also renders previews', async () => {
    const { page } = await create();
    const answer = await forms.reveal(
      { page },
      {},
      { ...sameOrigin, 'user-agent': 'Mozilla/5.0 Snapchat/12' },
    );
    expect(payloadShown(answer)).to.equal('tulip');
  });

  it('binds a form to its browser by a cookie that scripts and other sites cannot use, for ten minutes', async () => {
    const { headers } = await api.get((await create()).page);
    expect(String(headers['set-cookie'])).to.match(
      /^hushpush-reveal-[0-9a-f]{8}=[\w-]{22}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=600$/,
    );
  });

  describe('A repeated form', () => {
    it('spends one view on a double click and shows the secret for each click', async () => {
      const created = await create({ expire_after_views: 5 });
      const { page } = created;
      const form = await forms.loadForm(page);
      const answers = await times(8, () => forms.submit(page, form));
      expect(answers.map(payloadShown)).to.deep.equal(Array(8).fill('tulip'));
      expect(await viewsOf(created)).to.equal(1);
      expect(payloadShown(await forms.submit(page, form))).to.equal('tulip');
      expect(await viewsOf(created)).to.equal(1);
    });

    it('shows a one-view secret again to a repeat of the same click', async () => {
      const { page } = await create({ expire_after_views: 1 });
      const form = await forms.loadForm(page);
      expect(payloadShown(await forms.submit(page, form))).to.equal('tulip');
      expect(payloadShown(await forms.submit(page, form))).to.equal('tulip');
      expect((await forms.submit(page, { ...form, headers: {} })).text).to.not.include('tulip');
    });

    it('shows the same view to another page of the same browser that was open before, passphrase or not', async () => {
      for (const fields of [{ expire_after_views: 3 }, { expire_after_views: 1, passphrase: 'daffodil' }]) {
        const created = await create(fields);
        const { page } = created;
        const first = await forms.loadForm(page);
        const second = await forms.loadForm(page, first.headers);
        const { passphrase } = fields as { passphrase?: string };
        const answer = await forms.submit(page, first, passphrase === undefined ? {} : { passphrase });
        const { headers } = parseForm(answer, second.headers.cookie);
        expect(payloadShown(await forms.submit(page, { ...second, headers }))).to.equal('tulip');
        expect(await viewsOf(created)).to.equal(1);
        await service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
        const late = await forms.submit(page, { ...second, headers });
        if (passphrase !== undefined) {
          expect(late.text).to.include('You have seen this secret');
          continue;
        }
        expect(late.text).to.include('Opening it again uses up another.');
        expect(await viewsOf(created)).to.equal(1);
        const again = forms.ageForm(1_000, parseForm(late), page); // with its new cookie
        expect(payloadShown(await forms.submit(page, again))).to.equal('tulip');
        expect(await viewsOf(created)).to.equal(2);
      }
    });

    it('shows the same view for a minute on any process, counts it once, and then explains', async () => {
      const sibling = await startService(service.shared);
      cleanUp(sibling.stop);
      const elsewhere = createClient(sibling.port);
      cleanUp(elsewhere.close);
      const repeat = (page: string, form: HtmlForm) =>
        createForms(service.domain, elsewhere).submit(page, form);
      for (const fields of [
        { expire_after_views: 3 },
        { expire_after_views: 1 },
        { expire_after_views: 1, passphrase: 'daffodil' },
      ]) {
        const created = await create(fields);
        const { page, token } = created;
        const form = await forms.loadForm(page);
        if (fields.passphrase !== undefined) form.fields.passphrase = fields.passphrase;
        expect(payloadShown(await forms.submit(page, form))).to.equal('tulip');
        expect(payloadShown(await repeat(page, form))).to.equal('tulip');
        expect((await repeat(page, { ...form, headers: {} })).text).to.not.include('tulip');
        const forged = {
          ...form,
          headers: {
            cookie: (form.headers.cookie ?? '').replace(/(reveal-\w+=)[^;]*/, '$1AAAAAAAAAAAAAAAAAAAAAA'),
          },
        };
        expect((await repeat(page, forged)).text).to.not.include('tulip');
        expect(await viewsOf(created)).to.equal(1);
        await service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
        const late = await repeat(page, form);
        expect(late.status).to.equal(409);
        expect(late.text).to.not.include('tulip');
        await service.domain.pushes.eraseViews();
        expect(await service.database.select('SELECT id FROM spent_nonces WHERE view IS NOT NULL', {})).to.be
          .empty;
        expect(token).to.have.length(26);
      }
    });

    it('shows no copy of a deleted push, or of one whose time is over', async () => {
      const [deleted, over] = [
        await create({ expire_after_views: 3 }),
        await create({ expire_after_views: 3 }),
      ];
      const [first, second] = [await forms.loadForm(deleted.page), await forms.loadForm(over.page)];
      await forms.submit(deleted.page, first);
      await forms.submit(over.page, second);
      await service.domain.pushes.expire(deleted.token, anonymous);
      await service.database.execute('UPDATE pushes SET expires_at = 1 WHERE expired_on IS NULL', {});
      expect((await forms.submit(deleted.page, first)).text).to.not.include('tulip');
      expect((await forms.submit(over.page, second)).text).to.not.include('tulip');
    });

    it('keeps a copy that neither the database nor the master keys open', async () => {
      const { page, token } = await create({ expire_after_views: 1 });
      const form = await forms.loadForm(page);
      await forms.submit(page, form);
      const [row] = await service.database.select<{ id: Buffer; view: Buffer }>(
        'SELECT id, view FROM spent_nonces WHERE view IS NOT NULL ORDER BY view_expires_at DESC LIMIT 1',
        {},
      );
      if (row === undefined) throw new Error('there is no copy');
      const [, holder = ''] = /reveal-\w+=([^;]*)/.exec(form.headers.cookie ?? '') ?? [];
      const nonce = String(form.fields.nonce);
      const opens = (secret: string | undefined) => {
        try {
          return openViewCopy(service.keyring, row.view, { id: row.id, secret });
        } catch {
          return 'it did not open';
        }
      };
      for (const secret of [undefined, '', token, nonce, row.id.toString('hex')])
        expect(opens(secret)).to.equal('it did not open');
      expect(opens(`${token}.${holder}`)).to.include('tulip');
    });

    it('purges spent nonces once they have expired', async () => {
      const { page } = await create();
      await forms.reveal({ page });
      const { database, domain } = service;
      await database.execute('UPDATE spent_nonces SET expires_at = 1', {});
      await domain.pushes.purgeNonces();
      expect(await database.select('SELECT id FROM spent_nonces', {})).to.be.empty;
    });
  });

  describe('The delete button of a revealed secret', () => {
    const shown = async (fields: Fields = {}) => {
      const created = await create(fields);
      const form = await forms.loadForm(created.page);
      const answer = await forms.submit(created.page, form);
      return { ...created, answer, form: parseForm(answer, form.headers.cookie) };
    };

    it('erases the secret when its viewer deletes it', async () => {
      const { page, form } = await shown();
      const { status, text } = await forms.submit(`${page}/delete`, form);
      expect(status).to.equal(200);
      expect(text).to.include('The secret is deleted');
      expect((await api.get(page)).status).to.equal(404);
    });

    it('offers no delete button where viewers may not delete, and refuses its form', async () => {
      const { page, answer } = await shown({ deletable_by_viewer: false });
      expect(answer.text).to.not.include('/delete');
      const { form } = await shown();
      expect((await forms.submit(`${page}/delete`, form)).status).to.equal(401);
      expect((await api.get(page)).status).to.equal(200);
    });

    it('offers no delete button after the last view', async () => {
      expect((await shown({ expire_after_views: 1 })).answer.text).to.not.include('/delete');
    });

    it('refuses a delete form from another site, without its token, or with the token of another browser', async () => {
      const { page, form } = await shown();
      const other = await shown();
      const tries = [
        forms.submit(`${page}/delete`, form, {}, { 'sec-fetch-site': 'cross-site' }),
        forms.submit(`${page}/delete`, form, {}, { origin: 'http://evil.test' }),
        forms.submit(`${page}/delete`, { ...form, fields: {} }),
        forms.submit(`${page}/delete`, { headers: {}, fields: form.fields }),
        forms.submit(`${page}/delete`, { headers: form.headers, fields: other.form.fields }),
        api.send('POST', `${page}/delete`, { headers: { ...asForm, ...sameOrigin }, body: '' }),
      ];
      for (const answer of await Promise.all(tries)) expect(answer.status).to.equal(403);
      expect((await api.get(page)).status).to.equal(200);
    });

    it('answers a delete form for an unknown link like any other unknown link', async () => {
      const { form } = await shown();
      const { status, text } = await forms.submit(`/p/${'0'.repeat(26)}/delete`, form);
      expect(status).to.equal(404);
      expect(text).to.include('This secret is not available');
    });
  });

  describe('The page of an expired secret', () => {
    const unknownPage = async () => (await api.get(`/p/${'0'.repeat(26)}`)).text;
    const withoutNonces = (text: string) => text.replaceAll(/nonce="[^"]*"/g, '');

    /** An expired push of a chat user, who allows requests for a new link. */
    async function createExpired(input: object = {}) {
      const { chat, pushes } = service.domain;
      const me = chatCaller();
      const push = await chat.pushes.create(me, { payload: 'tulip', expireAfterViews: 1, ...input });
      const account = await chat.identities.accountOf(me.chatUser);
      await pushes.expire(push.urlToken, { ...anonymous, account });
      await deliverNotices(service.domain);
      return { ...push, page: `/p/${push.urlToken}`, account, ...me };
    }
    const ask = async (page: string, form?: HtmlForm) => {
      const { headers, fields } = form ?? parseForm(await api.get(page));
      const body = String(new URLSearchParams(fields));
      return api.send('POST', `${page}/ask`, { headers: { ...asForm, ...headers, ...sameOrigin }, body });
    };

    it('lets a late visitor ask the sender for a new link, and notifies the sender once', async () => {
      const { page, chatUser } = await createExpired();
      const gone = await api.get(page);
      expect(gone.status).to.equal(404);
      expect(gone.text).to.include('Ask the sender for a new one');
      const first = await ask(page);
      expect(first.status).to.equal(200);
      expect(first.text).to.include('The sender has been told');
      expect(summarize(await deliverNotices(service.domain))).to.deep.equal([
        `${chatUser.address} asked_again`,
      ]);
      const again = await ask(page);
      expect(withoutNonces(again.text)).to.equal(withoutNonces(first.text));
      expect(await deliverNotices(service.domain)).to.be.empty;
    });

    it('notifies nobody when the page of an expired secret is only requested, by any method', async () => {
      const { page } = await createExpired();
      for (const method of ['GET', 'HEAD', 'OPTIONS']) {
        await api.send(method, page);
        await api.send(method, `${page}/ask`);
      }
      expect((await api.get(`${page}/ask`)).status).to.equal(405);
      expect(await deliverNotices(service.domain)).to.be.empty;
    });

    it('refuses a request for a new link from another site or browser', async () => {
      const { page } = await createExpired();
      const { headers, fields } = parseForm(await api.get(page));
      const send = (more: Record<string, string>, values: Record<string, string> = fields) =>
        api.send('POST', `${page}/ask`, {
          headers: { ...asForm, ...more },
          body: String(new URLSearchParams(values)),
        });
      expect((await send({ ...headers, 'sec-fetch-site': 'cross-site' })).status).to.equal(403);
      expect((await send(sameOrigin)).status).to.equal(403);
      expect((await send({ ...headers, ...sameOrigin }, {})).status).to.equal(403);
      expect(await deliverNotices(service.domain)).to.be.empty;
    });

    it('serves the same bytes for an expired and an unknown link, unless the sender allows requests for a new one', async () => {
      const unknown = withoutNonces(await unknownPage());
      const { page: withoutRequests } = await createExpired({ notify: { askedAgain: false } });
      const anonymous = await api.create({ deletable_by_viewer: true });
      await api.send('DELETE', anonymous.json);
      const usual = await create({ expire_after_views: 1 });
      await api.get(usual.json, ann);
      const noted = await api.create({ expire_after_views: 1, notify: { asked_again: true } }, ann);
      await api.get(noted.json);
      for (const path of [withoutRequests, anonymous.page, usual.page, noted.page]) {
        const { status, text, headers } = await api.get(path);
        expect(status, path).to.equal(404);
        expect(withoutNonces(text), path).to.equal(unknown);
        expect(headers['set-cookie'], path).to.equal(undefined);
        const form = parseForm(await api.get((await createExpired()).page));
        const asked = await ask(path, form);
        expect(asked.status, path).to.equal(404);
        expect(withoutNonces(asked.text).replaceAll(/<nav[\s\S]*?<\/nav>/g, ''), path).to.equal(
          unknown.replaceAll(/<nav[\s\S]*?<\/nav>/g, ''),
        );
      }
      expect(await deliverNotices(service.domain)).to.be.empty;
    });

    it('offers no request for a new link to link previewers, nor while the secret is active', async () => {
      const { page } = await createExpired();
      const seen = await api.get(page, { 'user-agent': 'Slackbot-LinkExpanding 1.0' });
      expect(withoutNonces(seen.text)).to.equal(withoutNonces(await unknownPage()));
      const live = await service.domain.chat.pushes.create(chatCaller(), { payload: 'tulip' });
      const form = parseForm(await api.get(page));
      expect((await ask(`/p/${live.urlToken}`, form)).status).to.equal(404);
      expect(await deliverNotices(service.domain)).to.be.empty;
    });

    it('does not change the JSON of an expired push when a new link is requested', async () => {
      const { page } = await createExpired();
      const before = (await api.get(`${page}.json`)).body;
      await ask(page);
      const { status, body } = await api.get(`${page}.json`);
      expect(status).to.equal(200);
      expect(body).to.deep.equal(before);
    });

    it('shows a request for a new link in the audit log and on the owner’s page', async () => {
      const { page, account, urlToken } = await createExpired();
      await ask(page);
      const token = await service.domain.apiTokens.issue(account, { name: 'test' });
      const { body } = await api.get(`${page}/audit.json`, bearer(token));
      expect((body.views as Fields[]).map(({ kind }) => kind)).to.include('asked_again');
      const session = await service.domain.sessions.create(account, anonymous.client, byPassword);
      const { text } = await api.get(`/pushes/${urlToken}`, { cookie: `hushpush-session=${session}` });
      expect(text).to.include('Asked for again, after its end');
    });
  });

  describe('A revealed secret', () => {
    it('shows how many views and how much time are left', async () => {
      const { page, token } = await create({ expire_after_views: 3 });
      const first = await forms.reveal({ page });
      expect(first.text).to.include('It can be opened 2 more times.').and.include('It is erased in 7 days<');
      await expirePushIn(service, token, 90 * 60_000);
      const second = await forms.reveal({ page });
      expect(second.text)
        .to.include('It can be opened once more.')
        .and.include('It is erased in 90 minutes<');
    });

    it('keeps the exact payload beside the text that HTML changes', async () => {
      const payload = 'a\r\nb\0c\rd';
      const { text } = await forms.reveal(await create({ payload }));
      const kept = /<pre hidden data-exact="secret">([^<]*)</.exec(text)?.[1] ?? '';
      expect(JSON.parse(kept.replaceAll('&quot;', '"'))).to.equal(payload);
    });

    it('shows a QR push as a code and as text', async () => {
      const { text } = await forms.reveal(await create({ kind: 'qr', payload: 'WIFI:S:hush;;' }));
      expect(text).to.match(/<svg class="qr-code"[^>]*aria-label="QR code of the secret"/);
      expect(text).to.include('WIFI:S:hush;;');
    });

    it('shows a QR push as text alone if it is too long for a code', async () => {
      const payload = '😀'.repeat(1_000);
      const answer = await forms.reveal(await create({ kind: 'qr', payload }));
      expect(answer.text).to.include('too long for a QR code').and.not.include('class="qr-code"');
      expect(payloadShown(answer)).to.equal(payload);
    });
  });

  describe('The link preview', () => {
    const cardOf = ({ text }: ApiResponse) =>
      (text.match(/<meta (?:property="og|name="(?:twitter|description))[^>]*>/g) ?? []).join();

    it('gives every link the same preview tags, even an unknown one', async () => {
      const pages = [
        (await create({ name: 'rose' })).page,
        (await create({ kind: 'url', payload: 'https://example.com' })).page,
        (await create({ passphrase: 'p' })).page,
        `/p/${'0'.repeat(26)}`,
      ];
      const cards = await times(pages.length, async (i) => cardOf(await api.get(String(pages[i]))));
      expect(new Set(cards)).to.have.lengthOf(1);
      expect(cards[0]).to.include('og:title').and.include('og:image').and.not.include('og:url');
    });

    it('has a preview image at an absolute URL', async () => {
      const { text } = await api.get((await create()).page);
      const address = /og:image" content="([^"]*)"/.exec(text)?.[1] ?? '';
      expect(address).to.match(/^http:\/\/push\.test\/assets\/share\.png/);
      const { status, headers } = await api.get(new URL(address).pathname);
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('image/png');
      expect(Number(headers['content-length'])).to.be.within(5_000, 150_000);
    });

    it('puts the preview tags within the first 2,000 characters, as some programs read only 32 KiB', async () => {
      const { text } = await api.get((await create()).page);
      expect(text.indexOf('og:image:height')).to.be.within(1, 2_000);
    });
  });

  describe('The language of a page', () => {
    const languageOf = async (query: string, header?: string) => {
      const { page } = await create();
      const { text } = await api.get(
        `${page}${query}`,
        header === undefined ? {} : { 'accept-language': header },
      );
      return /<html lang="(\w+)"/.exec(text)?.[1];
    };

    for (const [query, header, language] of [
      ['', undefined, 'en'],
      ['', 'de', 'de'],
      ['', 'de-AT,de;q=0.9,en;q=0.8', 'de'],
      ['', 'fr,de;q=0.5', 'de'],
      ['', 'fr', 'en'],
      ['', '*', 'en'],
      ['', ';;;q=x', 'en'],
      ['?locale=de', 'en', 'de'],
      ['?locale=en', 'de', 'en'],
      ['?locale=xx', 'de', 'de'],
      ['?locale=constructor', 'de', 'de'],
      ['?locale=en&locale=de', 'en', 'de'],
    ] as const) {
      it(`shows ${language} for ${query || 'no query'} and Accept-Language ${header ?? 'unset'}`, async () => {
        expect(await languageOf(query, header)).to.equal(language);
      });
    }

    it('shows the secret in the language of the page’s address', async () => {
      const { page } = await create();
      const form = await forms.loadForm(page);
      const { text } = await forms.submit(`${page}?locale=de`, form, { word: wordOf(form, 'de') });
      expect(text).to.include('Ein Geheimnis für dich').and.include('tulip');
    });
  });

  describe('A service below a path', () => {
    let nested: TestService;
    let client: Client;

    before(async () => {
      nested = await startService({ BASE_URL: 'http://push.test/hush' });
      client = createClient(nested.port);
    });
    after(async () => {
      client.close();
      await nested.stop();
    });

    it('serves pages with and without the path of BASE_URL, and links with it', async () => {
      const { push, page } = await client.create();
      expect(push.html_url).to.equal(`http://push.test/hush${page}`);
      for (const path of [page, `/hush${page}`]) {
        const { status, text } = await client.get(path);
        expect(status).to.equal(200);
        const loaded = text.match(/(?:href|src|action)="[^"]*"/g) ?? [];
        expect(loaded.filter((link) => !/="(?:\/hush\/|\?|#)/.test(link))).to.deep.equal([]);
        expect(text).to.include('content="http://push.test/hush/assets/share.png');
      }
      expect((await client.get('/hush/assets/icon.svg')).status).to.equal(200);
      expect((await client.get(`/hush${page}.json`)).body.payload).to.equal('tulip');
      expect((await client.get('/hushed')).status).to.equal(404);
    });

    it('opens a secret below the path of BASE_URL', async () => {
      const { page } = await client.create();
      const nestedForms = createForms(nested.domain, client);
      const form = await nestedForms.loadForm(page);
      expect(payloadShown(await nestedForms.submit(`/hush${page}`, form))).to.equal('tulip');
    });
  });

  async function loadFreshForm(page: string) {
    return parseForm(await api.get(page));
  }
});

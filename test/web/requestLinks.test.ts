import { expect } from 'chai';
import { encryptPush } from '../../src/client/encryptedPush.ts';
import { createOpeningKey, sealKey } from '../../src/client/sealing.js';
import type { Account, RequestLink } from '../../src/domain/index.ts';
import { en } from '../../src/locales/en.ts';
import { confirmWord } from '../../src/web/confirmation.ts';
import { type ApiResponse, asForm, asJson, asMultipart, type Client, createClient } from '../harness/api.ts';
import { countRows, deliverNotices } from '../harness/chat.ts';
import { type FormPart, multipartForm, storedFiles } from '../harness/files.ts';
import { createForms, type HtmlForm, parseForm, sameOrigin, unescapeHtml } from '../harness/forms.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';

const textOf = ({ text }: ApiResponse) =>
  unescapeHtml(
    text.replaceAll(/<(script|style)[^>]*>.*?<\/\1>/gs, '').replaceAll(/<[^>]*>/g, ' '),
  ).replaceAll(/\s+/g, ' ');

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</textarea><svg onload=alert(1)>',
  'javascript:alert(1)',
  '\u202Egnp.exe',
];

describe('The page of a request link', () => {
  let service: TestService;
  let api: Client;
  let ann: Account;
  let cookie: string;

  before(async () => {
    service = await startService({ MAX_FILE_MIB: '1', MAX_UPLOAD_MIB: '2' });
    api = createClient(service.port);
    ({ account: ann } = await createAccount(service.domain, 'ann@example.com', { subscribed: true }));
    cookie = `hushpush-session=${await service.domain.sessions.create({ id: ann.id }, someClient, byPassword)}`;
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  const links = () => service.domain.requestLinks;
  const create = (input: object = {}) =>
    links().create({ account: ann, client: someClient }, { title: 'the VPN', ...input });
  const pathOf = ({ urlToken }: RequestLink) => `/a/${urlToken}`;
  const answersTo = ({ id }: RequestLink) => links().listAnswers({ account: ann }, id);

  async function load(link: RequestLink): Promise<HtmlForm> {
    return parseForm(await api.get(pathOf(link)));
  }

  function send(
    link: RequestLink,
    form: HtmlForm,
    values: Record<string, string> = {},
    { files = [], headers = sameOrigin }: { files?: FormPart[]; headers?: Record<string, string> } = {},
  ): Promise<ApiResponse> {
    const fields = Object.entries({ ...form.fields, payload: 'tulip', held: 'yes', ...values });
    const parts = [...fields.map(([name, content]) => ({ name, content })), ...files];
    return api.send('POST', pathOf(link), {
      headers: { ...asMultipart, ...form.headers, ...headers },
      body: multipartForm(parts),
    });
  }

  const follow = (answer: ApiResponse, form: HtmlForm) =>
    api.get(String(answer.headers.location), parseForm(answer, form.headers.cookie).headers);

  it('says who asks, for what, until when, and that the server encrypts, before anything is typed', async () => {
    const link = await create({ note: 'of the office' });
    const page = await api.get(pathOf(link));
    expect(page.status).to.equal(200);
    const text = textOf(page);
    for (const part of ['ann@example.com', 'the VPN', 'of the office', 'is confirmed on this server'])
      expect(text).to.include(part);
    const told = text.indexOf('Whoever runs the server could read it');
    expect(told).to.be.above(0).and.below(text.indexOf('Your secret'));
    expect(page.headers['content-security-policy']).to.include("frame-ancestors 'none'");
    expect(page.headers['cache-control']).to.include('no-store');
    expect(page.text).to.not.match(/og:title" content="[^"]*VPN/);
  });

  it('sends a text once its button was held, and shows a receipt and nothing else', async () => {
    const link = await create();
    const form = await load(link);
    const answer = await send(link, form);
    expect(answer.status).to.equal(303);
    const page = await follow(answer, form);
    const [listed] = await answersTo(link);
    expect(textOf(page)).to.include(String(listed?.receipt));
    for (const secret of ['tulip', String(listed?.urlToken), String(link.urlToken)])
      expect(page.text + JSON.stringify(answer.headers)).to.not.include(secret);
    expect((await api.get(String(answer.headers.location))).status).to.equal(404);
    const opened = await service.domain.pushes.reveal(String(listed?.urlToken), undefined, {
      account: null,
      client: someClient,
    });
    expect(opened.payload).to.equal('tulip');
  });

  it('sends it without scripts by a word, in a form without files', async () => {
    const link = await create({ accepts: 'text' });
    const { headers, fields } = await load(link);
    const word = confirmWord(en, fields.formId ?? '');
    const body = String(new URLSearchParams({ ...fields, payload: 'rose', word }));
    const sent = await api.send('POST', pathOf(link), {
      headers: { ...asForm, ...headers, ...sameOrigin },
      body,
    });
    expect(sent.status).to.equal(303);
    expect(await answersTo(link)).to.have.length(1);
  });

  it('sends nothing when a form was filled in and sent without holding, or with a wrong word', async () => {
    const link = await create();
    for (const values of [
      { held: '' },
      { held: 'no' },
      { held: '', word: 'wrong' },
      { held: '', formId: '' },
    ]) {
      const answer = await send(link, await load(link), values, {
        files: [{ name: 'files', filename: 'a.txt', content: 'a' }],
      });
      expect(answer.status).to.equal(422);
      expect(textOf(answer)).to.include('tulip').and.include('Nothing was sent');
    }
    expect(await answersTo(link)).to.be.empty;
    expect((await storedFiles(service)).rows).to.equal(0);
    expect(await deliverNotices(service.domain)).to.be.empty;
  });

  it('does nothing for what only follows links, looks at headers, or sends from elsewhere', async () => {
    const link = await create();
    for (const agent of ['Slackbot-LinkExpanding 1.0', 'curl/8', 'Mozilla/5.0 (compatible; bingbot/2.0)'])
      for (const method of ['GET', 'HEAD'])
        expect((await api.send(method, pathOf(link), { headers: { 'user-agent': agent } })).status).to.equal(
          200,
        );
    const form = await load(link);
    const elsewhere = await send(link, form, {}, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(elsewhere.status).to.equal(403);
    const withoutCookie = await send(link, { headers: {}, fields: form.fields });
    expect(withoutCookie.status).to.equal(403);
    expect(await answersTo(link)).to.be.empty;
  });

  it('takes a form once, and shows the same receipt when it is sent again', async () => {
    const link = await create({ answers: 3 });
    const form = await load(link);
    const [first, again] = [await send(link, form), await send(link, form)];
    expect(again.headers.location).to.equal(first.headers.location);
    expect(await answersTo(link)).to.have.length(1);
  });

  it('does not take a form for sent that says something else than it said before, and says which answer arrived', async () => {
    const link = await create();
    const form = await load(link);
    const files = [{ name: 'files', filename: 'a.txt', content: 'a' }];
    expect((await send(link, form, {}, { files })).status).to.equal(303);
    const [{ receipt } = { receipt: '' }] = await answersTo(link);
    const others = [
      send(link, form, { payload: 'another' }, { files }),
      send(link, form),
      send(link, form, {}, { files: [{ name: 'files', filename: 'a.txt', content: 'b' }] }),
    ];
    for (const other of await Promise.all(others)) {
      expect(other.status).to.equal(422);
      expect(textOf(other)).to.include('This one was not sent.').and.include(String(receipt));
    }
    expect((await send(link, form, {}, { files })).status).to.equal(303);
    expect(await answersTo(link)).to.have.length(1);
  });

  it('takes files, and says of those that are too large what their limit is', async () => {
    const link = await create({ filesBytesMax: 1_000 });
    const form = await load(link);
    const file = (bytes: number) => ({ name: 'files', filename: 'a.bin', content: Buffer.alloc(bytes) });
    const refused = await send(link, form, {}, { files: [file(1_001)] });
    expect(refused.status).to.equal(413);
    expect(textOf(refused)).to.include('Something is not right yet');
    const sent = await send(link, form, { payload: '' }, { files: [file(1_000)] });
    expect(sent.status).to.equal(303);
    expect((await answersTo(link))[0]).to.include({ isWaiting: true });
  });

  it('asks for its passphrase, and stores no file before it is right', async () => {
    const link = await create({ passphrase: 'hush' });
    const form = await load(link);
    const files = [{ name: 'files', filename: 'a.txt', content: 'a' }];
    const before = await countRows(service, 'files');
    for (const passphrase of ['', 'wrong']) {
      const refused = await send(link, form, { passphrase }, { files });
      expect(refused.status).to.equal(401);
      expect(textOf(refused)).to.include('That passphrase is incorrect').and.include('tulip');
    }
    expect(await countRows(service, 'files')).to.equal(before);
    expect((await send(link, form, { passphrase: 'hush' }, { files })).status).to.equal(303);
  });

  it('is the same, byte for byte, for a link that is used up, closed, over, of a disabled account, or unknown', async () => {
    const { account: ben } = await createAccount(service.domain);
    const ofBen = await links().create({ account: ben, client: someClient }, { title: 'x' });
    const [full, byHand, late] = [await create(), await create(), await create()];
    const forms = [await load(full), await load(byHand), await load(late), await load(ofBen)];
    await send(full, forms[0] as HtmlForm);
    await links().close(ann, byHand.id);
    const { database } = service;
    const { id: lateId } = late;
    await database.execute('UPDATE request_links SET expires_at = 1 WHERE id = $id', {
      id: Buffer.from(lateId, 'hex'),
    });
    await database.execute('UPDATE accounts SET disabled_at = 1 WHERE id = $id', { id: ben.id });
    const tokens = [full, byHand, late, ofBen].map(({ urlToken }) => urlToken ?? '');
    const unknown = '0123456789abcdefghjkmnpqrs';

    /** A response without what is new in each: ids, nonces, and the time. */
    const seen = ({ status, text, headers }: ApiResponse, token: string) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers;
      const policy = String(others['content-security-policy']);
      const [, nonce = 'no nonce'] = /'nonce-([^']+)'/.exec(policy) ?? [];
      const id = String(_id);
      return JSON.stringify({ status, text, others })
        .replaceAll(token, 'TOKEN')
        .replaceAll(id, 'ID')
        .replaceAll(nonce, 'NONCE');
    };
    const answering = JSON.stringify({ answer: { payload: 'tulip' } });
    const strangers: Record<string, (token: string, form?: HtmlForm) => Promise<ApiResponse>> = {
      'a page': (token) => api.get(`/a/${token}`),
      'the head of a page': (token) => api.send('HEAD', `/a/${token}`),
      'a form': (token) => {
        const { headers, fields } = forms[0] as HtmlForm;
        const body = String(
          new URLSearchParams({ ...fields, formId: 'A'.repeat(22), payload: 'x', held: 'yes' }),
        );
        return api.send('POST', `/a/${token}`, { headers: { ...asForm, ...headers, ...sameOrigin }, body });
      },
      'what it asks for': (token) => api.get(`/a/${token}.json`),
      'an answer': (token) => api.send('POST', `/a/${token}.json`, { headers: asJson, body: answering }),
      'an answer without anything': (token) =>
        api.send('POST', `/a/${token}.json`, { headers: asJson, body: '{}' }),
      'an answer that is no JSON': (token) =>
        api.send('POST', `/a/${token}.json`, { headers: asJson, body: '{' }),
      'an answer of another type': (token) =>
        api.send('POST', `/a/${token}.json`, { headers: { 'content-type': 'text/xml' }, body: '<a/>' }),
      'a sealed answer without an id': (token) =>
        api.post(`/a/${token}.json`, { answer: { payload: 'x', sealed_key: 'x' } }),
      'a form that is cut off': (token) => {
        const { headers } = forms[0] as HtmlForm;
        const all = { ...asMultipart, ...headers, ...sameOrigin };
        return api.send('POST', `/a/${token}`, { headers: all, body: multipartForm([]).subarray(4) });
      },
    };
    for (const [name, visit] of Object.entries(strangers)) {
      const expected = seen(await visit(unknown), unknown);
      expect(JSON.parse(expected).status, name).to.equal(404);
      for (const token of tokens) {
        const found = seen(await visit(token), token);
        const at = [...found].findIndex((letter, index) => letter !== expected[index]);
        expect(found === expected, `${name}: ${found.slice(at - 60, at + 100)}`).to.equal(true);
      }
    }
    const page = await api.get(`/a/${unknown}`);
    expect(textOf(page)).to.include('does not accept answers');
    expect(page.text).to.include('<meta property="og:title" content="This link does not accept answers"');
    expect(page.text).to.not.include(en.linkPreview.title);
    expect(textOf(await api.get('/a/short'))).to.include('does not accept answers');
  });

  it('is in no frame of another page, nor is anything else of request links', async () => {
    const link = await create();
    const form = await load(link);
    const sent = await follow(await send(link, form), form);
    const pages = [
      await api.get(pathOf(await create())),
      await api.get(pathOf(link)),
      sent,
      ...(await Promise.all(
        ['/requests', '/requests/links/new', `/requests/links/${link.id}`].map((path) =>
          api.get(path, { cookie }),
        ),
      )),
    ];
    for (const { headers } of pages) {
      expect(headers['content-security-policy']).to.include("frame-ancestors 'none'");
      expect(headers['x-frame-options']).to.equal('DENY');
    }
  });

  it('shows title, note and name of anybody as text, on every page', async () => {
    for (const text of hostile) {
      const link = await create({ title: text.slice(0, 100), note: text, allowName: true });
      const form = await load(link);
      const shown = await api.get(pathOf(link));
      const redrawn = await send(link, form, { name: text, payload: text, held: '' });
      await send(link, form, { name: text });
      const own = await api.get(`/requests/links/${link.id}`, { cookie });
      const list = await api.get('/requests', { cookie });
      for (const page of [shown, redrawn, own, list]) {
        expect(page.text).to.not.match(/<script>alert|<img src=x|<svg onload|href="javascript/);
        expect(textOf(page)).to.include(
          textOf({ text: text.replaceAll('<', '&lt;') } as ApiResponse)
            .trim()
            .slice(0, 8),
        );
      }
    }
  });

  describe('for the account that asks', () => {
    it('creates a link, shows it with its answers, and closes it', async () => {
      const forms = createForms(service.domain, api);
      expect(textOf(await api.get('/requests', { cookie }))).to.include('Request links');
      const form = await forms.loadForm('/requests/links/new', { cookie });
      const bad = await forms.submit('/requests/links/new', form, {
        title: '',
        expires: '1d',
        answers: '101',
      });
      expect(bad.status).to.equal(422);
      expect(textOf(bad)).to.include('between 1 and 100');
      const created = await forms.submit('/requests/links/new', form, {
        ...{ title: 'Door code', note: '', accepts: 'text', expires: '1d', answers: '2' },
        ...{ answersExpireAfterDays: '7', passphrase: '', allowName: 'on' },
      });
      expect(created.status).to.equal(303);
      const path = String(created.headers.location).replace(/\?.*/, '');
      const shown = await api.get(String(created.headers.location), { cookie });
      const [, token = ''] = /\/a\/(\w{26})/.exec(shown.text) ?? [];
      expect(textOf(shown))
        .to.include('Door code')
        .and.include('0 of 2 answers')
        .and.include('Nobody has answered');
      await using answer = await links().beginAnswer(token, someClient);
      const { receipt } = await answer.send({ formId: 'door', text: '4711', name: 'Bea' });
      const withAnswer = await api.get(path, { cookie });
      expect(textOf(withAnswer)).to.include(receipt).and.include('Bea').and.include('1 of 2 answers');
      expect(withAnswer.text).to.match(/href="[^"]*\/pushes\/\w{26}"/);
      const closing = await forms.loadForm(path, { cookie });
      expect((await forms.submit('/requests/links/close', closing)).status).to.equal(303);
      expect(textOf(await api.get(path, { cookie })))
        .to.include('Closed')
        .and.not.include(token);
      expect((await api.get(`/a/${token}`)).status).to.equal(404);
    });

    it('leads from the page of a sealed answer to the link that opens it, and from no other', async () => {
      const { publicKeys } = await createOpeningKey();
      const link = await create({ publicKeys, answers: 2 });
      const place = { token: link.urlToken ?? '', answerId: 'an-answer-of-the-tests' };
      const { push, key } = await encryptPush({ payload: 'tulip' });
      const sealedKey = await sealKey(key, publicKeys, place);
      for (const form of [
        { formId: place.answerId, text: push.payload ?? '', sealedKey },
        { formId: 'another-answer-of-tests', text: 'rose' },
      ]) {
        await using answer = await links().beginAnswer(place.token, someClient);
        await answer.send(form);
      }
      const ownEncrypted = await service.domain.pushes.create(
        { payload: push.payload ?? '', encrypted: true },
        { account: ann, client: someClient },
      );
      const [sealed, plain] = await answersTo(link);
      const pageOf = (token: unknown, headers = { cookie }) => api.get(`/pushes/${token}`, headers);
      const page = await pageOf(sealed?.urlToken);
      expect(textOf(page)).to.include('It is a sealed answer to a request link');
      expect(page.text)
        .to.include(`href="/requests/links/${link.id}"`)
        .and.not.include(`/p/${sealed?.urlToken}<`);
      for (const { urlToken } of [plain ?? ownEncrypted, ownEncrypted]) {
        const other = await pageOf(urlToken);
        expect(other.status).to.equal(200);
        expect(textOf(other)).to.not.include('sealed answer');
        expect(other.text).to.include(`/p/${urlToken}<`);
      }
      const { account: ben } = await createAccount(service.domain);
      const session = await service.domain.sessions.create({ id: ben.id }, someClient, byPassword);
      const strange = await pageOf(sealed?.urlToken, { cookie: `hushpush-session=${session}` });
      expect([strange.status, textOf(strange).includes('sealed')]).to.deep.equal([404, false]);
    });

    it('does not exist for others', async () => {
      const link = await create();
      const { account: ben } = await createAccount(service.domain);
      const session = await service.domain.sessions.create({ id: ben.id }, someClient, byPassword);
      const page = await api.get(`/requests/links/${link.id}`, { cookie: `hushpush-session=${session}` });
      expect(page.status).to.equal(404);
      expect((await api.get(`/requests/links/${link.id}`)).status).to.equal(303);
    });
  });
});

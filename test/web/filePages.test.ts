import { expect } from 'chai';
import type { Account } from '../../src/domain/index.ts';
import {
  type ApiResponse,
  asMultipart,
  bearer,
  type Client,
  createClient,
  expirePushIn,
} from '../harness/api.ts';
import { chatCaller, countRows, newChatUser } from '../harness/chat.ts';
import { downloadPath, type FormPart, multipartForm, noStoredFiles, storedFiles } from '../harness/files.ts';
import { createForms, type HtmlForm, sameOrigin, unescapeHtml } from '../harness/forms.ts';
import { byPassword, createAccount, someClient, startService, type TestService } from '../harness/service.ts';
import { until } from '../harness/until.ts';

const mebibyte = 1024 * 1024;

/** A file as the form sends it. */
function file(filename: string, content: number | string = 100): FormPart {
  const bytes = typeof content === 'number' ? Buffer.alloc(content, 'tulip') : content;
  return { name: 'files', filename, content: bytes };
}

const textOf = ({ text }: ApiResponse) =>
  unescapeHtml(text.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ');

describe('A form with files', () => {
  let service: TestService;
  let api: Client;
  let forms: ReturnType<typeof createForms>;
  let ann: Account;
  let cookie: string;
  let count = 0;

  before(async () => {
    service = await startService({ MAX_FILE_MIB: '1', MAX_UPLOAD_MIB: '2', MAX_FILES: '3' });
    api = createClient(service.port);
    forms = createForms(service.domain, api);
    ({ account: ann } = await createAccount(service.domain, 'ann@example.com', { subscribed: true }));
    cookie = await signedIn(ann);
  });

  beforeEach(async () => {
    for (const table of ['files', 'download_grants', 'audit_rows', 'pushes'])
      await service.database.execute(`DELETE FROM ${table}`, {});
    for await (const { name } of service.fileStore.list('')) await service.fileStore.remove(name);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  async function signedIn({ id }: Account): Promise<string> {
    return `hushpush-session=${await service.domain.sessions.create({ id }, someClient, byPassword)}`;
  }

  const fieldsOf = (values: Record<string, string>): FormPart[] =>
    Object.entries(values).map(([name, content]) => ({ name, content }));

  /** The initial values of the form, with files chosen. */
  const entered = { kind: 'file', payload: '', lifetime: '7d', views: '5' };

  function sendParts(
    page: string,
    { headers }: HtmlForm,
    parts: FormPart[],
    more = sameOrigin,
  ): Promise<ApiResponse> {
    return api.send('POST', page, {
      headers: { ...asMultipart, ...headers, ...more },
      body: multipartForm(parts),
    });
  }

  async function send(
    files: FormPart[],
    values: Record<string, string> = {},
    { page = '/', as = cookie } = {},
  ): Promise<ApiResponse> {
    const form = await forms.loadForm(page, { cookie: as });
    const { kind, payload, ...behind } = { ...entered, ...values };
    // in the order of a browser: the files come in the middle of the form
    const before = fieldsOf({ ...form.fields, kind, payload });
    return follow(await sendParts(page, form, [...before, ...files, ...fieldsOf(behind)]));
  }

  /** Loads the page that a form redirects to, with the cookies that it got. */
  async function follow(answer: ApiResponse): Promise<ApiResponse> {
    const { location, 'set-cookie': cookies = [] } = answer.headers;
    if (location === undefined) return answer;
    return api.get(location, { cookie: cookies.map((line) => line.split(';')[0]).join('; ') });
  }

  async function expectNothingStored(): Promise<void> {
    expect(await storedFiles(service)).to.deep.equal(noStoredFiles);
    expect(await countRows(service, 'pushes')).to.equal(0);
  }

  const linkIn = ({ text }: ApiResponse) => /\/p\/(\w{26})/.exec(text)?.[1] ?? '';

  it('creates a push of files, with a message or without', async () => {
    for (const payload of ['', 'what they are']) {
      const answer = await send([file('a.pem', 1000), file('b', 0)], { payload, name: 'keys' });
      expect(answer.status, textOf(answer)).to.equal(200);
      const { body } = await api.get(`/p/${linkIn(answer)}.json`);
      expect(body).to.include({ kind: 'file', payload });
      const files = body.files as { filename: string; size: number; url: string }[];
      expect(files.map(({ filename, size }) => `${filename} ${size}`)).to.deep.equal(['a.pem 1000', 'b 0']);
      const [first = { url: '' }] = files;
      expect((await api.get(downloadPath(first))).bytes.equals(Buffer.alloc(1000, 'tulip'))).to.equal(true);
    }
  });

  it('treats a text with files as a message beside them', async () => {
    const answer = await send([file('a')], { kind: 'text', payload: '' });
    expect((await api.get(`/p/${linkIn(answer)}.json`)).body.kind).to.equal('file');
  });

  it('accepts files up to the exact limits', async () => {
    expect((await send([file('a', mebibyte), file('b', mebibyte)])).status).to.equal(200);
  });

  for (const [what, files, problem] of [
    ['a file of a byte too many', [file('a', mebibyte + 1)], 'A file may have at most 1 MB.'],
    [
      'files of a byte too many together',
      [file('a', mebibyte), file('b', mebibyte), file('c', 1)],
      'All files together may have at most 2 MB.',
    ],
    ['one file too many', [file('a'), file('b'), file('c'), file('d')], 'Must be at most 3.'],
    ['a file of a blank name', [file(' ')], 'Must have names.'],
    ['many times as much as it takes', [file('a', 9 * mebibyte)], 'A file may have at most 1 MB.'],
  ] as const) {
    it(`keeps everything that was entered before and after the files when there is ${what}`, async () => {
      const values = { payload: 'rose', name: 'tulip', note: 'thorn', passphrase: 'sesame', views: '7' };
      const answer = await send([...files], values);
      expect(answer.status).to.be.oneOf([413, 422]);
      expect(textOf(answer)).to.include(problem).and.include('Nothing was created');
      for (const value of Object.values(values)) expect(answer.text).to.include(value);
      await expectNothingStored();
    });
  }

  it('reports problems with files in German', async () => {
    const form = await forms.loadForm('/?locale=de', { cookie });
    const parts = [...fieldsOf({ ...form.fields, ...entered }), file('a', mebibyte + 1)];
    const answer = await sendParts('/?locale=de', form, parts);
    expect(textOf(answer)).to.include('Eine Datei darf höchstens 1 MB haben.');
  });

  it('stores no file when another field is invalid', async () => {
    const answer = await send([file('a')], { views: '0', payload: 'rose' });
    expect(answer.status).to.equal(422);
    expect(textOf(answer)).to.include('Must be between 1 and 100.');
    expect(answer.text).to.include('rose');
    await expectNothingStored();
  });

  it('refuses a file push without files, and a link with files', async () => {
    const none = { name: 'files', filename: '', content: '' };
    expect(textOf(await send([none]))).to.include('Must be at least one.');
    expect(textOf(await send([]))).to.include('Must be at least one.');
    const link = { kind: 'url', payload: 'https://example.com/' };
    expect(textOf(await send([file('a')], link))).to.include('Must be files while files are chosen.');
    await expectNothingStored();
  });

  it('creates pushes of other kinds by a multipart form', async () => {
    const none = { name: 'files', filename: '', content: '' };
    const answer = await send([none], { kind: 'text', payload: 'a\r\nb' });
    expect((await api.get(`/p/${linkIn(answer)}.json`)).body).to.include({ kind: 'text', payload: 'a\nb' });
    const form = await forms.loadForm('/', { cookie });
    expect((await forms.submit('/', form, { ...entered, kind: 'qr', payload: 'x' })).status).to.equal(303);
  });

  describe('Refusal before any file is stored', () => {
    let stored = 0;

    before(() => {
      const { put } = service.fileStore;
      service.fileStore.put = async (name, bytes) => {
        stored += 1;
        return put(name, bytes);
      };
    });
    beforeEach(() => {
      stored = 0;
    });

    async function expectRefused(answer: Promise<ApiResponse>, status = 403): Promise<void> {
      expect((await answer).status).to.equal(status);
      expect(stored).to.equal(0);
      await expectNothingStored();
    }

    it('stores no file of a form whose CSRF token is wrong, missing or another browser’s', async () => {
      const form = await forms.loadForm('/', { cookie });
      const other = await forms.loadForm('/', {
        cookie: await signedIn((await createAccount(service.domain)).account),
      });
      for (const csrf of ['', 'x', other.fields.csrf ?? '']) {
        const parts = [...fieldsOf({ ...entered, csrf }), file('a')];
        const answer = sendParts('/', form, [...parts, { name: 'note', content: 'thorn' }]);
        await expectRefused(answer);
        expect((await answer).text).to.include('thorn'); // what came after the file is not lost
      }
      await expectRefused(sendParts('/', form, [...fieldsOf(entered), file('a')]));
    });

    it('stores no file that comes before the CSRF token', async () => {
      const form = await forms.loadForm('/', { cookie });
      await expectRefused(sendParts('/', form, [file('a'), ...fieldsOf({ ...form.fields, ...entered })]));
    });

    it('stores no file of a form from another site', async () => {
      const form = await forms.loadForm('/', { cookie });
      const parts = [...fieldsOf({ ...form.fields, ...entered }), file('a')];
      for (const site of ['cross-site', 'same-site'])
        await expectRefused(sendParts('/', form, parts, { 'sec-fetch-site': site }));
    });

    it('stores no file of somebody who may not attach files', async () => {
      const { account } = await createAccount(service.domain);
      for (const [as, status] of [
        [await signedIn(account), 403],
        ['x=y', 401],
      ] as const) {
        const answer = send([file('a')], {}, { as });
        expect(textOf(await answer)).to.match(/File attachments require an? (subscription|account)\./);
        await expectRefused(answer, status);
      }
    });
  });

  it('offers files only to those who may attach them', async () => {
    const offers = async (as: string) => / type="file"/.test((await api.get('/', { cookie: as })).text);
    const { account } = await createAccount(service.domain);
    expect(await offers(cookie)).to.equal(true);
    expect(await offers(await signedIn(account))).to.equal(false);
    expect(await offers('x=y')).to.equal(false);
  });

  it('shows the file limits, and lets scripts connect only where they send a form', async () => {
    const page = await api.get('/', { cookie });
    expect(textOf(page)).to.include('At most 3, of 1 MB each, and 2 MB together.');
    expect(page.headers['content-security-policy']).to.include("connect-src 'self'");
    expect((await api.get('/sign-in')).headers['content-security-policy']).to.not.include('connect-src');
  });

  describe('The compose page with files', () => {
    async function linkFor(subscribed: boolean) {
      const chatUser = newChatUser();
      const account = await service.domain.chat.identities.accountOf(chatUser);
      await service.database.execute(`UPDATE accounts SET subscribed = ${subscribed} WHERE id = $id`, {
        id: account.id,
      });
      const { token, save } = service.domain.chat.prepareComposeLink(chatCaller(chatUser));
      await save();
      return { account, page: `/compose/${token}` };
    }

    it('creates one push of files for a chat user who may attach them', async () => {
      const { account, page } = await linkFor(true);
      const answer = await send([file('a.pem')], { payload: 'for you' }, { page });
      expect(answer.status, textOf(answer)).to.equal(200);
      const [push] = await service.domain.pushes.list({ account }, 'active', 1);
      expect(push).to.include({ kind: 'file', urlToken: linkIn(answer) });
      expect(push?.files.map(({ filename }) => filename)).to.deep.equal(['a.pem']);
      expect((await api.get(page)).status).to.equal(404);
    });

    it('keeps a compose link and everything entered after files were refused', async () => {
      const { page } = await linkFor(true);
      const refused = await send([file('a', mebibyte + 1)], { payload: 'rose', note: 'thorn' }, { page });
      expect(refused.status).to.equal(413);
      expect(refused.text).to.include('rose').and.include('thorn');
      await expectNothingStored();
      expect((await send([file('a')], {}, { page })).status).to.equal(200);
    });

    it('stores no file for a chat user who may not attach files, nor for a used link', async () => {
      const { page } = await linkFor(false);
      expect((await api.get(page)).text).to.not.include(' value="file"');
      expect((await send([file('a')], {}, { page })).status).to.equal(403);
      await expectNothingStored();
      const gone = `/compose/${'x'.repeat(43)}`;
      const form = await forms.loadForm('/', { cookie });
      const parts = [...fieldsOf({ ...form.fields, ...entered }), file('a')];
      expect((await sendParts(gone, form, parts)).status).to.equal(404);
      await expectNothingStored();
    });

    it('stores the files of one form only when a compose link is used several times at once', async () => {
      const { page } = await linkFor(true);
      const answers = await Promise.all([1, 2, 3].map(() => send([file('a', 70_000)], {}, { page })));
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404]);
      expect((await storedFiles(service)).names).to.have.length(1);
      expect(await countRows(service, 'pushes')).to.equal(1);
    });
  });

  it('removes partial files when the browser aborts an upload', async () => {
    const form = await forms.loadForm('/', { cookie });
    const body = multipartForm([...fieldsOf({ ...form.fields, ...entered }), file('a', mebibyte)]);
    const controller = new AbortController();
    const sent = fetch(service.url, {
      method: 'POST',
      signal: controller.signal,
      duplex: 'half',
      headers: { 'content-type': 'multipart/form-data; boundary=B', cookie, ...sameOrigin },
      body: new ReadableStream({
        start(stream) {
          stream.enqueue(body.subarray(0, body.length / 2));
        },
      }),
    } as RequestInit).catch(() => 'left');
    await until(async () => (await storedFiles(service)).rows === 1);
    controller.abort();
    expect(await sent).to.equal('left');
    await until(async () => (await storedFiles(service)).rows === 0);
    await expectNothingStored();
  });

  it('offers files with a revealed push, and says how long after the last view', async () => {
    const page = `/p/${linkIn(await send([file('a.pem', 2048)], { payload: 'for you', views: '2', retrievalStep: 'on' }))}`;
    const [first, last] = [await forms.reveal({ page }), await forms.reveal({ page })];
    for (const shown of [first, last]) {
      expect(textOf(shown)).to.match(/Files You can download them .* a\.pem 2 kB .*Message .* for you/);
      const [, path = ''] = /href="(\/download\/[^"]*)"/.exec(shown.text) ?? [];
      expect((await api.get(path)).bytes).to.have.length(2048);
    }
    expect(textOf(first)).to.not.include('last view');
    expect(textOf(last)).to.include(
      'Download the files before you leave this page: in ten minutes they are gone',
    );
  });

  it('shows files beside a secret of another kind', async () => {
    const token = await service.domain.apiTokens.issue(ann, { name: `web${count++}` });
    const parts = [
      { ...file('a.pem'), name: 'files[]' },
      ...fieldsOf({ 'password[kind]': 'text', 'password[payload]': 'rose' }),
    ];
    const headers = { ...asMultipart, ...bearer(token) };
    const { body } = await api.send('POST', '/p.json', { headers, body: multipartForm(parts) });
    const shown = textOf(await forms.reveal({ page: `/p/${body.url_token}` }));
    expect(shown).to.include('a.pem').and.include('rose');
  });

  it('shows the owner the files and each download', async () => {
    const answer = await send([file('<b>a.pem', 1536), file('b', 0)], { name: 'keys' });
    const page = `/pushes/${linkIn(answer)}`;
    expect(textOf(await api.get('/pushes', { cookie }))).to.include('keys 2 files · <b>a.pem · b');
    expect(textOf(await api.get(page, { cookie }))).to.include('<b>a.pem 1.5 kB');
    const { body } = await api.get(`/p/${linkIn(answer)}.json`);
    const [first = {}] = body.files as { url?: string }[];
    await api.get(downloadPath(first));
    expect(textOf(await api.get(page, { cookie }))).to.include('Downloaded a file');
    await expirePushIn(service, linkIn(answer), -1);
    expect(textOf(await api.get(page, { cookie }))).to.not.include('.pem');
  });
});

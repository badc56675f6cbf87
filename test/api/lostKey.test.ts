import { expect } from 'chai';
import { createCommands } from '../../src/bots/commands.ts';
import { readConfig } from '../../src/config.ts';
import { newKey } from '../../src/crypto/keyring.ts';
import { openService } from '../../src/service.ts';
import { type ApiResponse, bearer, type Client, createClient, type Fields } from '../harness/api.ts';
import { chatCaller, connectChat, deliverNotices, newChatUser } from '../harness/chat.ts';
import { asMultipartForm } from '../harness/files.ts';
import { createForms } from '../harness/forms.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { type FormBrowser, openFormBrowser, visibleText } from '../harness/pages.ts';
import { startService, type TestService } from '../harness/service.ts';

const [lost, left, pepper] = [newKey(), newKey(), newKey()];
const email = 'ann@example.com';
const keyMissing = /^A key that this needs is missing here\./;
const hourMs = 3_600_000;

describe('A service whose older master key is lost', () => {
  let first: TestService;
  let service: TestService;
  let api: Client;
  let ann: { authorization: string };
  let browser: FormBrowser;
  const ben = newChatUser();
  const chris = newChatUser();
  /** Url tokens of pushes, by what they are. */
  const tokens: Record<string, string> = {};

  before(async () => {
    first = await startService({ MASTER_KEYS: `1:${lost}`, PEPPER: pepper, FILES: 'everyone' });
    await createRecords();
    const shared = { ...first.shared, RATE_LIMITS: 'off' };
    const both = await openService(readConfig({ ...shared, MASTER_KEYS: `2:${left},1:${lost}` }));
    await both.prepare();
    await both.close();
    service = await startService({ ...shared, MASTER_KEYS: `2:${left}`, FILES_DIR: first.filesFolder });
    api = createClient(service.port);
    const { text } = await openAndSignIn();
    expect(text).to.contain('<h1>');
    tokens.readable = (await api.create({ name: 'readable' }, ann)).token;
  });

  after(async () => {
    api?.close();
    await service?.stop();
    await first?.stop();
  });

  /** Pushes, files, a webhook, an installation and a request, all under the key that will be lost. */
  async function createRecords(): Promise<void> {
    const client = createClient(first.port);
    const account = await first.domain.accounts.create({ email, password: 'correct horse battery' });
    ann = bearer(await first.domain.apiTokens.issue(account, { name: 'test' }));
    tokens.anonymous = (await client.create({ expire_after_views: 2 })).token;
    tokens.live = (await client.create({ name: 'lost', note: 'lost', expire_after_views: 2 }, ann)).token;
    tokens.expired = (await client.create({ name: 'lost', expire_after_views: 1 }, ann)).token;
    await first.domain.webhooks.create(account, { url: 'https://example.com/lost' });
    await client.get(`/p/${tokens.expired}.json`, ann);
    const withFile = await client.send('POST', '/p.json', asMultipartForm({ 'lost.txt': 'tulip' }, ann));
    expect(withFile.status).to.equal(201);
    tokens.withFile = String(withFile.body.url_token);
    const { chat } = first.domain;
    await chat.pushes.create(chatCaller(ben), { payload: 'tulip', name: 'lost' });
    await chat.requests.create(ben, [chris], { reason: 'lost' });
    await connectChat(first.domain, newChatUser('T7'), { account });
    await chat.requestSecret(account, { from: 'slack:T7:UDORA', reason: 'lost' });
    await chat.installations.store('slack', { workspace: 'T1', userId: 'U1' }, { bot: { token: 'lost' } });
    client.close();
  }

  async function openAndSignIn(): Promise<ApiResponse> {
    browser = await openFormBrowser(api);
    return browser.submit('/sign-in', '/sign-in', { email, password: 'correct horse battery' });
  }

  function expectUnavailable({ status, body, headers }: ApiResponse): void {
    expect(status).to.equal(503);
    expect(body.error).to.match(keyMissing);
    expect(Number(headers['retry-after'])).to.be.greaterThan(0);
  }

  const viewsUsed = async (token: string) => {
    const response = await api.send('HEAD', `/p/${token}.json`);
    expect(response.status).to.equal(200);
    const row = await service.domain.pushes.preview(token, {
      account: null,
      client: { ip: '192.0.2.1', userAgent: '', referrer: '', isPreviewer: () => false },
    });
    return row.viewsUsed;
  };

  it('answers 503 with Retry-After for a live push, spends none of its views, and gives them all once the key is back', async () => {
    for (const kind of ['anonymous', 'live', 'withFile']) {
      const token = String(tokens[kind]);
      for (const headers of [{}, ann]) expectUnavailable(await api.get(`/p/${token}.json`, headers));
      const forms = createForms(service.domain, api);
      const page = await forms.reveal({ page: `/p/${token}` });
      expect(page.status, page.text).to.equal(503);
      expect(await viewsUsed(token)).to.equal(0);
    }
    const back = createClient(first.port);
    for (const kind of ['anonymous', 'live']) {
      const payloads = [];
      for (let view = 0; view < 3; view++)
        payloads.push((await back.get(`/p/${tokens[kind]}.json`)).body.payload);
      expect(payloads).to.deep.equal(['tulip', 'tulip', null]);
    }
    back.close();
  });

  it('marks what it cannot read in the lists of pushes, and lists the rest as ever', async () => {
    const { expectDescribed } = await readOpenApi(api);
    const active = await api.get('/p/active.json', ann);
    expect(active.status, active.text).to.equal(200);
    expectDescribed('/p/active.json', 'get', active);
    const rows = active.json as Fields[];
    const readable = rows.find(({ url_token }) => url_token === tokens.readable);
    expect(readable).to.include({ name: 'readable' });
    expect(readable).to.not.have.property('unreadable');
    const unreadable = rows.filter((row) => row.unreadable === true);
    expect(unreadable).to.have.length(1);
    expect(unreadable[0]).to.deep.include({
      url_token: null,
      html_url: null,
      json_url: null,
      name: null,
      note: null,
      files: [],
      kind: 'file',
      expired: false,
    });

    const expired = await api.get('/p/expired.json', ann);
    expect(expired.status, expired.text).to.equal(200);
    expectDescribed('/p/expired.json', 'get', expired);
    expect((expired.json as Fields[]).map((row) => row.unreadable)).to.deep.equal([true, true]);
  });

  it('shows an expired push to its owner, with a mark instead of its name', async () => {
    const { status, body } = await api.get(`/p/${tokens.expired}.json`, ann);
    expect(status).to.equal(200);
    expect(body).to.include({ url_token: tokens.expired, expired: true, name: null, unreadable: true });
    const stranger = await api.get(`/p/${tokens.expired}.json`);
    expect(stranger.body).to.not.have.property('unreadable');
  });

  it('lists requests whose reason it cannot read', async () => {
    const path = '/api/v1/requests.json';
    const listed = await api.get(path, ann);
    (await readOpenApi(api)).expectDescribed(path, 'get', listed);
    const [{ reason, unreadable, state } = {}] = listed.body.sent as Fields[];
    expect({ reason, unreadable, state }).to.deep.equal({ reason: null, unreadable: true, state: 'open' });
  });

  it('lists webhooks it cannot read, registers others beside them, and removes them', async () => {
    const path = '/api/v1/webhooks.json';
    const { expectDescribed } = await readOpenApi(api);
    const listed = await api.get(path, ann);
    expect(listed.status, listed.text).to.equal(200);
    expectDescribed(path, 'get', listed);
    const [webhook = {}] = listed.json as Fields[];
    expect(webhook).to.include({ url: null, unreadable: true });
    const added = await api.post(path, { webhook: { url: 'https://example.com/new' } }, ann);
    expect(added.status, added.text).to.equal(201);
    expect((await api.send('DELETE', `${path}?id=${webhook.id}`, { headers: ann })).status).to.equal(200);
    expect((await api.get(path, ann)).json).to.have.length(1);
  });

  for (const [locale, pushText, requestText] of [
    ['en', 'Cannot be decrypted: its key is missing', 'The reason cannot be decrypted: its key is missing'],
    ['de', 'Nicht lesbar: Der Schlüssel dazu fehlt', 'Der Grund ist nicht lesbar: Der Schlüssel dazu fehlt'],
  ] as const) {
    it(`says so on the pages, in the language of the reader: ${locale}`, async () => {
      for (const path of ['/pushes?', '/pushes?state=expired&']) {
        const page = await browser.get(`${path}locale=${locale}`);
        expect(page.status).to.equal(200);
        expect(visibleText(page)).to.include(pushText);
      }
      expect(requestText).to.be.a('string');
      const push = await browser.get(`/pushes/${tokens.expired}?locale=${locale}`);
      expect(push.status).to.equal(200);
      expect(visibleText(push)).to.include(pushText);
    });
  }

  it('lists pushes and requests in chats', async () => {
    const commands = createCommands({
      domain: service.domain,
      linkTo: (urlToken) => `http://push.test/p/${urlToken}`,
      requestLinkTo: (urlToken) => `http://push.test/a/${urlToken}`,
      pageOf: (purpose, token) => `http://push.test/${purpose}/${token}`,
    });
    const card = await commands.list(chatCaller(ben));
    expect(card.items).to.have.length(2);
    expect(JSON.stringify(card.items?.[0])).to.include('cannot be decrypted').and.not.include('/p/');
    const [request] = await service.domain.chat.requests.list(ben);
    expect(request).to.include({ reason: null, isUnreadable: true });
  });

  it('ends notices that can never go, after days of trying, and says why', async () => {
    const reason = 'its master key is missing';
    const { database, domain } = service;
    await deliverNotices(domain);
    const waiting = await database.select<{ lastProblem: string }>(
      // The next notices of a push wait for the first one, untried.
      'SELECT last_problem AS lastProblem FROM notices WHERE due_at IS NOT NULL AND last_problem IS NOT NULL',
      {},
    );
    expect(waiting).to.not.be.empty;
    expect(new Set(waiting.map(({ lastProblem }) => lastProblem))).to.deep.equal(new Set([reason]));
    await database.execute('UPDATE notices SET due_at = 0, created_at = created_at - $ms', {
      ms: 73 * hourMs,
    });
    await deliverNotices(domain);
    const ended = await database.select('SELECT id FROM notices WHERE ended_at IS NULL', {});
    expect(ended).to.be.empty;
  });

  it('tells a chat that it cannot read its installation, instead of failing', async () => {
    const error = await service.domain.chat.installations
      .maybeFind('slack', { workspace: 'T1' })
      .catch((reason) => reason);
    expect(error).to.include({ code: 'unavailable', messageCode: 'keyMissing' });
  });
});

import { createHash, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { createClient as createPushClient } from '../../src/client/client.ts';
import { createMcpServer } from '../../src/mcp/server.ts';
import {
  type ApiResponse,
  asJson,
  bearer,
  type Client,
  type CreatedPush,
  createClient,
} from '../harness/api.ts';
import { freePort } from '../harness/mariadb.ts';
import { readOpenApi } from '../harness/openApi.ts';
import { createAccount, someClient, startService, type TestService } from '../harness/service.ts';
import {
  type Credentials,
  type Operations,
  openOperations,
  operationsIn,
  type Request,
} from './operations.ts';
import {
  type Answer,
  type Answers,
  operationAnswers,
  otherAnswers,
  type Scope,
  scopes,
  toolAnswers,
} from './scopeAnswers.ts';

type Sent = Request & { method?: string };

/** A url token on its own. Ids and digests have other lengths. */
const anyUrlToken = /(?<![0-9a-z])[0-9a-hjkmnp-tv-z]{26}(?![0-9a-z])/i;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('What a credential is worth', () => {
  let service: TestService;
  let api: Client;
  let operations: Operations;
  let credentials: Record<Scope, Credentials | Record<string, never>>;
  /** Pushes of Ann’s, of somebody else’s, and of nobody’s; `shared` has links for two recipients. */
  let shared: CreatedPush;
  let viewed: CreatedPush;
  let foreign: CreatedPush;
  let nobodys: CreatedPush;
  let recipientToken: string;
  /** The url tokens of all of them. */
  let links: string[];

  before(async () => {
    const port = String(await freePort());
    service = await startService({ PORT: port, BASE_URL: `http://127.0.0.1:${port}` }); // the client wants its server's links
    api = createClient(service.port);
    operations = await openOperations(service, api);
    const { ann, limited } = operations;
    credentials = { full: ann, ...limited, none: {} };
    shared = await api.create({ name: 'roses', recipients: ['Bob', 'Carol'] }, ann);
    const recipients = shared.push.recipients as { html_url: string }[];
    const tokens = recipients.map(({ html_url }) => html_url.slice(-26));
    [recipientToken = ''] = tokens;
    const link = String(shared.push.html_url);
    const texts = {
      name: `see ${link}`,
      note: `${link}.json`,
      recipients: [`${link}#Dave`],
      expire_after_views: 1,
    };
    const noted = await api.create(texts, ann);
    viewed = await api.create({}, ann);
    const strange = `${link} ${link.toUpperCase()}`;
    await api.get(viewed.json, { referer: strange, 'user-agent': strange });
    const other = await createAccount(service.domain);
    foreign = await api.create({}, bearer(other.token));
    nobodys = await api.create();
    const files = new FormData();
    files.set('password[files][]', new Blob(['tulip']), `${link.slice(-26)}.txt`);
    const filed = await fetch(`${service.url}/p.json`, { method: 'POST', body: files, headers: ann });
    expect(filed.status).to.equal(201);
    await api.send('DELETE', (await api.create({ name: 'ended', note: link }, ann)).json, { headers: ann });
    for (let count = 0; count < 50; count++) await api.create({ name: 'filler' }, ann);
    const ofNoted = (noted.push.recipients as { html_url: string }[]).map(({ html_url }) =>
      html_url.slice(-26),
    );
    links = [shared, noted, viewed, foreign, nobodys].map(({ token }) => token).concat(tokens, ofNoted);
  });

  after(async () => {
    api.close();
    await service.stop();
  });

  const holdsLink = (text: string) =>
    anyUrlToken.test(text) || links.some((link) => text.toLowerCase().includes(link));

  function answerOf({ status, headers, text }: ApiResponse): Answer {
    const { link = '', ...rest } = headers; // a Link repeats the path of its request
    expect(holdsLink(JSON.stringify(rest)), JSON.stringify(rest)).to.equal(false);
    if (holdsLink(text + link)) return 'link';
    if (status === 401 || status === 403) return 'no';
    if (status === 404) return 'unknown';
    return status >= 400 ? 'invalid' : 'yes';
  }

  /** What each scope gets. */
  async function answersTo(requestFor: (scope: Scope) => Sent | Promise<Sent>): Promise<Answers> {
    const found: Partial<Answers> = {};
    for (const scope of scopes) {
      const { path, method = 'GET', ...request } = await requestFor(scope);
      const { authorization: _, ...headers } = request.headers ?? {};
      const sent = { ...request, headers: { ...headers, ...credentials[scope] } };
      found[scope] = answerOf(await api.send(method, path, sent));
    }
    return found as Answers;
  }

  const creatorFor = (scope: Scope) => (scope === 'create' ? operations.limited.create : operations.ann);
  const create = (scope: Scope, fields = {}) => api.create(fields, creatorFor(scope));

  it('is documented for every operation, and no answer has a link that its scope may not open', async () => {
    const { openApi } = await readOpenApi(api);
    const described = operationsIn(openApi);
    for (const { path, method } of described) {
      const name = `${method} ${path}`;
      const expected = operationAnswers[name] ?? operationAnswers[name.replace(/ \/[fr]\//, ' /p/')];
      expect(expected, `${name} has no row in scopeAnswers.ts`).not.to.equal(undefined);
      const answers = await answersTo(async (scope) => ({
        ...(await operations.requestOf(path, method, creatorFor(scope))),
        method: method.toUpperCase(),
      }));
      expect(answers, name).to.deep.equal(expected);
    }
    const names = described.map(({ path, method }) => `${method} ${path}`);
    expect(names).to.include.members(Object.keys(operationAnswers));
  });

  const preview = (name: string) => ({ path: `/p/${name}/preview.json` });
  const expiry = (name: string) => ({ path: `/p/${name}.json`, method: 'DELETE' });
  const post = (path: string, body: object, headers = {}) => ({
    path,
    method: 'POST',
    headers: { ...asJson, ...headers },
    body: JSON.stringify(body),
  });

  const others: Record<keyof typeof otherAnswers, (scope: Scope) => Sent | Promise<Sent>> = {
    'the headers of a push': () => ({ path: shared.json, method: 'HEAD' }),
    'a push, by its SHA-256': () => ({ path: `/p/${sha256(viewed.token)}.json` }),
    'the headers of a push, by its SHA-256': () => ({
      path: `/p/${sha256(viewed.token)}.json`,
      method: 'HEAD',
    }),
    'the page of a push, by its SHA-256': () => ({ path: `/p/${sha256(viewed.token)}` }),
    'a preview, by the SHA-256': () => preview(sha256(shared.token)),
    'a preview, by the link of a recipient': () => preview(recipientToken),
    'a preview, by the SHA-256 of a recipient’s link': () => preview(sha256(recipientToken)),
    'a preview, by the SHA-256 of somebody else’s push': () => preview(sha256(foreign.token)),
    'a preview, by the SHA-256 of nobody’s push': () => preview(sha256(nobodys.token)),
    'an audit log, by the SHA-256': () => ({ path: `/p/${sha256(viewed.token)}/audit.json` }),
    'an audit log in CSV, by the SHA-256': () => ({ path: `/p/${sha256(viewed.token)}/audit.csv` }),
    'an audit log in NDJSON, by the SHA-256': () => ({ path: `/p/${sha256(viewed.token)}/audit.ndjson` }),
    'an audit log, by the SHA-256 of somebody else’s push': () => ({
      path: `/p/${sha256(foreign.token)}/audit.json`,
    }),
    'an audit log of somebody else’s push': () => ({ path: `/p/${foreign.token}/audit.json` }),
    'an expiry, by the SHA-256': async (scope) => expiry(sha256((await create(scope)).token)),
    'an expiry of a push that another token created': async () =>
      expiry((await create('full', { deletable_by_viewer: false })).token),
    'an expiry of a push that another token created, by the SHA-256': async () =>
      expiry(sha256((await create('full')).token)),
    'an expiry that viewers may do, of a push that another token created': async () =>
      expiry((await create('full')).token),
    'an expiry by the SHA-256 of a recipient’s link': () => expiry(sha256(recipientToken)),
    'an extension, by the SHA-256': async (scope) =>
      post(`/p/${sha256((await create(scope)).token)}/extend.json`, { extension: { minutes: 20_160 } }),
    'a list of a second page': () => ({ path: '/p/active.json?page=2' }),
    'a list with a next page': () => ({ path: '/p/active.json?kind=text&sort=oldest' }),
    'a search for a name': () => ({ path: '/p/active.json?search=roses' }),
    'a search for a part of a link': () => ({ path: `/p/active.json?search=${shared.token.slice(0, 20)}` }),
    'a search for a recipient': () => ({ path: '/p/active.json?recipient=carol' }),
    'a list of requests, with a link in the reason of one': async () => {
      const request = { from: ['slack:T1:UCAROL'], reason: `like ${shared.push.html_url}` };
      await service.domain.chat.requestSecret(operations.account, request);
      return { path: '/api/v1/requests.json' };
    },
    'a creation that is repeated': async (scope) => {
      const key = { 'idempotency-key': randomUUID() };
      const request = post('/p.json', { password: { payload: 'tulip' } }, key);
      const headers = { ...request.headers, ...(scope === 'read' ? operations.ann : credentials[scope]) };
      expect((await api.send('POST', '/p.json', { ...request, headers })).status).to.equal(201);
      return request;
    },
    'a creation that is refused': () => post('/p.json', { password: { payload: shared.token, kind: 'x' } }),
    'a list whose page is wrong': () => ({ path: '/p/active.json?page=x' }),
  };

  for (const [name, requestFor] of Object.entries(others))
    it(`is the same for ${name}`, async () => {
      expect(await answersTo(requestFor)).to.deep.equal(otherAnswers[name as keyof typeof otherAnswers]);
    });

  it('does not let a search spell a link, wherever it stands', async () => {
    const count = async (query: string, scope: Scope) =>
      ((await api.get(`/p/active.json?${query}`, credentials[scope])).json as unknown[]).length;
    for (const text of [shared.token, shared.token.slice(0, 8), recipientToken, viewed.token.slice(5)]) {
      expect(await count(`search=${text}`, 'read'), text).to.equal(0);
      expect(await count(`recipient=${text}`, 'read'), text).to.equal(0);
    }
    expect(await count(`search=${shared.token}`, 'full')).to.equal(2);
    expect(await count(`recipient=${shared.token}`, 'full')).to.equal(1);
    expect(await count('search=ros&recipient=carol', 'read')).to.equal(1);
  });

  it('leaves each token that only creates its own creations, also under the idempotency key of another', async () => {
    const headers = { ...operations.ann, 'idempotency-key': randomUUID() };
    const create = async (credential: Credentials) =>
      (await api.create({ name: 'once' }, { ...headers, ...credential })).token;
    const [created, other] = [await create(operations.ann), await create(operations.limited.create)];
    expect(other).not.to.equal(created);
    expect(await create(operations.ann)).to.equal(created);
    expect(await create(operations.limited.create)).to.equal(other);
  });

  it('is the same for the tools of assistants, which show the link of what is new alone', async () => {
    const answered = await operations.newRequestLink();
    await using answer = await service.domain.requestLinks.beginAnswer(answered.urlToken ?? '', someClient);
    await answer.send({ formId: randomUUID(), text: 'tulip' });
    const given: Record<string, (scope: Scope) => Promise<object>> = {
      create_push: async () => ({ payload: 'tulip' }),
      list_pushes: async () => ({ limit: 200 }),
      preview_push: async () => ({ push: sha256(shared.token) }),
      push_activity: async () => ({ push: sha256(viewed.token) }),
      expire_push: async (scope) => ({ push: sha256((await create(scope)).token) }),
      request_secret: async () => ({ from: ['slack:T1:UCAROL'] }),
      create_request_link: async () => ({ title: 'The VPN' }),
      list_request_links: async () => ({}),
      list_answers: async () => ({ request_link: answered.id }),
      close_request_link: async () => ({ request_link: (await operations.newRequestLink()).id }),
    };
    for (const [name, expected] of Object.entries(toolAnswers)) {
      const found: Partial<Answers> = {};
      for (const scope of scopes) {
        const token = credentials[scope].authorization?.slice('Bearer '.length);
        const respond = createMcpServer(createPushClient({ server: service.url, token }), '1.0.0');
        const params = { name, arguments: await given[name]?.(scope) };
        const line = await respond(JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'tools/call', params }));
        const { result } = JSON.parse(line ?? '');
        found[scope] = holdsLink(line ?? '') ? 'link' : result.isError ? 'no' : 'yes';
      }
      expect(found, name).to.deep.equal(expected);
    }
    const listed = JSON.parse(
      (await createMcpServer(
        createPushClient({ server: service.url }),
        '1',
      )('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')) ?? '',
    );
    const names = listed.result.tools.map((tool: { name: string }) => tool.name);
    expect(Object.keys(toolAnswers)).to.have.members(names);
  });
});

import { randomUUID } from 'node:crypto';
import { asJson, asMultipart, bearer, type Client } from '../harness/api.ts';
import { connectChat } from '../harness/chat.ts';
import { downloadPath, filePart, filesOf, multipartForm } from '../harness/files.ts';
import { createAccount, someClient, type TestService } from '../harness/service.ts';

export type Credentials = { authorization: string };
export type Request = { path: string; headers?: Record<string, string>; body?: string | Buffer };

/** The objects that creations send. */
export const roots: Record<string, string> = { '/p.json': 'password', '/f.json': 'file', '/r.json': 'url' };

export type Operations = Awaited<ReturnType<typeof openOperations>>;

/** Ann, who has a chat, may push files, and has an API token of each scope, with a request of each operation that succeeds. */
export async function openOperations(service: TestService, api: Client) {
  const { account, token } = await createAccount(service.domain, undefined, { subscribed: true });
  const ann = bearer(token);
  /** API tokens of Ann’s, by their scope. */
  const limited = { create: await tokenOfAnn('create'), read: await tokenOfAnn('read') };
  await connectChat(service.domain, { platform: 'slack', address: 'T1:UANN' }, { account });

  async function tokenOfAnn(scope: 'create' | 'read'): Promise<Credentials> {
    return bearer(await service.domain.apiTokens.issue(account, { name: scope, scope }));
  }

  const json = (path: string, body: object): Request => ({
    path,
    headers: { ...asJson, ...ann },
    body: JSON.stringify(body),
  });

  const withFile = (path: string, headers = ann): Request => ({
    path,
    headers: { ...asMultipart, ...headers },
    body: multipartForm([{ ...filePart('a.txt', 'tulip'), name: `${roots[path]}[files][]` }]),
  });

  async function tokenPath(suffix: string, creator = ann): Promise<Request> {
    const { page } = await api.create({ deletable_by_viewer: false }, creator);
    return { path: `${page}${suffix}`, headers: ann };
  }

  async function webhookPath(path: string): Promise<Request> {
    const { webhooks } = service.domain;
    for (const { id } of await webhooks.list(account)) await webhooks.remove(account, id);
    const { id } = await webhooks.create(account, { url: 'https://example.com/hook' });
    const delivery = await webhooks.test(account, id);
    return { path: `/api/v1/webhooks${path}?id=${id}&delivery_id=${delivery.id}`, headers: ann };
  }

  async function requestPath(): Promise<Request> {
    const from = ['slack:T1:UCAROL'];
    const [{ id }] = await service.domain.chat.requestSecret(account, { from });
    return { path: `/api/v1/requests.json?id=${id}`, headers: ann };
  }

  const newRequestLink = () =>
    service.domain.requestLinks.create({ account, client: someClient }, { title: 'The VPN' });

  const newTrustRule = () => ({
    name: randomUUID(),
    issuer: 'https://issuer.example.com',
    claims: { sub: 'job' },
  });

  async function fileDownload(): Promise<Request> {
    const created = await api.send('POST', '/f.json', withFile('/f.json'));
    const [file = {}] = filesOf((await api.get(`/p/${created.body.url_token}.json`)).body);
    return { path: downloadPath(file) };
  }

  async function extension(): Promise<Request> {
    const { path } = await tokenPath('/extend.json');
    return json(path, { extension: { minutes: 20_160 } });
  }

  /** A request of each operation that succeeds. */
  const requests: Record<string, (creator?: Credentials) => Request | Promise<Request>> = {
    'post /p.json': () => json('/p.json', { password: { payload: 'tulip' } }),
    'post /r.json': () => json('/r.json', { url: { payload: 'https://example.com' } }),
    'post /f.json': () => withFile('/f.json'),
    'get /p/{url_token}.json': () => tokenPath('.json'),
    'delete /p/{url_token}.json': (creator) => tokenPath('.json', creator),
    'post /p/{url_token}/extend.json': extension,
    'get /p/{url_token}/preview.json': () => tokenPath('/preview.json'),
    'get /p/{url_token}/audit.json': () => tokenPath('/audit.json'),
    'get /p/{url_token}/audit.csv': () => tokenPath('/audit.csv'),
    'get /p/{url_token}/audit.ndjson': () => tokenPath('/audit.ndjson'),
    'get /p/active.json': () => ({ path: '/p/active.json', headers: ann }),
    'get /p/expired.json': () => ({ path: '/p/expired.json', headers: ann }),
    'get /download/{grant}/{number}': fileDownload,
    'get /api/v1/webhooks.json': () => ({ path: '/api/v1/webhooks.json', headers: ann }),
    'post /api/v1/webhooks.json': () =>
      json('/api/v1/webhooks.json', { webhook: { url: `https://example.com/${randomUUID()}` } }),
    'delete /api/v1/webhooks.json': () => webhookPath('.json'),
    'get /api/v1/webhooks/deliveries.json': () => webhookPath('/deliveries.json'),
    'post /api/v1/webhooks/test.json': () => webhookPath('/test.json'),
    'post /api/v1/webhooks/redeliver.json': () => webhookPath('/redeliver.json'),
    'post /api/v1/webhooks/secret.json': () => webhookPath('/secret.json'),
    'post /api/v1/webhooks/types.json': async () =>
      json((await webhookPath('/types.json')).path, { webhook: { types: ['push.viewed'] } }),
    'get /api/v1/requests.json': () => ({ path: '/api/v1/requests.json', headers: ann }),
    'post /api/v1/requests.json': () =>
      json('/api/v1/requests.json', { request: { from: 'slack:T1:UCAROL', reason: 'the VPN' } }),
    'delete /api/v1/requests.json': requestPath,
    'get /api/v1/request-links.json': async () => {
      await newRequestLink();
      return { path: '/api/v1/request-links.json', headers: ann };
    },
    'post /api/v1/request-links.json': () =>
      json('/api/v1/request-links.json', { request_link: { title: 'The VPN' } }),
    'delete /api/v1/request-links.json': async () => {
      const { id } = await newRequestLink();
      return { path: `/api/v1/request-links.json?id=${id}`, headers: ann };
    },
    'get /api/v1/request-links/answers.json': async () => {
      const { id, urlToken } = await newRequestLink();
      await using answer = await service.domain.requestLinks.beginAnswer(urlToken ?? '', someClient);
      await answer.send({ formId: randomUUID(), text: 'tulip' });
      return { path: `/api/v1/request-links/answers.json?id=${id}`, headers: ann };
    },
    'get /a/{url_token}.json': async () => ({ path: `/a/${(await newRequestLink()).urlToken}.json` }),
    'post /a/{url_token}.json': async () => ({
      path: `/a/${(await newRequestLink()).urlToken}.json`,
      headers: asJson,
      body: JSON.stringify({ answer: { payload: 'tulip' } }),
    }),
    'get /api/v1/trust-rules.json': () => ({ path: '/api/v1/trust-rules.json', headers: ann }),
    'post /api/v1/trust-rules.json': () => json('/api/v1/trust-rules.json', { trust_rule: newTrustRule() }),
    'delete /api/v1/trust-rules.json': async () => {
      const { id } = await service.domain.trustRules.create(account, newTrustRule());
      return { path: `/api/v1/trust-rules.json?id=${id}`, headers: ann };
    },
    'get /api/v1/account/security.json': () => ({ path: '/api/v1/account/security.json', headers: ann }),
    'get /api/v1/account/identities.json': () => ({ path: '/api/v1/account/identities.json', headers: ann }),
    'get /api/v1/version.json': () => ({ path: '/api/v1/version.json' }),
  };

  /** A request that succeeds. Those under /f and /r are like those under /p. A push to expire is of the `creator`. */
  async function requestOf(path: string, method: string, creator = ann): Promise<Request> {
    const [, prefix] = /^\/([fr])\//.exec(path) ?? [];
    const name = `${method} ${prefix === undefined ? path : path.replace(`/${prefix}/`, '/p/')}`;
    const valid = await requests[name]?.(creator);
    if (valid === undefined) throw new Error(`there is no request of ${name}`);
    return prefix === undefined ? valid : { ...valid, path: valid.path.replace('/p/', `/${prefix}/`) };
  }

  return { account, ann, limited, json, newRequestLink, requestOf, names: Object.keys(requests) };
}

/** What a document describes, one operation after the other. */
export const operationsIn = <Operation>({ paths }: { paths: Record<string, Record<string, Operation>> }) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, path, method })),
  );

import { expect } from 'chai';
import { type ApiResponse, type Client, createClient } from '../harness/api.ts';
import { type FormBrowser, openFormBrowser, parseForms, visibleText } from '../harness/pages.ts';
import { anonymous, createAccount, startService, type TestService } from '../harness/service.ts';

describe('The private link of a secret that was shared without an account', () => {
  let service: TestService;
  let api: Client;

  before(async () => {
    service = await startService();
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const linkIn = ({ text }: ApiResponse) => />(http:\/\/push\.test\/[^<]+)</.exec(text)?.[1] ?? '';
  const statusPathIn = ({ text }: ApiResponse) => /href="(\/status\/\w+)"/.exec(text)?.[1];
  const pathOf = (link: string) => new URL(link).pathname;

  /** Shares a secret, and follows its page to the private link. */
  async function shared() {
    const browser = await openFormBrowser(api);
    const created = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '2' });
    const urlToken = linkIn(created).slice(-26);
    const statusPath = statusPathIn(created) ?? '';
    const privateLink = pathOf(linkIn(await browser.get(statusPath)));
    return { browser, urlToken, statusPath, privateLink };
  }

  /** Opens a private link in a browser, as far as its page. */
  async function open(link: string, browser?: FormBrowser) {
    const own = browser ?? (await openFormBrowser(api));
    const { headers } = await own.get(link);
    const path = headers.location ?? '';
    return { browser: own, path, page: await own.get(path) };
  }

  const reveal = (urlToken: string) =>
    api.get(`/p/${urlToken}.json`, { 'user-agent': 'curl/8', referer: 'https://daffodil.test/' });

  it('shows what happened, and neither the secret, nor its link, nor anybody’s address', async () => {
    const { urlToken, privateLink } = await shared();
    const { page: fresh } = await open(privateLink);
    expect(visibleText(fresh)).to.include('Opened 0 of 2 times').and.include('Nobody has opened it yet.');
    await reveal(urlToken);
    const { page } = await open(privateLink);
    expect(visibleText(page)).to.include('Opened 1 of 2 times').and.include('Opened through the API');
    expect(page.text).to.not.match(/tulip|daffodil|127\.0\.0\.1/);
    expect(page.text).to.not.include(urlToken);
  });

  it('is in no address that a browser stays at', async () => {
    const { privateLink } = await shared();
    const { browser, path, page } = await open(privateLink);
    expect(path).to.match(/^\/status\/[0-9a-f]{8}$/);
    expect(page.status).to.equal(200);
    expect(visibleText(await browser.get(path))).to.include('What happened to your secret');
    const elsewhere = await api.get(path);
    expect(elsewhere.status).to.equal(404);
    expect(visibleText(elsewhere)).to.include('Open your private link again');
  });

  it('deletes the secret, and then shows when', async () => {
    const { urlToken, privateLink } = await shared();
    const { browser, path } = await open(privateLink);
    const deleted = await browser.submit(path, `${path}/delete`);
    expect(visibleText(deleted)).to.include('The link is deleted.').and.include('Deleted by hand');
    expect(deleted.text).to.not.include('/delete');
    expect((await reveal(urlToken)).body).to.include({ expired: true, deleted: true, payload: null });
    expect((await browser.send(`${path}/delete`, {})).status).to.equal(403); // without its token
  });

  it('is on a page that no other site can open', async () => {
    const browser = await openFormBrowser(api);
    const form = parseForms((await browser.get('/')).text).find(({ action }) => action === '/');
    const { headers } = await browser.send('/', {
      ...form?.fields,
      payload: 'tulip',
      lifetime: '1d',
      views: '2',
    });
    const cookie = headers['set-cookie']?.find((line) => line.startsWith('hushpush-created-'));
    expect(cookie).to.match(/; HttpOnly; SameSite=Strict; Max-Age=3600$/);
  });

  it('is shown to the creator alone, not to those who got the link of the secret', async () => {
    const { urlToken } = await shared();
    const cookie = `hushpush-created-00000000=${urlToken}`;
    const forged = await api.get('/created/00000000', { cookie });
    expect(linkIn(forged)).to.include(urlToken); // a recipient has that link anyway
    expect(statusPathIn(forged)).to.equal(undefined);
  });

  it('belongs to no secret of an account, which has a page for its owner', async () => {
    const browser = await openFormBrowser(api);
    await browser.signUp('status@example.com');
    const created = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '2' });
    expect(statusPathIn(created)).to.equal(undefined);
    expect(created.text).to.include(`/pushes/${linkIn(created).slice(-26)}`);
    const { account } = await createAccount(service.domain, 'status2@example.com');
    const { pushes } = service.domain;
    const push = await pushes.create({ payload: 'tulip' }, { ...anonymous, account });
    expect((await api.get(`/status/${pushes.statusToken(push)}`)).status).to.equal(404);
  });

  it('follows the page of a new secret once that has ended', async () => {
    const browser = await openFormBrowser(api);
    const form = { payload: 'tulip', lifetime: '1d', views: '1', csrf: await csrfOf(browser) };
    const { headers } = await browser.send('/', form);
    const createdPath = headers.location ?? '';
    await reveal(linkIn(await browser.get(createdPath)).slice(-26));
    const answer = await browser.get(createdPath);
    expect(answer.status).to.equal(303);
    expect(visibleText(await browser.get(answer.headers.location ?? ''))).to.include('Opened 1 of 1 time');
  });

  const csrfOf = async (browser: FormBrowser) =>
    /name="csrf" value="([^"]+)"/.exec((await browser.get('/')).text)?.[1] ?? '';

  it('cannot be made up, and trying counts as trying unknown links', async () => {
    const limited = await startService({ RATE_LIMITS: 'on', LIMIT_UNKNOWN_TOKENS: '3/1h' });
    const client = createClient(limited.port);
    const push = await limited.domain.pushes.create({ payload: 'tulip' }, anonymous);
    const token = limited.domain.pushes.statusToken(push);
    const madeUp = (index: number) => `/status/${push.id}.${String(index).padEnd(43, 'A')}`;
    try {
      for (const index of [1, 2, 3]) expect((await client.get(madeUp(index))).status).to.equal(404);
      expect((await client.get(madeUp(4))).status).to.equal(429);
      expect((await client.get(`/status/${token}`)).status).to.equal(303); // who has one is not shut out
    } finally {
      client.close();
      await limited.stop();
    }
  });
});

import { expect } from 'chai';
import type { Domain } from '../../src/domain/index.ts';
import { type Client, createClient } from '../harness/api.ts';
import { unescapeHtml } from '../harness/forms.ts';
import { type FormBrowser, openFormBrowser, parseForms, password, visibleText } from '../harness/pages.ts';
import { newEmail, startService, type TestService } from '../harness/service.ts';
import { type App, openApp } from '../harness/signedIn.ts';

const page = '/account/second-factor';

describe('The pages of a second factor', () => {
  let service: TestService;
  let domain: Domain;
  let api: Client;

  before(async () => {
    service = await startService();
    ({ domain } = service);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const sessionIn = ({ jar }: FormBrowser) => jar.get('hushpush-session');
  const codesIn = (html: string) => /<pre id="codes"[^>]*>([^<]*)</.exec(html)?.[1]?.split('\n') ?? [];

  /** Sets up an app as a person does: by the key on the page. */
  async function setUp(browser: FormBrowser): Promise<{ app: App; recoveryCodes: string[] }> {
    const shown = await browser.submit(page, `${page}/app`);
    const key = unescapeHtml(/<textarea[^>]*id="key"[^>]*>([^<]*)</.exec(shown.text)?.[1] ?? '');
    const app = openApp(domain, key);
    const form = parseForms(shown.text).find(({ action }) => action === `${page}/app/confirm`);
    const confirmed = await browser.send(`${page}/app/confirm`, {
      ...form?.fields,
      code: await app.code(-1),
    });
    expect(confirmed.status).to.equal(200);
    return { app, recoveryCodes: codesIn(confirmed.text) };
  }

  async function newPerson() {
    const email = newEmail();
    const browser = await openFormBrowser(api);
    await browser.signUp(email);
    return { email, browser, ...(await setUp(browser)) };
  }

  async function firstStep(email: string, next = '') {
    const browser = await openFormBrowser(api);
    const answer = await browser.submit(`/sign-in${next}`, '/sign-in', { email, password });
    return { browser, answer };
  }

  it('show the key as text and as a QR code, then ten recovery codes, once', async () => {
    const { browser, recoveryCodes } = await newPerson();
    expect(recoveryCodes).to.have.length(10);
    const shown = await browser.submit(page, `${page}/app`);
    expect(shown.text)
      .to.include('class="qr-code"')
      .and.to.match(/>[A-Z2-7]{4}( [A-Z2-7]{4}){7}</);
    const listed = await browser.get(page);
    expect(visibleText(listed)).to.include('Codes left: 10');
    for (const code of recoveryCodes) expect(listed.text).to.not.include(code);
  });

  it('ask for a code after the password, and lead on to where somebody wanted to be', async () => {
    const { email, app } = await newPerson();
    const { browser, answer } = await firstStep(email, '?next=/account/tokens');
    expect(visibleText(answer)).to.include('Second step');
    expect(sessionIn(browser)).to.equal(undefined);
    const at = '/second-factor?next=%2Faccount%2Ftokens';
    const wrong = await browser.submit(at, '/second-factor', { code: '000000' });
    expect([wrong.status, visibleText(wrong).includes('This code is wrong')]).to.deep.equal([401, true]);
    const form = parseForms(wrong.text).find(({ action }) => action === '/second-factor');
    const right = await browser.send('/second-factor', { ...form?.fields, code: await app.code() });
    expect(right.headers.location).to.equal('/account/tokens');
    expect((await browser.get('/account')).status).to.equal(200);
    expect((await browser.get('/second-factor')).status).to.equal(404);
  });

  it('open nothing before the second step', async () => {
    const { email } = await newPerson();
    const { browser } = await firstStep(email);
    for (const path of ['/account', '/pushes', '/account/tokens', page])
      expect((await browser.get(path)).headers.location, path).to.match(/^\/sign-in\?next=/);
  });

  it('let the second step be done only in the browser of the first', async () => {
    const { email, app } = await newPerson();
    await firstStep(email);
    const other = await openFormBrowser(api);
    expect((await other.get('/second-factor')).status).to.equal(404);
    const form = parseForms((await other.get('/sign-in')).text).find(({ action }) => action === '/sign-in');
    const sent = await other.send('/second-factor', { ...form?.fields, code: await app.code() });
    expect(sent.status).to.equal(404);
  });

  it('take a recovery code instead', async () => {
    const { email, recoveryCodes } = await newPerson();
    const { browser } = await firstStep(email);
    await browser.submit('/second-factor', '/second-factor', { recoveryCode: String(recoveryCodes[3]) });
    expect(visibleText(await browser.get(page))).to.include('Codes left: 9');
  });

  it('never lead to another site', async () => {
    const { email, app } = await newPerson();
    const { browser } = await firstStep(email, '?next=//evil.example');
    const form = parseForms((await browser.get('/second-factor?next=//evil.example')).text)[0];
    const right = await browser.send('/second-factor', { ...form?.fields, code: await app.code() });
    expect(right.headers.location).to.equal('/pushes');
  });

  it('ask for the code after a link for a new password as well', async () => {
    const { email, app } = await newPerson();
    const browser = await openFormBrowser(api);
    const link = `/reset/${await domain.passwordLinks.create(email, 'reset', 'operator')}`;
    const answer = await browser.submit(link, link, { next: 'another horse battery' });
    expect(visibleText(answer)).to.include('Second step');
    await browser.submit('/second-factor', '/second-factor', { code: await app.code() });
    expect((await browser.get('/account')).status).to.equal(200);
  });

  it('show the same key again after a wrong code, and say when it took too long', async () => {
    const browser = await openFormBrowser(api);
    await browser.signUp(newEmail());
    const shown = await browser.submit(page, `${page}/app`);
    const fields = parseForms(shown.text).find(({ action }) => action.endsWith('/confirm'))?.fields ?? {};
    const again = await browser.send(`${page}/app/confirm`, { ...fields, code: '000000' });
    expect([again.status, again.text.includes(String(fields.enrolment))]).to.deep.equal([422, true]);
    await service.database.execute('UPDATE one_time_links SET expires_at = expires_at - 600000', {});
    const late = await browser.send(`${page}/app/confirm`, { ...fields, code: '000000' });
    expect([late.status, visibleText(late).includes('This took too long')]).to.deep.equal([404, true]);
  });

  it('end what a removed app could do', async () => {
    const { email, browser } = await newPerson();
    const removed = await browser.submit(page, `${page}/app/remove`);
    expect(visibleText(removed)).to.include('The factor is removed.');
    const { browser: again } = await firstStep(email);
    expect((await again.get('/account')).status).to.equal(200);
  });
});

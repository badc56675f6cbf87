import { expect } from 'chai';
import type { Domain } from '../../src/domain/index.ts';
import { type ApiResponse, bearer, type Client, createClient } from '../harness/api.ts';
import { attributeOf, unescapeHtml } from '../harness/forms.ts';
import { type FormBrowser, openFormBrowser, parseForms, password, visibleText } from '../harness/pages.ts';
import { openDevice, type PasskeyDevice } from '../harness/passkeyDevice.ts';
import { newEmail, startService, type TestService } from '../harness/service.ts';

const site = 'http://localhost';
const factorsPage = '/account/second-factor';
const passkeysPage = `${factorsPage}/passkeys`;

describe('The pages of passkeys', () => {
  let service: TestService;
  let domain: Domain;
  let api: Client;

  before(async () => {
    service = await startService({ BASE_URL: site, SECOND_FACTOR: 'everyone' });
    ({ domain } = service);
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
  });

  const optionsIn = ({ text }: ApiResponse) =>
    JSON.parse(
      unescapeHtml(attributeOf(/<form[^>]*data-passkey[^>]*>/.exec(text)?.[0] ?? '', 'data-passkey')),
    );

  async function challengeIn(browser: FormBrowser): Promise<string> {
    const answer = await browser.get('/passkeys/challenge');
    expect(answer.headers['content-type']).to.match(/^application\/json/);
    return JSON.parse(answer.text).challenge;
  }

  /** Fills in a form as the script of the page does. */
  async function complete(
    browser: FormBrowser,
    page: ApiResponse,
    action: string,
    fields: Record<string, string>,
  ): Promise<ApiResponse> {
    const form = parseForms(page.text).find((each) => each.action === action && 'passkey' in each.fields);
    return browser.send(action, { ...form?.fields, ...fields });
  }

  async function add(browser: FormBrowser, device: PasskeyDevice, name = 'Laptop') {
    const page = await browser.submit(factorsPage, `${passkeysPage}/new`);
    const passkey = device.create(optionsIn(page), await challengeIn(browser));
    return complete(browser, page, passkeysPage, { name, passkey });
  }

  async function signIn(browser: FormBrowser, device: PasskeyDevice, manner = {}, next = '') {
    const page = await browser.get(`/sign-in${next}`);
    const passkey = device.get(optionsIn(page), await challengeIn(browser), manner);
    return complete(browser, page, '/passkeys/sign-in', { passkey });
  }

  async function newPerson() {
    const email = newEmail();
    const account = await domain.accounts.create({ email, password });
    const token = await domain.apiTokens.issue(account, { name: 'ci' });
    const browser = await openFormBrowser(api);
    await browser.submit('/sign-in', '/sign-in', { email, password });
    return { email, account, token, browser, device: openDevice(site) };
  }

  it('let somebody who must have a second factor add one, and reach everything then', async () => {
    const { email, token, browser, device } = await newPerson();
    expect((await browser.get('/account')).headers.location).to.include('required=yes');
    expect((await api.get('/p/active.json', bearer(token))).status).to.equal(403);
    const codes = await add(browser, device);
    expect(visibleText(codes)).to.include('The passkey is added.').and.to.include('Your recovery codes');
    expect(visibleText(await browser.get('/account'))).to.include(email);
    expect((await api.get('/p/active.json', bearer(token))).status).to.equal(200);
    const again = await add(browser, openDevice(site), '<b>Key</b>');
    expect(again.headers.location).to.equal(`${factorsPage}?done=passkeyAdded`);
    const listed = visibleText(await browser.get(factorsPage));
    expect(listed).to.include('Laptop').and.to.include('<b>Key</b>').and.to.include('Codes left: 10');
  });

  it('give one another name', async () => {
    const { account, browser, device } = await newPerson();
    await add(browser, device);
    const [, link = ''] =
      /href="([^"]*\/rename\?id=[^"]*)"/.exec((await browser.get(factorsPage)).text) ?? [];
    const { pathname, search } = new URL(link, site);
    const action = `${passkeysPage}/rename`;
    const wrong = await browser.submit(pathname + search, action, { name: ' ' });
    expect([wrong.status, visibleText(wrong).includes('Rename the passkey Laptop')]).to.deep.equal([
      422,
      true,
    ]);
    const done = await browser.submit(pathname + search, action, { name: '<i>Blue</i>' });
    expect(visibleText(done)).to.include('The passkey has another name.').and.to.include('<i>Blue</i>');
    expect((await domain.passkeys.list(account)).map(({ name }) => name)).to.deep.equal(['<i>Blue</i>']);
    expect((await browser.get(`${action}?id=nonsense`)).status).to.equal(404);
  });

  it('sign in, and lead on to where somebody wanted to be, but to no other site', async () => {
    const { browser, device } = await newPerson();
    await add(browser, device);
    for (const [next, target] of [
      ['/account/tokens', '/account/tokens'],
      ['//evil.example', '/pushes'],
    ]) {
      const other = await openFormBrowser(api);
      const answer = await signIn(other, device, {}, `?next=${next}`);
      expect(answer.headers.location).to.equal(target);
      expect((await other.get('/account')).status).to.equal(200);
    }
  });

  it('say what is wrong with a passkey, and start no session', async () => {
    const { account, browser, device } = await newPerson();
    await add(browser, device);
    const other = await openFormBrowser(api);
    const refused: [object, string][] = [
      [{ origin: 'https://evil.example' }, `only at ${site}`],
      [{ rpId: 'evil.example' }, 'could not be verified'],
      [{ verifies: false }, 'did not verify you'],
    ];
    for (const [manner, text] of refused) {
      const answer = await signIn(other, device, manner);
      expect([answer.status, visibleText(answer).includes(text)], text).to.deep.equal([401, true]);
    }
    await service.database.execute('DELETE FROM passkeys WHERE account_id = $id', account);
    expect(visibleText(await signIn(other, device))).to.include('This passkey is not registered here');
    const page = await other.get('/sign-in');
    const garbage = await complete(other, page, '/passkeys/sign-in', { passkey: '{"id":[]}' });
    expect([garbage.status, visibleText(garbage).includes('could not be verified')]).to.deep.equal([
      401,
      true,
    ]);
    expect(other.jar.get('hushpush-session')).to.equal(undefined);
  });

  it('take the answer of another browser as too late, and give no challenge to one without cookies', async () => {
    const { browser, device } = await newPerson();
    await add(browser, device);
    const [thief, victim] = [await openFormBrowser(api), await openFormBrowser(api)];
    const page = await thief.get('/sign-in');
    await victim.get('/sign-in');
    const passkey = device.get(optionsIn(page), await challengeIn(victim));
    const answer = await complete(thief, page, '/passkeys/sign-in', { passkey });
    expect([answer.status, visibleText(answer).includes('began in another browser')]).to.deep.equal([
      401,
      true,
    ]);
    expect((await api.get('/passkeys/challenge')).status).to.equal(403);
  });

  it('ask for it in the second step, or for a recovery code', async () => {
    const { email, browser, device } = await newPerson();
    await add(browser, device);
    const other = await openFormBrowser(api);
    await other.submit('/sign-in', '/sign-in', { email, password });
    const step = await other.get('/second-factor');
    expect(visibleText(step)).to.include('I do not have my second factor');
    expect(step.text).to.not.include('one-time-code');
    const wrong = device.get(optionsIn(step), await challengeIn(browser));
    const refused = await complete(other, step, '/second-factor', { passkey: wrong });
    expect([refused.status, visibleText(refused).includes('This took too long')]).to.deep.equal([401, true]);
    const passkey = device.get(optionsIn(step), await challengeIn(other));
    const done = await complete(other, step, '/second-factor', { passkey });
    expect(done.headers.location).to.equal('/pushes');
  });

  it('ask for it where a session is not fresh, and go on with what was entered', async () => {
    const { browser, device } = await newPerson();
    await add(browser, device);
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});
    const action = '/account/tokens';
    const asked = await browser.submit(action, action, { name: 'laptop' });
    const form = parseForms(asked.text).find(({ fields }) => 'stepUpPasskey' in fields);
    const stepUpPasskey = device.get(optionsIn(asked), await challengeIn(browser));
    const wrong = await browser.send(action, { ...form?.fields, stepUpPasskey: '' });
    expect([wrong.status, visibleText(wrong).includes('could not be verified')]).to.deep.equal([401, true]);
    const done = await browser.send(action, { ...form?.fields, stepUpPasskey });
    expect(visibleText(done)).to.include('laptop').and.to.include('hp_');
  });

  it('show the form of a new passkey again with what is wrong', async () => {
    const { account, browser, device } = await newPerson();
    const page = await browser.submit(factorsPage, `${passkeysPage}/new`);
    const passkey = device.create(optionsIn(page), await challengeIn(browser));
    const nameless = await complete(browser, page, passkeysPage, { name: ' ', passkey });
    expect([nameless.status, visibleText(nameless).includes('Create the passkey')]).to.deep.equal([
      422,
      true,
    ]);
    const elsewhere = device.create(optionsIn(page), await challengeIn(browser), {
      origin: 'https://a.example',
    });
    const refused = await complete(browser, page, passkeysPage, { name: 'Key', passkey: elsewhere });
    expect([refused.status, visibleText(refused).includes(`only at ${site}`)]).to.deep.equal([401, true]);
    expect(refused.text).to.include('value="Key"');
    expect(await domain.passkeys.list(account)).to.deep.equal([]);
  });

  it('are left out where browsers know none, and say why', async () => {
    for (const [url, reason] of [
      ['http://push.test', 'need an https address'],
      ['https://192.0.2.7', 'need a host name'],
    ] as const) {
      const at = await startService({ BASE_URL: url });
      const client = createClient(at.port);
      try {
        const browser = await openFormBrowser(client);
        const page = await browser.get('/sign-in');
        expect(page.text).to.not.include('passkey').and.to.not.include('webauthn');
        await browser.signUp(newEmail());
        const factors = visibleText(await browser.get(factorsPage));
        expect(factors).to.include(reason).and.to.not.include('Add a passkey');
      } finally {
        client.close();
        await at.stop();
      }
    }
  });
});

import { expect } from 'chai';
import { startBrowser, type TestBrowser, type TestPage } from '../harness/browser.ts';
import { password } from '../harness/pages.ts';
import { newEmail, startService, type TestService } from '../harness/service.ts';
import { openApp } from '../harness/signedIn.ts';

describe('A second factor in a browser', () => {
  let browser: TestBrowser;
  let service: TestService;
  let page: TestPage;
  const email = newEmail();

  before(async function () {
    browser = await startBrowser(this);
    service = await startService({ SECOND_FACTOR: 'everyone' });
    await service.domain.accounts.create({ email, password });
  });
  beforeEach(async () => {
    page = await browser.open();
  });
  afterEach(async () => {
    const problems = page.problems();
    await page.close();
    expect(problems).to.deep.equal([]);
  });
  after(async () => {
    await browser?.close();
    await service?.stop();
  });

  const isAccessible = async (name: string) =>
    expect(await page.accessibilityViolations(), name).to.deep.equal([]);

  async function signIn() {
    await page.goto(`${service.url}/sign-in`);
    await page.fill('E-mail address', email);
    await page.fill('Password', password);
    await page.click('Sign in');
  }

  it('is set up where it is required, by the key that the page shows', async () => {
    await signIn();
    expect(await page.text()).to.include('requires a second factor');
    await isAccessible('the page of factors');
    await page.click('Set up an app');
    await isAccessible('the new key');
    const app = openApp(service.domain, await page.page.locator('#key').inputValue());
    await page.fill(/^Code/, await app.code(-1));
    await page.click('Confirm');
    expect(await page.text()).to.include('Your recovery codes');
    await isAccessible('the recovery codes');
    await page.goto(`${service.url}/account`);
    expect(await page.text()).to.include(email);
    await page.goto(`${service.url}/account/tokens`);
    await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});
    await page.fill('Name', 'laptop');
    await page.click('Create token');
    await page.page.getByText('I do not have my authenticator app').click();
    await isAccessible('the page that asks for a code or a recovery code');
  });

  it('is asked for in the second step', async () => {
    await signIn();
    expect(await page.text()).to.include('Second step');
    await isAccessible('the second step');
  });
});

import type { TestPage } from '../../../test/harness/browser.ts';
import { addPasskey, openDevice } from '../../../test/harness/passkeyDevice.ts';
import { freshlySignedIn, openApp } from '../../../test/harness/signedIn.ts';
import type { Scene } from './scene.ts';
import { password, type Studio, signUp } from './studio.ts';

const factorsPath = '/account/second-factor';
let counter = 0;

/** A browser that is signed in to an account of its own, on its page of second factors. */
async function atFactors({ visit, origin }: Studio): Promise<TestPage & { email: string }> {
  counter += 1;
  const page = await visit('/sign-up', { ip: `203.0.113.${100 + counter}` }); // few accounts come from one address
  const email = `frank${counter}@example.com`;
  await signUp(page, email);
  await page.goto(origin + factorsPath);
  return { ...page, email };
}

/** As `atFactors`, with an app that was just set up: the page of the recovery codes. */
async function setUp(studio: Studio) {
  const page = await atFactors(studio);
  await page.click(studio.messages.factors.addApp);
  const app = openApp(studio.service.domain, await page.page.locator('#key').inputValue());
  await page.page.locator('#code').fill(await app.code(-1));
  await page.click(studio.messages.factors.confirm);
  return page;
}

/** As `atFactors`, with passkeys of several devices. */
export async function withPasskeys(studio: Studio) {
  const page = await atFactors(studio);
  const { domain, database } = studio.service;
  const account = await freshlySignedIn(domain, await domain.accounts.find(page.email));
  for (const [name, isBackedUp] of [
    ['Laptop', false],
    ['iPhone', true],
    ['YubiKey 5C', false],
  ] as const)
    await addPasskey(domain, account, openDevice(studio.origin, { isBackedUp }), { name });
  const { id } = account;
  for (const change of [
    `last_used_at = created_at WHERE name = 'iPhone'`,
    `rp_id = 'old.example.com' WHERE name = 'YubiKey 5C'`,
  ])
    await database.execute(`UPDATE passkeys SET ${change} AND account_id = $id`, { id });
  await page.goto(studio.origin + factorsPath);
  return { ...page, account };
}

/** The second step of signing in to an account that has an app, or what `prepare` gives it. */
async function secondStep(studio: Studio, prepare = setUp): Promise<TestPage> {
  const { email } = await prepare(studio);
  const page = await studio.visit('/sign-in');
  await page.page.locator('#email').fill(email);
  await page.page.locator('#password').fill(password);
  await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
  return page;
}

/** Asks for a token in a browser whose sign-in is not fresh any more: the page that asks who is there. */
async function askAgain({ service, origin, messages }: Studio, page: TestPage): Promise<TestPage> {
  await page.goto(`${origin}/account/tokens`);
  await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at - 660000', {});
  await page.page.locator('#name').fill('Build');
  await page.click(messages.tokens.create);
  await service.database.execute('UPDATE sessions SET authenticated_at = authenticated_at + 660000', {});
  return page;
}

/** Second factors, and pages that ask who is there. */
export const signInScenes: Record<string, Scene> = {
  'second-factor': atFactors,
  'second-factor-required': async (studio) => {
    const page = await atFactors(studio);
    await page.goto(`${studio.origin}${factorsPath}?required=yes`);
    return page;
  },
  'second-factor-app': async (studio) => {
    const page = await atFactors(studio);
    await page.click(studio.messages.factors.addApp);
    return page;
  },
  'second-factor-app-wrong': async (studio) => {
    const page = await atFactors(studio);
    await page.click(studio.messages.factors.addApp);
    await page.page.locator('#code').fill('000000');
    await page.click(studio.messages.factors.confirm);
    return page;
  },
  'recovery-codes': setUp,
  'second-factor-set-up': async (studio) => {
    const page = await setUp(studio);
    await page.goto(studio.origin + factorsPath);
    return page;
  },
  passkeys: withPasskeys,
  'passkey-remove': async (studio) => {
    const page = await withPasskeys(studio);
    await page.page.getByText(studio.messages.passkeys.remove, { exact: true }).first().click();
    return page;
  },
  'passkey-new': async (studio) => {
    const page = await atFactors(studio);
    await page.click(studio.messages.passkeys.add);
    return page;
  },
  'second-step': (studio) => secondStep(studio),
  'second-step-passkey': (studio) => secondStep(studio, withPasskeys),
  'second-step-wrong': async (studio) => {
    const page = await secondStep(studio);
    await page.page.locator('#code').fill('000000');
    await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    await page.page.locator('main summary').click();
    return page;
  },
  'step-up': async (studio) => askAgain(studio, await atFactors(studio)),
  'step-up-passkey': async (studio) => askAgain(studio, await withPasskeys(studio)),
  'step-up-code': async (studio) => askAgain(studio, await setUp(studio)),
  'security-log-events': async (studio) => {
    const { origin, messages, visit } = studio;
    const { email, ...page } = await setUp(studio);
    const stranger = await visit('/sign-in', { ip: '198.51.100.80' });
    for (const wrong of ['first guess', 'second guess']) {
      await stranger.page.locator('#email').fill(email);
      await stranger.page.locator('#password').fill(wrong);
      await stranger.awaitNavigation(() => stranger.page.keyboard.press('Enter'));
    }
    await page.goto(`${origin}/account/tokens`);
    await page.page.locator('#name').fill('Build');
    await page.click(messages.tokens.create);
    await page.goto(`${origin}/account/security/log`);
    return page;
  },
};

import { createOpeningKey, fragmentOf } from '../../../src/client/sealing.js';
import { wrapKey, wrapKeyByPasskey } from '../../../src/client/wrappedKey.js';
import type { RequestLink } from '../../../src/domain/index.ts';
import type { TestPage } from '../../../test/harness/browser.ts';
import { someClient } from '../../../test/harness/service.ts';
import type { Scene } from './scene.ts';
import { withPasskeys } from './signInScenes.ts';
import { password, type Studio } from './studio.ts';

/** A request link of the account. */
const create = ({ service, account, texts }: Studio, input: object = {}): Promise<RequestLink> =>
  service.domain.requestLinks.create(
    { account: { ...account, subscribed: true }, client: someClient },
    { title: texts.names.database, note: texts.reasons.asking, ...input },
  );

const everything = { allowName: true, passphrase: 'open sesame', accepts: 'both' };

/** Opens a request link as a stranger does. */
const visit = async (studio: Studio, input?: object, options = {}): Promise<TestPage> =>
  studio.visit(`/a/${(await create(studio, input)).urlToken}`, options);

type SealedBy = { passphrase?: string; answers?: number };

/** A sealed request link of the account, with its own link, and the link for those who answer. */
async function createSealed(studio: Studio, { passphrase, answers = 2 }: SealedBy = {}) {
  const { openingKey, publicKeys } = await createOpeningKey();
  const wrappedKey = passphrase === undefined ? undefined : await wrapKey(openingKey, passphrase);
  const link = await create(studio, { publicKeys, wrappedKey, answers, accepts: 'text' });
  const page = `/requests/links/${link.id}`;
  return {
    ...{ page, own: `${page}#${openingKey}` },
    asked: `/a/${link.urlToken}#${await fragmentOf(publicKeys)}`,
  };
}

/** Sends a text, sealed. */
async function answerSealed(studio: Studio, asked: string, text = 'tulip'): Promise<TestPage> {
  const page = await studio.visit(asked);
  await page.page.locator('#payload').fill(text);
  await hold(studio, page);
  await page.page.waitForURL(/\/receipt\//);
  return page;
}

type Change = { path: string; selector: string; attribute: string; value: string };

/** Changes a page before its scripts read it, as somebody between the server and its reader could. */
const tamper = ({ page }: TestPage, { path, selector, attribute, value }: Change) =>
  page.addInitScript(`document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive' || location.pathname !== ${JSON.stringify(path)}) return;
    document.querySelector('${selector}')?.setAttribute('${attribute}', '${value}');
  });`);

/** The own page of a sealed link, in the account's browser, once it has what opens the answers. */
async function unlocked(studio: Studio, own: string): Promise<TestPage> {
  const page = await studio.own(own);
  await page.page.locator('#unlock').waitFor({ state: 'detached' });
  return page;
}

async function hold({ messages }: Studio, page: TestPage, ms?: number): Promise<TestPage> {
  const name = messages.answer.hold;
  await page.page.getByRole('button', { name }).scrollIntoViewIfNeeded();
  await page.hold(name, ms);
  return page;
}

async function answer({ service }: Studio, { urlToken }: RequestLink, name: string): Promise<void> {
  await using begun = await service.domain.requestLinks.beginAnswer(urlToken ?? '', someClient);
  await begun.send({ formId: `${name} ${urlToken}`, text: 'tulip', name });
}

/** The page of a link for its account, with two answers of which one was opened. */
async function answered(studio: Studio, answers: number): Promise<TestPage> {
  const link = await create(studio, { answers, allowName: true });
  for (const name of ['Bea, Acme', 'Carol']) await answer(studio, link, name);
  const { requestLinks, pushes } = studio.service.domain;
  const [first] = await requestLinks.listAnswers({ account: studio.account }, link.id);
  await pushes.reveal(first?.urlToken ?? '', undefined, { account: null, client: someClient });
  return studio.own(`/requests/links/${link.id}`);
}

/** Request links, for their accounts and for those who answer. */
export const requestLinkScenes: Record<string, Scene> = {
  'request-links': async (studio) => {
    await create(studio, { answers: 3 });
    return studio.own('/requests');
  },
  'request-link-new': ({ own }) => own('/requests/links/new'),
  'request-link-new-passkey': async (studio) => {
    const page = await withPasskeys(studio);
    await page.goto(`${studio.origin}/requests/links/new`);
    await page.page.locator('#sealing').selectOption('passkey');
    return page;
  },
  'request-link-wrong': async ({ own }) => {
    const page = await own('/requests/links/new');
    await page.page.evaluate('for (const form of document.forms) form.noValidate = true');
    await page.page.locator('#sealing').selectOption('server');
    await page.page.locator('#answers').fill('101');
    await page.awaitNavigation(() => page.page.locator('main form [type=submit]').click());
    return page;
  },
  'request-link': async (studio) => studio.own(`/requests/links/${(await create(studio)).id}`),
  'request-link-passkey': async (studio) => {
    const { account, ...page } = await withPasskeys(studio);
    const { passkeys } = studio.service.domain;
    const [{ credentialId = '' } = {}] = await passkeys.list(account);
    const keys = await createOpeningKey();
    const passkey = { credentialId, salt: new Uint8Array(32), secret: new Uint8Array(32) };
    const wrappedKey = await wrapKeyByPasskey(keys, passkey);
    const link = await create({ ...studio, account }, { publicKeys: keys.publicKeys, wrappedKey });
    await page.goto(`${studio.origin}/requests/links/${link.id}`);
    return page;
  },
  'request-link-answers': (studio) => answered(studio, 5),
  'request-link-ended': (studio) => answered(studio, 2),
  'request-link-new-passphrase': async ({ own }) => {
    const page = await own('/requests/links/new');
    await page.page.locator('#sealing').selectOption('passphrase');
    return page;
  },
  'request-link-sealed-created': async ({ own, texts }) => {
    const page = await own('/requests/links/new');
    await page.page.locator('#title').fill(texts.names.database);
    await page.awaitNavigation(() => page.page.locator('main form [type=submit]').click());
    await page.page.locator('#own-link').waitFor();
    return page;
  },
  'request-link-locked': async (studio) => {
    const { asked, page } = await createSealed(studio);
    await answerSealed(studio, asked);
    return studio.own(page);
  },
  'request-link-locked-passphrase': async (studio) => {
    const { asked, page } = await createSealed(studio, { passphrase: password });
    await answerSealed(studio, asked);
    const own = await studio.own(page);
    await own.page.locator('#opening').fill('wrong');
    await own.page.locator('#unlock button').click();
    await own.page.locator('#sealing-report.error').waitFor();
    return own;
  },
  'request-link-sealed': async (studio) => {
    const { asked, own } = await createSealed(studio, { answers: 3 });
    await answerSealed(studio, asked);
    const scriptless = await studio.visit(asked, { hasScripts: false });
    await scriptless.page.locator('#payload').fill('rose');
    await scriptless.typeWord();
    await scriptless.awaitNavigation(() => scriptless.page.locator('.alternative [type=submit]').click());
    return unlocked(studio, own);
  },
  'request-link-other-key': async (studio) => {
    const { page } = await createSealed(studio);
    const { openingKey } = await createOpeningKey();
    const own = await studio.own(`${page}#${openingKey}`);
    await own.page.locator('#sealing-report.error').waitFor();
    return own;
  },
  'request-link-tampered': async (studio) => {
    const { asked, own, page } = await createSealed(studio);
    for (const text of ['tulip', 'rose']) await answerSealed(studio, asked, text);
    const owner = await studio.own('/requests');
    const changed = { selector: '[data-sealed-key]', attribute: 'data-sealed-key', value: 'A'.repeat(135) };
    await tamper(owner, { path: page, ...changed });
    await unlocked(studio, own);
    await owner.page.locator('.list .error').waitFor();
    return owner;
  },
  'sealed-answer-of-owner': async (studio) => {
    const { asked, own } = await createSealed(studio);
    await answerSealed(studio, asked);
    const page = await unlocked(studio, own);
    const link = (await page.page.locator('.list a.button').getAttribute('href')) ?? '';
    return studio.own(link.replace(/^.*\/p\/(\w+)#.*$/, '/pushes/$1'));
  },
  'answer-sealed': async (studio) => studio.visit((await createSealed(studio)).asked),
  'answer-sealed-without-scripts': async (studio) =>
    studio.visit((await createSealed(studio)).asked, { hasScripts: false }),
  'answer-sealed-sent': async (studio) => answerSealed(studio, (await createSealed(studio)).asked),
  'answer-cut-off': async (studio) => {
    const page = await studio.visit((await createSealed(studio)).asked.slice(0, -1));
    await page.page.locator('#not-sealed').waitFor();
    return page;
  },
  'answer-other-keys': async (studio) => {
    const { asked } = await createSealed(studio);
    const { publicKeys } = await createOpeningKey();
    const page = await studio.visit('/privacy');
    const changed = { selector: '#sealing', attribute: 'data-keys', value: publicKeys };
    await tamper(page, { path: asked.replace(/#.*/, ''), ...changed });
    await page.goto(studio.origin + asked);
    await page.page.locator('#not-sealed').waitFor();
    return page;
  },
  answer: (studio) => visit(studio, { accepts: 'text' }),
  'answer-everything': (studio) => visit(studio, everything),
  'answer-files': async (studio) => {
    const page = await visit(studio, { accepts: 'files' });
    await page.page
      .locator('#files')
      .setInputFiles([{ name: 'server.pem', mimeType: 'text/plain', buffer: Buffer.alloc(1_675) }]);
    return page;
  },
  'answer-word': async (studio) => hold(studio, await visit(studio, { accepts: 'text' }), 200),
  'answer-wrong-passphrase': async (studio) => {
    const page = await visit(studio, everything);
    await page.page.locator('#passphrase').fill('wrong');
    await page.page.locator('#payload').fill('tulip');
    return hold(studio, page);
  },
  'answer-without-scripts': (studio) => visit(studio, everything, { hasScripts: false }),
  'answer-sent': async (studio) => {
    const page = await visit(studio, { accepts: 'text' });
    await page.page.locator('#payload').fill('tulip');
    return hold(studio, page);
  },
  'answer-closed': ({ visit }) => visit(`/a/${'0'.repeat(26)}`),
};

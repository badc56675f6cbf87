import type { TestPage } from '../../../test/harness/browser.ts';
import { chatCaller } from '../../../test/harness/chat.ts';
import type { Scene } from './scene.ts';
import { type Studio, secret } from './studio.ts';

const submitButton = '#new-push [type=submit]:not([name])';
const options = '.more > summary';

async function submit(page: TestPage): Promise<TestPage> {
  await page.awaitNavigation(() => page.page.locator(submitButton).click());
  return page;
}

async function created({ visit }: Studio): Promise<TestPage> {
  const page = await visit('/');
  await page.page.locator('#payload').fill(secret);
  return submit(page);
}

/** A form with a text that the browser encrypts. */
async function encrypted({ visit, messages }: Studio): Promise<TestPage> {
  const page = await visit('/');
  await page.page.locator('#payload').fill(secret);
  await page.page.locator(options).click();
  await page.page.getByLabel(messages.newPush.encryption.label).check();
  return page;
}

async function withFiles({ visit, texts }: Studio): Promise<TestPage> {
  const page = await visit('/');
  await page.page.locator('#files').setInputFiles([
    { name: 'server.pem', mimeType: 'text/plain', buffer: Buffer.alloc(1_675) },
    { name: 'customers-2026.sql.gz', mimeType: 'application/gzip', buffer: Buffer.alloc(21_495_808) },
  ]);
  await page.page.locator('#payload').fill(texts.message);
  return page;
}

/** The pages of whoever shares a secret, with and without an account. */
export const senderScenes: Record<string, Scene> = {
  'new-push': ({ visit }) => visit('/'),
  'new-push-filled': async ({ visit, messages }) => {
    const page = await visit('/');
    await page.page.getByRole('button', { name: messages.newPush.generatePassword }).click();
    return page;
  },
  'new-push-options': async ({ own }) => {
    const page = await own('/');
    await page.page.locator(options).click();
    return page;
  },
  'new-push-address': async ({ visit }) => {
    const page = await visit('/');
    await page.page.locator('#payload').fill('https://wiki.example.com/start');
    await page.page.locator('#as-link input').check();
    return page;
  },
  'new-push-files': withFiles,
  'new-push-encrypted': encrypted,
  'new-push-wrong': async ({ visit }) => {
    const page = await visit('/');
    await page.page.locator(options).click();
    await page.page.locator('#kind').selectOption('url');
    await page.page.locator('#payload').fill('intranet');
    await page.page.locator('#views option').first().evaluate('(option) => { option.value = 1000; }');
    return submit(page);
  },
  'new-push-offline': async ({ visit }) => {
    const page = await visit('/');
    await page.page.locator('#payload').fill(secret);
    await page.context.setOffline(true);
    return submit(page);
  },
  'new-push-from-chat': async ({ visit, service: { domain } }) => {
    const { token, save } = domain.chat.prepareComposeLink(chatCaller());
    await save();
    return visit(`/compose/${token}`);
  },
  'compose-gone': ({ visit }) => visit('/compose/used'),
  created,
  'created-passphrase': async ({ own }) => {
    const page = await own('/');
    await page.page.locator('#payload').fill(secret);
    await page.page.locator(options).click();
    await page.page.locator('#passphrase').fill('open sesame');
    return submit(page);
  },
  'created-encrypted': async (studio) => {
    const page = await encrypted(studio);
    await submit(page);
    await page.page.locator('#with-key').waitFor();
    return page;
  },
  status: async (studio) => {
    const page = await created(studio);
    const link = await page.page.locator('#link').inputValue();
    const viewer = await studio.visit(link, { ip: '198.51.100.7' });
    await viewer.hold(studio.messages.confirm.hold);
    await page.awaitNavigation(() => page.page.locator('.next-steps a').last().click());
    return page;
  },
  'status-gone': ({ visit }) => visit('/status/0a1b2c3d'),
  pushes: ({ own }) => own('/pushes'),
  'pushes-expired': ({ own }) => own('/pushes?state=expired'),
  'pushes-none-found': ({ own }) => own('/pushes?search=nothing'),
  'pushes-selected': async ({ own }) => {
    const page = await own('/pushes');
    const boxes = page.page.locator('[name=push]');
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    return page;
  },
  'pushes-delete-selected': async ({ own }) => {
    const page = await own('/pushes');
    const boxes = page.page.locator('[name=push]');
    await boxes.nth(0).check();
    await boxes.nth(2).check();
    await page.awaitNavigation(() => page.page.locator('.selection-bar .danger').click());
    return page;
  },
  push: async (studio) => {
    const { ownPush, visit, messages, texts, own, api } = studio;
    const link = await ownPush({ name: texts.names.vpn, note: texts.note, expire_after_views: 3 });
    const { pathname } = new URL(link);
    for (const agent of ['Slackbot-LinkExpanding 1.0', 'Mozilla/5.0 (compatible; bingbot/2.0)'])
      await api.get(pathname, { 'user-agent': agent, 'x-forwarded-for': '192.0.2.80' });
    const viewer = await visit(link, { ip: '198.51.100.7' });
    await viewer.hold(messages.confirm.hold);
    return own(`/pushes/${pathname.split('/').at(-1)}`);
  },
  'push-recipients': async ({ own, ownPush }) => {
    const link = await ownPush({ recipients: ['Bob', 'Carol', 'Dan'] });
    return own(`/pushes/${new URL(link).pathname.split('/').at(-1)}`);
  },
  'push-ended': async ({ own }) => {
    const page = await own('/pushes?state=expired');
    await page.awaitNavigation(() => page.page.locator('.push-table tbody th a').first().click());
    return page;
  },
};

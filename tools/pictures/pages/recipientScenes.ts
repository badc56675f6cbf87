import { setTimeout as sleep } from 'node:timers/promises';
import { encryptPush } from '../../../src/client/client.ts';
import { asMultipart, expirePushIn, multipart } from '../../../test/harness/api.ts';
import type { TestPage } from '../../../test/harness/browser.ts';
import type { Scene } from './scene.ts';
import type { Studio } from './studio.ts';

/** Opens a link as a person does. */
async function reveal({ visit, messages }: Studio, link: string): Promise<TestPage> {
  const page = await visit(link);
  await page.hold(messages.confirm.hold);
  return page;
}

async function shown(studio: Studio, fields: Record<string, unknown>): Promise<TestPage> {
  const page = await reveal(studio, await studio.push(fields));
  await page.click(studio.messages.secret.show);
  return page;
}

async function enterPassphrase({ visit, push, messages }: Studio, tries: number): Promise<TestPage> {
  const page = await visit(await push({ passphrase: 'open sesame' }), { ip: '198.51.100.99' });
  for (let tried = 0; tried < tries; tried++) {
    await page.page.locator('#passphrase').fill('wrong');
    await page.hold(messages.confirm.hold);
  }
  return page;
}

const longText = Array.from(
  { length: 60 },
  (_, at) => `export SETTING_${at}="${'x'.repeat(20 + ((at * 37) % 60))}"`,
);

/** The pages of whoever opens a link. */
export const recipientScenes: Record<string, Scene> = {
  step: async ({ visit, push }) => visit(await push()),
  'step-word': async ({ visit, push, messages }) => {
    const page = await visit(await push());
    await page.hold(messages.confirm.hold, 200);
    return page;
  },
  'step-passphrase': async ({ visit, push }) => visit(await push({ passphrase: 'open sesame' })),
  'step-wrong-passphrase': (studio) => enterPassphrase(studio, 1),
  'step-without-key': async ({ visit, push }) => {
    const { push: encrypted } = await encryptPush({ payload: 'tulip' });
    return visit(await push(encrypted));
  },
  'step-without-scripts': async ({ visit, push }) => visit(await push(), { hasScripts: false }),
  secret: async (studio) => reveal(studio, await studio.push()),
  'secret-shown': (studio) => shown(studio, {}),
  'secret-last-view': (studio) => shown(studio, { expire_after_views: 1 }),
  'secret-long': (studio) => shown(studio, { payload: longText.join('\n') }),
  'secret-url': async (studio) =>
    reveal(
      studio,
      await studio.push({ kind: 'url', payload: 'https://wiki.example.com/onboarding?lang=en' }),
    ),
  'secret-qr': async (studio) =>
    reveal(studio, await studio.push({ kind: 'qr', payload: 'WIFI:T:WPA;S:Guests;P:correct horse;;' })),
  'secret-files': async (studio) => {
    const { api, texts } = studio;
    const body = multipart({
      'password[payload]': texts.message,
      'password[files][]"; filename="server.pem': 'x'.repeat(1_675),
      'password[files][]"; filename="customers-2026.sql.gz': 'x'.repeat(2_000_000),
    });
    const response = await api.send('POST', '/p.json', { headers: asMultipart, body });
    const page = await reveal(studio, String(response.body.html_url));
    await page.click(studio.messages.secret.show);
    return page;
  },
  'secret-encrypted': async (studio) => {
    const { push, key } = await encryptPush({ payload: 'correct horse battery staple' });
    const page = await reveal(studio, `${await studio.push(push)}#${key}`);
    await page.page.locator('#decrypted').waitFor();
    await page.click(studio.messages.secret.show);
    return page;
  },
  'secret-delete': async (studio) => {
    const page = await reveal(studio, await studio.push());
    await page.page.locator('.confirmed-action > summary').click();
    return page;
  },
  deleted: async (studio) => {
    const page = await reveal(studio, await studio.push());
    await page.page.locator('.confirmed-action > summary').click();
    await page.click(studio.messages.secret.deleteForGood);
    return page;
  },
  seen: async (studio) => {
    const link = await studio.push({ expire_after_views: 1 });
    const page = await reveal(studio, link);
    await studio.service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
    await page.goto(link);
    return page;
  },
  locked: (studio) => enterPassphrase(studio, 6),
  gone: ({ visit }) => visit(`/p/${'0'.repeat(26)}`),
  'gone-ask': async ({ visit, ownPush, service }) => {
    const link = await ownPush({ notify: { asked_again: true } });
    await expirePushIn(service, /\w{26}$/.exec(link)?.[0] ?? '', -1);
    return visit(link);
  },
  offline: async ({ visit, push, messages }) => {
    const page = await visit(await push());
    await page.context.setOffline(true);
    await page.hold(messages.confirm.hold);
    await sleep(100);
    return page;
  },
};

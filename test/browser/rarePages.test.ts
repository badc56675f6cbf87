import { expect } from 'chai';
import pLimit from 'p-limit';
import { encryptPush } from '../../src/client/client.ts';
import { type Messages, messagesOf, toLocale } from '../../src/locales/locales.ts';
import { bearer } from '../harness/api.ts';
import type { TestPage } from '../harness/browser.ts';
import { chatCaller, newChatUser } from '../harness/chat.ts';
import { onMariadb } from '../harness/database.ts';
import { createAccount, newEmail, startService } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';
import { variants, widthMax } from './variants.ts';

type Scene = { site: Site; page: TestPage; m: Messages };

/** A page that few people see: how to get there, and what it says. */
type RarePage = { says(m: Messages): string; open(scene: Scene): Promise<unknown> };

const unused = '0'.repeat(26);

const pages: Record<string, RarePage> = {
  'a wrong address': {
    says: (m) => m.errorPage.notFound.title,
    open: ({ site, page }) => page.goto(`${site.base}/nothing`),
  },
  'a link that opens nothing': {
    says: (m) => m.gone.title,
    async open({ site, page }) {
      const address = await site.push();
      await site.api.send('DELETE', `${new URL(address).pathname}.json`);
      await page.goto(address);
    },
  },
  'too many requests': {
    says: (m) => m.errorPage.tooMany,
    async open({ site, page }) {
      for (let tries = 0; tries < 3; tries++) await page.goto(`${site.base}/p/${unused}`);
    },
  },
  'too many wrong passphrases': {
    says: (m) => m.locked.title,
    async open({ site, page, m }) {
      await page.goto(await site.push({ passphrase: 'p' }));
      for (let tries = 0; tries < 2; tries++) {
        await page.page.locator('#passphrase').fill('wrong');
        await page.hold(m.confirm.hold);
      }
    },
  },
  'a secret that this browser has seen': {
    says: (m) => m.alreadyOpened.title,
    async open(scene) {
      const address = await reveal(scene, { expire_after_views: 1 });
      await scene.site.service.database.execute('UPDATE spent_nonces SET view_expires_at = 1', {});
      await scene.page.goto(address);
    },
  },
  'a push for its recipients alone': {
    says: (m) => m.refusals.reservedForRecipients,
    async open({ site, page }) {
      const { token } = await createAccount(site.service.domain);
      await page.goto(await site.push({ recipients: ['Bob'] }, bearer(token)));
    },
  },
  'a press without a connection': {
    says: (m) => m.confirm.offline,
    async open({ site, page, m }) {
      await page.goto(await site.push());
      await page.context.setOffline(true);
      await page.hold(m.confirm.hold);
    },
  },
  'a form that is sent without a connection': {
    says: (m) => m.newPush.offline,
    async open({ site, page, m }) {
      await page.goto(`${site.base}/`);
      await page.page.locator('#payload').fill('tulip');
      await page.context.setOffline(true);
      await page.click(m.newPush.submit);
    },
  },
  'a form that is out of date': {
    says: (m) => m.errorPage.stale,
    async open({ site, page }) {
      await page.goto(`${site.base}/sign-in`);
      await page.page.evaluate('document.querySelector("main [name=csrf]").value = "x"');
      await page.page.locator('#email').fill(newEmail());
      await page.page.locator('#password').fill('correct horse battery');
      await page.awaitNavigation(() => page.page.keyboard.press('Enter'));
    },
  },
  'a link to set a password': {
    says: (m) => m.newPassword.title,
    async open({ site, page }) {
      const { passwordLinks, accounts } = site.service.domain;
      const { email } = await accounts.create({ email: newEmail() });
      await page.goto(`${site.base}/invite/${await passwordLinks.create(email, 'invite', 'operator')}`);
    },
  },
  'composing for people in a chat': {
    says: (m) => m.newPush.submit,
    async open({ site, page }) {
      const context = { ...chatCaller(), recipients: [newChatUser()] };
      const { token, save } = site.service.domain.chat.prepareComposeLink(context);
      await save();
      await page.goto(`${site.base}/compose/${token}`);
    },
  },
  'an export of activity': {
    says: (m) => m.activityExport.title,
    open: async ({ site, page }) =>
      page.goto(
        `${site.base}/export/${await site.service.domain.chat.createExportLink(chatCaller(undefined, { standing: 'admin' }))}`,
      ),
  },
  'a new push': {
    says: (m) => m.pushCreated.title,
    async open({ site, page, m }) {
      await page.goto(`${site.base}/`);
      await page.page.locator('#payload').fill('tulip');
      await page.click(m.newPush.submit);
    },
  },
  'an encrypted secret': {
    says: (m) => m.secret.copy,
    async open(scene) {
      const { push, key } = await encryptPush({ payload: 'tulip' });
      await reveal(scene, push, `#${key}`);
      await scene.page.page.locator('#decrypted').waitFor();
    },
  },
};

async function reveal({ site, page, m }: Scene, fields: object, fragment = ''): Promise<string> {
  const address = await site.push({ ...fields });
  await page.goto(`${address}${fragment}`);
  await page.hold(m.confirm.hold);
  return address;
}

// Browsers do not depend on the database, so this runs once.
const describeOnce = onMariadb ? describe : () => {};

describeOnce('Errors, and other pages that few people see', () => {
  let site: Site;

  before(async function () {
    site = await startSite(this, {
      RATE_LIMITS: 'on',
      LIMIT_REQUESTS: '1000000/1h',
      LIMIT_PASSPHRASE_BY_CLIENT: '1/10m',
      LIMIT_UNKNOWN_TOKENS: '1/1h',
    });
  });
  after(() => site?.stop());

  for (const options of variants)
    it(`are accessible in the ${options.theme} theme on a ${options.device}, in ${options.locale}`, async () => {
      const some = pLimit(4); // they mostly wait
      await Promise.all(
        Object.entries(pages).map(([name, page]) => some(() => expectAccessible(options, { name, ...page }))),
      );
    });

  it('are accessible where the service has failed, and while it starts', async () => {
    await site.service.database.execute('DROP TABLE one_time_links', {});
    const starting = await startService({}, { isReady: false });
    for (const options of variants) {
      await expectAccessible(options, {
        name: 'a failure',
        says: (m) => m.errorPage.failure,
        open: ({ page }) => page.goto(`${site.base}/connect/${'x'.repeat(43)}`),
      });
      await expectAccessible(options, {
        name: 'a start',
        says: (m) => m.errorPage.unavailable,
        open: ({ page }) => page.goto(`${starting.url}/p/${unused}`),
      });
    }
    await starting.stop();
  });

  async function expectAccessible(
    options: (typeof variants)[number],
    { name, says, open }: RarePage & { name: string },
  ): Promise<void> {
    const m = messagesOf(toLocale(options.locale));
    const page = await site.browser.open(options);
    try {
      await open({ site, page, m });
      expect(await page.text(), name).to.include(says(m));
      expect(await page.accessibilityViolations(), name).to.deep.equal([]);
      const width = Number(await page.page.evaluate('document.documentElement.scrollWidth'));
      expect(width, `the width of ${name}`).to.be.at.most(widthMax[options.device]);
      expect(page.problems(), name).to.deep.equal([]);
    } finally {
      await page.close();
    }
  }
});

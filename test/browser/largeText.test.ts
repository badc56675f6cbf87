import { expect } from 'chai';
import { bearer } from '../harness/api.ts';
import { anonymous, byPassword, createAccount } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

const width = 360;
const open = [
  '/',
  '/sign-in',
  '/sign-up',
  '/privacy',
  '/support',
  '/nothing',
  `/p/${'0'.repeat(26)}`,
  '/p/x',
];
const own = [
  '/',
  '/pushes',
  '/account',
  '/account/tokens',
  '/account/rules',
  '/device?code=WDJB-MJHT',
  '/account/webhooks',
  '/account/security',
  '/account/security/log',
  '/account/notices',
  '/docs',
];

describe('Text that is twice as large, on a phone', () => {
  let site: Site;

  before(async function () {
    site = await startSite(this);
  });
  after(() => site?.stop());

  for (const locale of ['en-GB', 'de-DE'])
    it(`makes no page scroll sideways, in ${locale}`, async () => {
      const { account, token } = await createAccount(site.service.domain);
      const name = 'Zugangsdaten für die Produktionsdatenbank';
      const link = await site.push({ name }, bearer(token));
      const listed = `/pushes/${link.split('/').at(-1)}`;
      const value = await site.service.domain.sessions.create(account, anonymous.client, byPassword);
      const phone = { viewport: { width, height: 740 } };
      const page = await site.browser.open({ device: 'phone', locale, contextOptions: phone });
      const wide: string[] = [];
      for (const paths of [open, [...own, listed]]) {
        for (const path of paths) {
          await page.goto(site.base + path);
          await page.page.evaluate(`{
            const large = new CSSStyleSheet();
            large.replaceSync('html { font-size: 200% }');
            document.adoptedStyleSheets = [large];
          }`);
          const over = Number(await page.page.evaluate(`document.documentElement.scrollWidth - ${width}`));
          if (over > 0) wide.push(`${path}: ${over} px`);
        }
        await page.context.addCookies([{ name: 'hushpush-session', value, url: site.origin }]);
      }
      await page.close();
      expect(wide).to.deep.equal([]);
    });
});

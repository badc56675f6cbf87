import { expect } from 'chai';
import { createAccount } from '../harness/service.ts';
import { type Site, startSite } from '../harness/site.ts';

describe('The description of the API in a browser', () => {
  let site: Site;

  before(async function () {
    site = await startSite(this);
  });
  after(() => site?.stop());

  it('sends the requests of its forms to this server, and shows the responses', async () => {
    const { token } = await createAccount(site.service.domain);
    const opened = await site.browser.open();
    await opened.goto(`${site.base}/docs`);
    const { page } = opened;
    const responseOf = async (operationId: string, fields: Record<string, string> = {}) => {
      const section = page.locator(`#${operationId}`);
      await section.getByText('Try it').click();
      for (const [name, value] of Object.entries(fields)) await section.getByLabel(name).fill(value);
      await section.getByRole('button', { name: 'Send' }).click();
      const output = section.locator('form pre', { hasText: /^\d{3} / });
      return (await output.textContent()) ?? '';
    };
    await page.locator('#api-token').fill(token);
    const created = await responseOf('createPush');
    expect(created).to.match(/^201 .*"url_token"/s);
    const [, urlToken = ''] = /"url_token": "(\w+)"/.exec(created) ?? [];
    const retrieved = await responseOf('retrievePush', { url_token: urlToken });
    expect(retrieved).to.match(/^200 .*"payload": "correct horse battery staple"/s);
    expect(await responseOf('listActivePushes')).to.match(/^200 /);
    expect(opened.problems()).to.deep.equal([]);
    await opened.close();
  });
});

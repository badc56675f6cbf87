import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { request } from 'undici';
import { startMattermost } from '../../tools/standins/mattermost/mattermost.ts';
import { environmentOf } from '../bots/mattermost/stage.ts';
import { createClient } from '../harness/api.ts';
import { slackOn } from '../harness/chat.ts';
import { visibleText } from '../harness/pages.ts';
import { startService } from '../harness/service.ts';

describe('What a server says of itself', () => {
  async function read(path: string, settings: Record<string, string> = {}) {
    const service = await startService(settings);
    const client = createClient(service.port);
    const page = await client.get(path);
    client.close();
    await service.stop();
    return { status: page.status, html: page.text, text: visibleText(page) };
  }

  const operator = { OPERATOR_NAME: 'Acme <Ltd>', OPERATOR_CONTACT: 'help@acme.example' };

  it('names who runs it and how to reach them, on the pages that the chats ask for', async () => {
    for (const path of ['/privacy', '/support']) {
      const { status, html, text } = await read(path, operator);
      expect(status).to.equal(200);
      expect(text).to.include('Acme <Ltd> runs this server.');
      expect(html).to.include('<a href="mailto:help@acme.example">help@acme.example</a>');
      expect(html).to.not.include('<Ltd>');
    }
  });

  it('links to the page of an operator who has one, and else says whom to ask', async () => {
    const { html } = await read('/support', { OPERATOR_CONTACT: 'https://acme.example/help' });
    expect(html).to.include('<a href="https://acme.example/help">');
    expect((await read('/support')).text).to.include('Ask whoever gave you the address of this server.');
  });

  it('says how long records are kept as it is set, and what an uninstallation erases', async () => {
    const { text } = await read('/privacy', { RETENTION_DAYS: '12' });
    expect(text).to.include('deleted 12 days after the end of the link');
    expect(text).to.include('30 days later the accounts, links, requests and rules');
  });

  it('says how to get to an account from each chat that is on', async () => {
    expect((await read('/privacy')).text).to.not.include('From a chat');
    const mattermost = await startMattermost();
    const { text } = await read('/privacy', { ...slackOn, ...environmentOf(mattermost) });
    await mattermost.stop();
    expect(text).to.include('with /push connect in Slack or /push connect in Mattermost.');
  });

  it('says what is stored of mails where there are any, and nothing of them elsewhere', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'hushpush@acme.example' };
    const about = ['that address is stored as long as', 'Mails go through the mail server'];
    const [on, off] = [await read('/privacy', mail), await read('/privacy')];
    expect(about.map((words) => on.text.includes(words))).to.deep.equal([true, true]);
    expect(off.text).to.not.match(/mail server|an e-mail address, that/);
  });

  it('speaks German, too', async () => {
    const { text } = await read('/privacy?locale=de', operator);
    expect(text).to.include('Acme <Ltd> betreibt diesen Server.');
    expect(text).to.include('90 Tage nach dem Ende des Links');
  });

  it('lists every endpoint in the contents of its API page, which is compressed for browsers', async () => {
    const service = await startService();
    const address = `${service.url}/docs`;
    const { headers, body } = await request(address, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(headers['content-encoding']).to.equal('gzip');
    const sent = Buffer.from(await body.arrayBuffer());
    const html = gunzipSync(sent).toString();
    expect(sent.length).to.be.below(html.length / 5);
    const [, contents = ''] = /<ul class="contents[^>]*>(.*?)<\/ul>/s.exec(html) ?? [];
    const links = [...contents.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    const sections = [...html.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => String(id));
    const listed = sections.filter((id) => id !== 'sign-in' && !id.startsWith('object-'));
    expect(listed).to.have.length.above(20);
    expect(links).to.have.members([...listed, 'objects']);
    const plain = await request(address);
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(await plain.body.text()).to.include('class="contents');
    await service.stop();
  });

  it('is linked from the foot of other pages', async () => {
    const { html } = await read('/');
    const [, foot = ''] = /<footer[^>]*>(.*?)<\/footer>/s.exec(html) ?? [];
    for (const path of ['/privacy', '/support']) expect(foot).to.include(`href="${path}"`);
  });
});

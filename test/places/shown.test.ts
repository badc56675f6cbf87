import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createCommands } from '../../src/bots/commands.ts';
import { linesOf } from '../bots/commands/stage.ts';
import { bearer, type Client, createClient } from '../harness/api.ts';
import { chatCaller } from '../harness/chat.ts';
import { cityRecord, geoDatabase, replaceFile } from '../harness/geoDatabase.ts';
import { openFormBrowser, visibleText } from '../harness/pages.ts';
import { createAccount, someClient, startService, type TestService } from '../harness/service.ts';

const munich = cityRecord('DE', { de: 'Deutschland', en: 'Germany' }, { de: 'München', en: 'Munich' });
const inMunich = { 'x-forwarded-for': '203.0.113.7' };
const whole = geoDatabase({ networks: { '203.0.113.0/24': munich } });

describe('A service with a database of places', () => {
  let service: TestService;
  let api: Client;
  let folder: string;
  let path: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'places-'));
    path = join(folder, 'places.mmdb');
    await writeFile(path, whole);
    service = await startService({ GEOIP_DATABASE: path, TRUSTED_PROXIES: '127.0.0.1' });
    api = createClient(service.port);
  });
  after(async () => {
    api.close();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** A push that was opened in Munich, then at an address that nobody knows. */
  async function opened() {
    const { account, token } = await createAccount(service.domain);
    const push = await api.create({}, bearer(token));
    await api.get(push.json, inMunich);
    await api.get(push.json);
    return { account, push, as: bearer(token) };
  }

  it('says in the audit log, in English, where a push was opened', async () => {
    const { push, as } = await opened();
    const { body } = await api.get(`${push.page}/audit.json`, as);
    const places = (body.views as { place?: object }[]).map(({ place }) => place);
    expect(places).to.deep.equal([
      undefined,
      { city: 'Munich', country: 'Germany', country_code: 'DE' },
      undefined,
    ]);
    const [, creation, view] = (await api.get(`${push.page}/audit.csv`, as)).text.split('\r\n');
    expect(view).to.match(/,203\.0\.113\.7,.*,"Munich, Germany",[\da-f]{64}$/);
    expect(creation).to.match(/,127\.0\.0\.1,.*,,[\da-f]{64}$/);
  });

  it('shows on the pages of an account, in the language of the reader, where pushes and sessions are from', async () => {
    const browser = await openFormBrowser(api, inMunich);
    await browser.signUp('places@example.com');
    const created = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '2' });
    const token = /\/p\/(\w{26})/.exec(created.text)?.[1];
    await api.get(`/p/${token}.json`, { ...inMunich, 'user-agent': 'curl/8' });
    const english = visibleText(await browser.get(`/pushes/${token}`));
    expect(english).to.match(/Opened through the API .* UTC · curl · Munich, Germany /);
    expect(english.match(/Places are approximate/g)).to.have.length(1);
    const german = visibleText(await browser.get(`/pushes/${token}?locale=de`));
    expect(german)
      .to.match(/ UTC · curl · München, Deutschland .*/)
      .and.include('Ortsangaben sind ungefähr');
    expect(visibleText(await browser.get('/account/security?locale=en'))).to.match(
      /Address: 203\.0\.113\.7 \(Munich, Germany\) .* Places are approximate/,
    );
  });

  it('shows them in the activity of a chat, and in the export of its workspace', async () => {
    const { domain } = service;
    const me = chatCaller();
    const commands = createCommands({
      ...{ domain, linkTo: String, requestLinkTo: String },
      pageOf: (_, token) => token,
    });
    const push = await domain.chat.pushes.create(me, { payload: 'tulip' });
    await domain.pushes.reveal(push.urlToken, undefined, {
      account: null,
      client: { ...someClient, ip: '203.0.113.7' },
    });
    expect(linesOf(await commands.audit(me, push.id)).at(-1)).to.match(
      / opened from 203\.0\.113\.7 \(Munich, Germany\)$/,
    );
    const link = `/export/${await domain.chat.createExportLink({ ...me, standing: 'admin' })}`;
    const { text } = await (await openFormBrowser(api)).submit(link, link);
    expect(text.trimEnd().split('\r\n').at(-1)).to.match(/,api,203\.0\.113\.7,"Munich, Germany"$/);
  });

  it('tells who shared a secret without an account no place, as it tells them no address', async () => {
    const browser = await openFormBrowser(api, inMunich);
    const created = await browser.submit('/', '/', { payload: 'tulip', lifetime: '1d', views: '2' });
    const [, token] = /\/p\/(\w{26})/.exec(created.text) ?? [];
    await api.get(`/p/${token}.json`, inMunich);
    const status = await browser.get(/href="(\/status\/\w+)"/.exec(created.text)?.[1] ?? '');
    expect(visibleText(status)).to.include('Opened through the API');
    expect(status.text).to.not.match(/Munich|203\.0\.113|approximate/);
  });

  it('shows activity as ever while the file is being replaced by a broken one, and logs that', async () => {
    const { push, as } = await opened();
    await replaceFile(path, Buffer.from('broken'));
    const { status, text } = await api.get(`${push.page}/audit.json`, as);
    await replaceFile(path, whole);
    expect(status).to.equal(200);
    expect(text).to.include('Munich');
    expect(service.logged()).to.include(`The file ${path} of GEOIP_DATABASE is not a database`);
  });

  it('explains on the page about privacy that addresses stay on the server, and without one says nothing', async () => {
    expect(visibleText(await api.get('/privacy'))).to.include('passes no address on');
    expect(visibleText(await api.get('/privacy?locale=de'))).to.include('gibt keine Adresse weiter');
    const without = await startService();
    const client = createClient(without.port);
    expect(visibleText(await client.get('/privacy'))).to.not.include('passes no address on');
    client.close();
    await without.stop();
  });
});

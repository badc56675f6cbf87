import { expect } from 'chai';
import { type Discord, startDiscord } from '../../tools/standins/discord/discord.ts';
import type { Person } from '../../tools/standins/discord/people.ts';
import { environmentOf, type Mode } from '../bots/discord/stage.ts';
import { linkFor } from '../bots/staging.ts';
import { expirePushIn } from '../harness/api.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { freshDatabase } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { newSharedSettings, openServiceDatabase, startProcess, startWorker } from '../harness/process.ts';
import { programMs, until } from '../harness/until.ts';

const secret = 'tulip, daffodil & "peony" 🌷';
const cleanups: (() => Promise<unknown>)[] = [];

/** Starts a Discord, and a service with a web process and a worker as its app. */
async function start(mode: Mode) {
  const [fresh, discord, port] = [
    await freshDatabase(),
    await startDiscord({ ackLimitMs: 300_000 }),
    await freePort(),
  ];
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...newSharedSettings(fresh.url),
    BASE_URL: url,
    ...environmentOf(discord, mode),
  };
  const store = openServiceDatabase(settings);
  const web = await startProcess({ ...settings, PORT: String(port), JOBS: 'off' });
  const worker = await startWorker(settings);
  if (mode === 'http') discord.deliversTo(`${url}/discord/interactions`);
  else await discord.gateway.connected();
  await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);
  cleanups.push(fresh.drop, store.close, discord.stop, web.kill9, worker.kill9);
  return { discord, url, settings, store, web, worker };
}

async function pushes(person: Person, options: Record<string, unknown> = {}) {
  const form = await person.runs('/push', options).modal();
  return form.fill({ Secret: secret }).submit().message();
}

describe('A secret in Discord', () => {
  let browser: TestBrowser;

  before(async function () {
    browser = await startBrowser(this);
  });

  after(() => browser?.close());

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  for (const mode of ['gateway', 'http'] as const) {
    it(`is created, opened, reported and expired over ${mode}, in a server and in direct messages`, async () => {
      const { discord, store, web, worker } = await start(mode);
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const [carol, dan] = [discord.user('carol'), discord.user('dan')];
      carol.addsApp();
      for (const { sender, recipient, place } of [
        { sender: alice, recipient: bob, place: undefined },
        { sender: carol, recipient: dan, place: carol.botDm },
      ]) {
        const form = await sender
          .runs('/push', { recipient, views: 3, name: 'VPN' }, place && { in: place })
          .modal();
        const answer = await form.fill({ Secret: secret }).submit().message();
        expect(answer.isPrivate).to.equal(true);
        expect(answer.text).to.include(`@${recipient.name} gets a direct message`);

        const dm = await recipient.dms.next();
        expect(dm.text).to.include(`@${sender.name} sent you a secret`);
        const link = await linkFor(dm);
        if (mode === 'gateway') await dropsInTheMiddle(discord);
        await lookLikeAPreviewer(link);
        expect(await browser.reveal(link)).to.include(secret);

        const notice = await sender.dms.next();
        await notice.becomes(/was opened 1 of 3 times/);
        await expirePushIn(store, /\w{26}$/.exec(link)?.[0] ?? '', -1);
        await notice.becomes(/has expired\. It had been opened once/);
        await discord.until('the end', () =>
          sender.dms.all().find(({ text }) => /expired on .* It had been opened once/.test(text)),
        );
        expect((await fetch(link)).status).to.equal(404);
        const log = await notice.press('Activity').message();
        expect(log.text).to.match(/VPN/);
      }
      discord.verify({
        secrets: [secret],
        logs: [web.output, worker.output],
        quiet: true,
        complete: true,
      });
    });
  }

  async function dropsInTheMiddle({ gateway, until: wait }: Discord): Promise<void> {
    const { resumes } = gateway;
    gateway.drop();
    await wait('the session', () => gateway.resumes > resumes || undefined);
  }

  /** Requests a link as Discord's previewer does. */
  async function lookLikeAPreviewer(link: string): Promise<void> {
    const agent = 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)';
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await fetch(link, { method, headers: { 'user-agent': agent } })).status).to.equal(200);
  }

  it('can be created after the process that holds the gateway freezes or is killed, over one connection at a time', async () => {
    const { discord, settings, web } = await start('gateway');
    const { gateway } = discord;
    const alice = discord.user('alice');
    await pushes(alice);
    const second = await startProcess({ ...settings, JOBS: 'off' });
    cleanups.push(second.kill9);

    process.kill(web.pid, 'SIGSTOP');
    await until(() => gateway.identifies === 2, programMs);
    process.kill(web.pid, 'SIGCONT');
    await until(() => gateway.live() === 1, programMs);
    expect((await pushes(alice)).text).to.match(/is ready/);

    await second.kill9();
    await until(() => gateway.identifies === 3, programMs);
    await gateway.connected();
    expect((await pushes(alice)).text).to.match(/is ready/);
    discord.takeComplaints(); // the process that wakes up may respond again
    discord.verify({ secrets: [secret], logs: [web.output, second.output], quiet: true });
  });
});

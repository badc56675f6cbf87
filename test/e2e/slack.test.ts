import { expect } from 'chai';
import { type Slack, startSlack } from '../../tools/standins/slack/slack.ts';
import { environmentOf } from '../bots/slack/stage.ts';
import { linkFor } from '../bots/staging.ts';
import { expirePushIn } from '../harness/api.ts';
import { startBrowser, type TestBrowser } from '../harness/browser.ts';
import { freshDatabase } from '../harness/database.ts';
import { freePort } from '../harness/mariadb.ts';
import { newSharedSettings, openServiceDatabase, startProcess, startWorker } from '../harness/process.ts';
import { programMs, until } from '../harness/until.ts';

const secret = 'tulip, daffodil & "peony" 🌷';
const cleanups: (() => Promise<unknown>)[] = [];

/** Starts a Slack, and a service with a web process and a worker as its app. */
async function start(mode: 'http' | 'socket') {
  const [fresh, slack, port] = [
    await freshDatabase(),
    await startSlack({ ackLimitMs: 300_000, triggerLifeMs: 300_000 }),
    await freePort(),
  ];
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    ...newSharedSettings(fresh.url),
    BASE_URL: url,
    ...environmentOf(slack, mode),
  };
  const store = openServiceDatabase(settings);
  const web = await startProcess({ ...settings, PORT: String(port), JOBS: 'off' });
  const worker = await startWorker(settings);
  slack.app.redirectUrls = [`${url}/slack/oauth_redirect`];
  if (mode === 'http') slack.deliversTo(`${url}/slack/events`);
  else await slack.sockets.connected();
  cleanups.push(fresh.drop, store.close, slack.stop, web.kill9, worker.kill9);
  return { slack, url, settings, store, web, worker };
}

describe('A secret in Slack', () => {
  let browser: TestBrowser;

  before(async function () {
    browser = await startBrowser(this);
  });

  after(() => browser?.close());

  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });

  for (const mode of ['http', 'socket'] as const) {
    it(`is created, opened, reported and expired over ${mode}, in two workspaces`, async () => {
      const { slack, url, store, web, worker } = await start(mode);
      const globex = slack.addTeam('Globex');
      const pairs = [
        [slack.user('alice'), slack.user('bob')],
        [slack.user('carol', { team: globex }), slack.user('dan', { team: globex })],
      ] as const;
      for (const [sender, recipient] of pairs) {
        expect((await sender.adds(`${url}/slack/install`)).status).to.equal(200);
        expect((await sender.dms.next()).text).to.match(/This app is ready in this workspace/);
        const form = await sender.runs('/push').modal();
        form.fill({ Secret: secret, Recipients: [recipient] });
        await form.press('More options');
        await slack.until('more options', () => form.labels.includes('Views') || undefined);
        form.fill({ Views: '3 views', Name: 'VPN' });
        const answer = await form.submit().message();
        expect(answer.text).to.include(`@${recipient.name} gets a direct message`);

        const dm = await recipient.dms.next();
        expect(dm.text).to.include(`@${sender.name} sent you a secret`);
        const link = await linkFor(dm);
        await lookLikeAPreviewer(slack, link);
        expect(await browser.reveal(link)).to.include(secret);

        const notice = await sender.dms.next();
        await notice.becomes(/was opened 1 of 3 times/);
        await notice.reply(/was opened by @\w+ on .* It opens twice more/);
        await expirePushIn(store, /\w{26}$/.exec(link)?.[0] ?? '', -1);
        await notice.becomes(/has expired\. It had been opened once/);
        await notice.reply(/expired on .* It had been opened once/);
        expect(sender.dms.count).to.equal(2); // what to do first, and this push
        expect(await opensNothing(link)).to.equal(404);
      }
      slack.verify({ secrets: [secret], logs: [web.output, worker.output] });
    });
  }

  /** Requests a link as Slack's previewer does. */
  async function lookLikeAPreviewer(slack: Slack, link: string): Promise<void> {
    const agent = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
    for (const method of ['HEAD', 'GET', 'GET'])
      expect((await fetch(link, { method, headers: { 'user-agent': agent } })).status).to.equal(200);
    expect(
      slack
        .user('alice')
        .dms.all()
        .filter(({ text }) => /opened/.test(text)),
    ).to.have.length.below(2);
  }

  const opensNothing = async (link: string): Promise<number> => (await fetch(link)).status;

  it('is reported although the delivering process is killed, with at most one duplicate message', async () => {
    const { slack, url, settings, store, worker } = await start('http');
    const alice = slack.user('alice');
    await alice.adds(`${url}/slack/install`);
    const count = 12;
    slack.disturb('chat.postMessage', { slowMs: 60 }, { times: 500 });
    for (let each = 0; each < count; each++) {
      await alice.runs(`/push ${secret}`);
      const answer = await alice.whispers.next();
      const path = new URL(answer.links[0] ?? '').pathname;
      expect((await fetch(`${url}${path}.json`)).status).to.equal(200);
    }
    await until(() => alice.dms.count >= 4, programMs);
    await worker.kill9();
    await store.database.execute('UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL', {});
    cleanups.push((await startWorker(settings)).kill9);
    await until(async () => {
      const [left] = await store.database.select(
        'SELECT 1 FROM notices WHERE due_at IS NOT NULL LIMIT 1',
        {},
      );
      return left === undefined;
    }, programMs);
    const all = alice.dms.all().filter(({ text }) => !/This app is ready/.test(text));
    expect(all.length).to.be.within(count, count + 1);
    const lines = all.flatMap(({ replies }) => replies);
    expect(all.length + lines.length).to.be.within(2 * count, 2 * count + 1);
    slack.verify({ secrets: [secret] });
  });
});

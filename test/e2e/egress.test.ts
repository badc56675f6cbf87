import { expect } from 'chai';
import { startDiscord } from '../../tools/standins/discord/discord.ts';
import { startSlack } from '../../tools/standins/slack/slack.ts';
import { environmentOf as discordSettings } from '../bots/discord/stage.ts';
import { asMultipart, bearer, createClient } from '../harness/api.ts';
import { openFolder } from '../harness/cli.ts';
import { onMariadb } from '../harness/database.ts';
import { filePart, multipartForm } from '../harness/files.ts';
import { startHttpProxy } from '../harness/httpProxy.ts';
import { startWebhookReceiver } from '../harness/receiver.ts';
import { startS3 } from '../harness/s3.ts';
import { programMs, until } from '../harness/until.ts';

/** Nobody can resolve these names but the proxy. */
const names = { slack: 'slack.test', discord: 'discord.test', files: 'files.test' };
/** The proxy reaches this machine by it, as by every address. */
const publicAddress = '93.184.215.14';
const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

// It has nothing to do with the database.
const describeOnce = onMariadb ? () => {} : describe;

describeOnce('A service whose only way out is EGRESS_PROXY', () => {
  it('reaches Slack, Discord, its bucket and webhooks through it, and nothing else', async () => {
    const proxy = await startHttpProxy({ credentials: 'me:p@ss' });
    const slack = await startSlack({ host: names.slack, ackLimitMs: 300_000 });
    const discord = await startDiscord({ host: names.discord, ackLimitMs: 300_000 });
    const s3 = await startS3();
    const hooks = await startWebhookReceiver();
    const folder = await openFolder({
      EGRESS_PROXY: `http://me:p%40ss@${proxy.host}`,
      SLACK_MODE: 'socket',
      SLACK_APP_TOKEN: slack.app.appToken,
      SLACK_BOT_TOKEN: slack.install().token,
      SLACK_API_URL: slack.apiUrl,
      ...discordSettings(discord, 'http'),
      ...credentials,
      FILES_URL: `s3://${s3.bucket}`,
      AWS_ENDPOINT_URL_S3: s3.endpoint.replace('127.0.0.1', names.files),
      FILES: 'everyone',
    });
    try {
      const service = await folder.start();
      await service.ready();
      await slack.sockets.connected();
      await discord.until('the commands', () => discord.calls('bulk_set_application_commands')[0]);

      const alice = slack.user('alice');
      expect((await alice.runs('/push hello').message()).text).to.match(/is ready/);

      const client = createClient(service.port);
      const created = await folder.run('admin account create ann@example.com --subscribed --json');
      const headers = bearer(JSON.parse(created.stdout).token);
      const hook = await hooks.open(async (url) => {
        const body = { webhook: { url: url.replace('127.0.0.1', publicAddress) } };
        return String((await client.post('/api/v1/webhooks.json', body, headers)).body.secret);
      });
      const form = multipartForm([
        { name: 'password[payload]', content: 'tulip' },
        filePart('note.txt', 'of tulips'),
      ]);
      const pushed = await client.send('POST', '/p.json', {
        body: form,
        headers: { ...asMultipart, ...headers },
      });
      expect(pushed.status).to.equal(201);
      expect((await client.get(`/p/${pushed.body.url_token}.json`)).body).to.include({ payload: 'tulip' });
      await until(() => hook.received.some(({ type }) => type === 'push.viewed'), programMs);
      expect(s3.requests).to.include('PUT object');

      const hosts = new Set(proxy.asked.map((line) => line.replace(/:\d+$/, '')));
      expect(hosts).to.deep.equal(
        new Set([...Object.values(names), publicAddress].map((name) => `CONNECT ${name}`)),
      );
      const log = await service.stop();
      expect(JSON.stringify(log)).to.not.contain('p@ss').and.not.contain('p%40ss');
    } finally {
      await folder.remove();
      await Promise.all([slack.stop(), discord.stop(), s3.stop(), hooks.close()]);
      await proxy.close();
    }
  });
});

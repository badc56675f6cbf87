import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../harness/api.ts';
import { freePort } from '../../harness/mariadb.ts';
import { startService } from '../../harness/service.ts';
import { startSlack } from '../../standins/slack/slack.ts';

export type Mode = 'http' | 'socket';

export type Stage = Awaited<ReturnType<typeof startStage>>;

/**
 * A Slack, and a whole service that is its app, over HTTP or a web socket. The app is installed in Slack's first workspace
 * unless `installs` says that it is not. Notices are delivered as soon as they are written.
 */
export async function startStage({
  mode = 'http',
  installs = true,
  environment = {},
}: {
  mode?: Mode;
  installs?: boolean;
  environment?: Record<string, string>;
} = {}) {
  const slack = await startSlack({ patienceMs: 6_000 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService({
    PORT: String(port),
    BASE_URL: url,
    SLACK_MODE: mode,
    SLACK_CLIENT_ID: slack.app.clientId,
    SLACK_CLIENT_SECRET: slack.app.clientSecret,
    ...(mode === 'http'
      ? { SLACK_SIGNING_SECRET: slack.app.signingSecret }
      : { SLACK_APP_TOKEN: slack.app.appToken }),
    SLACK_API_URL: slack.apiUrl,
    SLACK_AUTHORIZE_URL: slack.authorizeUrl,
    ...environment,
  });
  slack.app.redirectUrls = [`${url}/slack/oauth_redirect`];
  if (mode === 'http') slack.deliversTo(`${url}/slack/events`);
  else await slack.sockets.connected();
  if (installs) await slack.user('admin', { isAdmin: true }).adds(`${url}/slack/install`);

  const { notices } = service.domain;
  let delivering: Promise<unknown> = Promise.resolve();
  function deliver(): Promise<unknown> {
    delivering = delivering.then(() => notices.deliverDue(service.messengers));
    return delivering;
  }
  notices.whenWritten(() => void deliver());
  const client = createClient(port);

  /** Opens a push as a recipient does, with or without a passphrase. */
  async function opens(link: string, passphrase?: string) {
    const query = passphrase === undefined ? '' : `?passphrase=${encodeURIComponent(passphrase)}`;
    return client.get(`${new URL(link).pathname}.json${query}`);
  }

  return {
    slack,
    service,
    url,
    client,
    opens,
    /** Delivers what waits, once what is being delivered is. */
    deliver,
    /** Ends Slack and the service; fails where Slack has complaints, or a secret is where it must not be. */
    async stop(secrets: string[] = []) {
      await sleep(20); // what is told after its answer
      await delivering;
      client.close();
      await service.stop();
      await slack.stop();
      slack.verify({ secrets, logs: [service.logged()] });
    },
  };
}

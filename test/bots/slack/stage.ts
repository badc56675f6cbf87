import type { Modal } from '../../../tools/standins/slack/modals.ts';
import { type Slack, startSlack } from '../../../tools/standins/slack/slack.ts';
import { startStaged } from '../staging.ts';

export type Mode = 'http' | 'socket';

/** The settings of a service for this Slack. */
export const environmentOf = (slack: Slack, mode: Mode) => ({
  SLACK_MODE: mode,
  SLACK_CLIENT_ID: slack.app.clientId,
  SLACK_CLIENT_SECRET: slack.app.clientSecret,
  ...(mode === 'http'
    ? { SLACK_SIGNING_SECRET: slack.app.signingSecret }
    : { SLACK_APP_TOKEN: slack.app.appToken }),
  SLACK_API_URL: slack.apiUrl,
  SLACK_AUTHORIZE_URL: slack.authorizeUrl,
});

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
  const slack = await startSlack({ ackLimitMs: 300_000, triggerLifeMs: 300_000 });
  const stage = await startStaged(
    { ...environmentOf(slack, mode), ...environment },
    { stop: slack.stop, verify: (found) => slack.verify(found) },
  );
  const { url } = stage;
  slack.app.redirectUrls = [`${url}/slack/oauth_redirect`];
  if (mode === 'http') slack.deliversTo(`${url}/slack/events`);
  else await slack.sockets.connected();
  if (installs) await slack.user('admin', { isAdmin: true }).adds(`${url}/slack/install`);

  /** Shows the fields that the form of a push leaves out at first. */
  async function withMore(form: Modal): Promise<Modal> {
    await form.press(form.buttons.at(-1) ?? '');
    return slack.until('more options', () => (form.labels.length > 6 ? form : undefined));
  }

  return { ...stage, slack, withMore };
}

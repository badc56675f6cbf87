import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { App, LogLevel } from '@slack/bolt';
import { type Slack, startSlack } from './slack/slack.ts';

const modal = {
  type: 'modal' as const,
  callback_id: 'push',
  title: { type: 'plain_text' as const, text: 'New push' },
  submit: { type: 'plain_text' as const, text: 'Push' },
  blocks: [
    {
      type: 'input' as const,
      block_id: 'secret',
      label: { type: 'plain_text' as const, text: 'Secret' },
      element: { type: 'plain_text_input' as const, action_id: 'value', multiline: true },
    },
  ],
};

describe('the Slack of the tests', () => {
  let slack: Slack;
  it('lets people push a secret with a real Bolt app', async () => {
    slack = await startSlack();
    const { token } = slack.install();
    const app = new App({
      token,
      signingSecret: slack.app.signingSecret,
      clientOptions: { slackApiUrl: slack.apiUrl },
      logLevel: LogLevel.ERROR,
    });
    app.command('/push', async ({ ack, client, body, respond }) => {
      await ack();
      if (body.text)
        return void (await respond({
          text: `made ${body.text}`,
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: 'Made' } },
            {
              type: 'actions',
              elements: [
                { type: 'button', action_id: 'burn', text: { type: 'plain_text', text: 'Burn now' } },
              ],
            },
          ],
        }));
      await client.views.open({ trigger_id: body.trigger_id, view: modal });
    });
    app.view('push', async ({ ack, view, client, body }) => {
      await ack();
      await client.chat.postMessage({
        channel: body.user.id,
        text: `Got ${view.state.values.secret?.value?.value?.length}`,
      });
    });
    app.action('burn', async ({ ack, respond }) => {
      await ack();
      await respond({ replace_original: true, text: 'Burned' });
    });
    const server = (await app.start(0)) as unknown as Server;
    slack.deliversTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/slack/events`);
    const alice = slack.user('alice');
    const form = await alice.runs('/push').modal();
    const act = form.fill({ Secret: 'tulip' }).submit();
    const answer = await alice.runs('/push hello').message();
    await answer.press('Burn now').edited();
    slack.verify({ secrets: ['tulip'] });
    await app.stop();
    await slack.stop();
  });
});

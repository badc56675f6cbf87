import { expect } from 'chai';
import { startSlack } from '../../../tools/standins/slack/slack.ts';
import { startService } from '../../harness/service.ts';
import { until } from '../../harness/until.ts';
import { type Stage, startStage } from './stage.ts';

describe('Slack’s Socket Mode connection', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage({ mode: 'socket' });
  });

  afterEach(() => stage.stop());

  const works = async () => {
    const { text } = await stage.slack.user('alice').runs('/push help').message();
    expect(text).to.match(/opens a form/);
  };

  it('is opened again when Slack renews it', async () => {
    const { slack } = stage;
    slack.sockets.disconnect('refresh_requested');
    await until(() => slack.calls('apps.connections.open').length === 2);
    await slack.sockets.connected();
    await works();
  });

  it('is opened again when it was cut', async () => {
    const { slack } = stage;
    slack.sockets.cut();
    await until(() => slack.calls('apps.connections.open').length === 2);
    await slack.sockets.connected();
    await works();
  });

  it('is opened again after Slack was down for a while', async () => {
    const { slack } = stage;
    slack.disturb('apps.connections.open', { status: 503 }, { times: 2 });
    slack.sockets.cut();
    await until(() => slack.calls('apps.connections.open').filter(({ fault }) => fault).length === 2);
    await slack.sockets.connected();
    await works();
  });
});

describe('A Slack token that no longer works', () => {
  it('tells the user of the workspace that their command failed, and stops nothing else', async () => {
    const slack = await startSlack({ ackLimitMs: 300_000 });
    const service = await startService({
      BASE_URL: 'http://push.test',
      SLACK_SIGNING_SECRET: slack.app.signingSecret,
      SLACK_BOT_TOKEN: 'xoxb-worth-nothing',
      SLACK_API_URL: slack.apiUrl,
    });
    slack.deliversTo(`${service.url}/slack/events`);
    slack.install();
    const alice = slack.user('alice');
    expect((await alice.runs('/push help').message()).text).to.match(/opens a form/);
    expect((await alice.runs('/push').message()).text).to.match(/no longer lets it in/);
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
    expect(service.logged()).to.include('Slack refused with invalid_auth');
    expect(service.logged()).to.not.include('xoxb');
    expect(slack.takeComplaints()).to.not.be.empty;
    await service.stop();
    await slack.stop();
  });

  it('is retried with back-off for the Socket Mode connection, and stops nothing else', async () => {
    const slack = await startSlack();
    const service = await startService({
      BASE_URL: 'http://push.test',
      SLACK_MODE: 'socket',
      SLACK_APP_TOKEN: 'xapp-worth-nothing',
      SLACK_BOT_TOKEN: slack.install().token,
      SLACK_API_URL: slack.apiUrl,
    });
    await until(() => slack.calls('apps.connections.open').length >= 3);
    const [first, second, third] = slack.calls('apps.connections.open').map(({ at }) => at);
    expect(Number(second) - Number(first)).to.be.above(400);
    expect(Number(third) - Number(second)).to.be.above(900);
    expect((await fetch(`${service.url}/livez`)).status).to.equal(200);
    await service.stop();
    await slack.stop();
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { type App, LogLevel } from '@slack/bolt';
import { expect } from 'chai';
import WebSocket from 'ws';
import { until } from '../../test/harness/until.ts';
import { type Slack, startSlack } from './slack/slack.ts';
import {
  actions,
  button,
  clientOf,
  failure,
  pushModal,
  type SocketOptions,
  section,
  startSocketBot,
} from './slackBot.ts';

describe('The Slack stand-in over Socket Mode', () => {
  let slack: Slack;
  let token: string;
  const stops: (() => Promise<unknown>)[] = [];

  beforeEach(async () => {
    slack = await startSlack({ ackLimitMs: 100_000 });
    token = slack.install().token;
  });

  afterEach(async () => {
    await Promise.all(stops.splice(0).map((stop) => stop()));
    await slack.stop();
    slack.verify();
  });

  async function bot(listen: (app: App) => void, options: SocketOptions = {}) {
    const started = await startSocketBot(slack, listen, options.authorize ? options : { token, ...options });
    stops.push(started.stop);
    return started;
  }

  /** Connects with a plain WebSocket, to send what Bolt would not. */
  async function connect() {
    const { url } = await clientOf(slack, slack.app.appToken).apps.connections.open();
    const socket = new WebSocket(String(url));
    const received: Record<string, unknown>[] = [];
    socket.on('message', (data) => received.push(JSON.parse(String(data))));
    stops.push(async () => socket.terminate());
    return { url: String(url), socket, received };
  }

  it('delivers commands, modals, their errors, buttons, homes and events as over HTTP', async () => {
    const events: unknown[] = [];
    await bot((app) => {
      app.command('/push', async ({ ack, client, body, respond }) => {
        await ack(body.text === 'now' ? 'Made.' : undefined);
        if (body.text === 'now') return;
        if (body.text === '') await client.views.open({ trigger_id: body.trigger_id, view: pushModal });
        else
          await respond({ text: 'A push', blocks: [section('A push'), actions(button('Burn now', 'burn'))] });
      });
      app.view('push', async ({ ack, view }) => {
        const secret = view.state.values.secret?.value?.value;
        if (secret === 'weak') await ack({ response_action: 'errors', errors: { secret: 'Too weak.' } });
        else await ack();
      });
      app.action('burn', async ({ ack, respond }) => {
        await ack();
        await respond({ replace_original: true, text: 'Burned' });
      });
      app.event('app_home_opened', async ({ event, client }) => {
        await client.views.publish({
          user_id: event.user,
          view: { type: 'home', blocks: [section('Home')] },
        });
      });
      app.event('team_join', async ({ context }) => {
        events.push(context.retryNum, context.retryReason);
      });
    });
    const alice = slack.user('alice');
    const modal = await alice.runs('/push').modal();
    await modal.fill({ Secret: 'weak' }).submit();
    expect(modal.errors).to.deep.equal({ Secret: 'Too weak.' });
    await modal.fill({ Secret: 'strong' }).submit();
    expect(modal.isOpen).to.equal(false);
    expect((await alice.runs('/push now').message()).text).to.equal('Made.');
    const answer = await alice.runs('/push hello').message();
    await answer.press('Burn now');
    await answer.becomes('Burned');
    expect((await alice.opensHome().home()).text).to.equal('Home');
    await slack.emits({ type: 'team_join' }, { manner: { retry: { num: 2, reason: 'timeout' } } });
    expect(events).to.deep.equal([2, 'timeout']);
    slack.verify({ secrets: ['strong'] });
  });

  it('finds a secret in what Bolt logs of a submission at debug level', async () => {
    const logs: string[] = [];
    const log = (...words: unknown[]) => void logs.push(words.join(' '));
    const logger = {
      ...{ debug: log, info: log, warn: log, error: log },
      ...{ setLevel: () => {}, setName: () => {}, getLevel: () => LogLevel.DEBUG },
    };
    await bot(
      (app) => {
        app.command('/push', async ({ ack, client, body }) => {
          await ack();
          await client.views.open({ trigger_id: body.trigger_id, view: pushModal });
        });
        app.view('push', ({ ack }) => ack());
      },
      { logger },
    );
    const modal = await slack.user('alice').runs('/push').modal();
    await modal.fill({ Secret: 'tulip' }).submit();
    slack.verify({ secrets: ['tulip'] });
    expect(() => slack.verify({ secrets: ['tulip'], logs })).to.throw('secret 0 is in a log line');
  });

  it('serves several workspaces over one connection', async () => {
    const other = slack.addTeam('Initech');
    const tokens = new Map([slack.team, other].map((team) => [team.id, slack.install({ on: team }).token]));
    await bot(
      (app) => {
        app.command('/push', async ({ ack, client, body }) => {
          await ack();
          await client.chat.postMessage({ channel: body.user_id, text: `Hello ${body.team_domain}` });
        });
      },
      { authorize: async ({ teamId = '' }) => ({ botToken: tokens.get(teamId) ?? '' }) },
    );
    expect((await slack.user('alice').runs('/push').message()).text).to.equal('Hello acme');
    expect((await slack.user('bob', { team: other }).runs('/push').message()).text).to.equal('Hello initech');
  });

  it('shows nothing where Bolt finds no installation, although Bolt acknowledges', async () => {
    await bot((app) => app.command('/push', ({ ack }) => ack('Made.')), {
      authorize: () => Promise.reject(new Error('not installed')),
    });
    const ack = await slack.user('alice').runs('/push');
    expect(ack).to.deep.include({ status: 200, body: undefined, error: undefined });
    expect(slack.user('alice').whispers.count).to.equal(0);
  });

  it('greets a connection, and accepts its ticket once', async () => {
    const { url, received } = await connect();
    await slack.sockets.connected(1);
    await until(() => received.length === 1);
    expect(received[0]).to.deep.include({
      type: 'hello',
      num_connections: 1,
      connection_info: { app_id: slack.app.id },
    });
    const again = new WebSocket(url);
    expect((await failure(new Promise((_, reject) => again.on('error', reject)))).message).to.match(/404/);
  });

  it('sends each envelope over one connection, in turn', async () => {
    const [one, other] = [await connect(), await connect()];
    for (const { socket, received } of [one, other]) {
      socket.on('message', () => {
        const { envelope_id } = received.at(-1) ?? {};
        if (envelope_id) socket.send(JSON.stringify({ envelope_id, payload: { text: 'Made.' } }));
      });
    }
    await slack.sockets.connected(2);
    const alice = slack.user('alice');
    expect((await alice.runs('/push').message()).text).to.equal('Made.');
    await alice.runs('/push');
    expect([one, other].map(({ received }) => received.map(({ type }) => type))).to.deep.equal([
      ['hello', 'slash_commands'],
      ['hello', 'slash_commands'],
    ]);
    expect(one.received[1]).to.include({ accepts_response_payload: true });
  });

  it('shows an error when an acknowledgement is late, and complains about whatever follows', async () => {
    slack.settings.ackLimitMs = 60;
    const { socket, received } = await connect();
    socket.on('message', async () => {
      const { envelope_id } = received.at(-1) ?? {};
      await sleep(120);
      if (envelope_id) socket.send(JSON.stringify({ envelope_id }));
    });
    await slack.sockets.connected(1);
    const alice = slack.user('alice');
    expect((await alice.runs('/push')).error).to.equal('operation_timeout');
    await until(() => slack.complaints().length === 2);
    expect(slack.takeComplaints()).to.have.length(2);
  });

  it('shows an error when no app is connected', async () => {
    expect((await slack.user('alice').runs('/push')).error).to.equal('app_unreachable');
    expect(slack.takeComplaints()).to.have.length(1);
  });

  for (const reason of ['warning', 'refresh_requested'] as const) {
    it(`makes Bolt reconnect after a disconnect message with the reason ${reason}`, async () => {
      await bot((app) => app.command('/push', ({ ack }) => ack('Made.')), { clientPingTimeout: 300 });
      slack.sockets.disconnect(reason);
      await slack.sockets.connected(0);
      await slack.sockets.connected(1);
      expect((await slack.user('alice').runs('/push').message()).text).to.equal('Made.');
      expect(slack.calls('apps.connections.open')).to.have.length(2);
    });
  }

  it('makes Bolt reconnect after a cut connection', async () => {
    await bot((app) => app.command('/push', ({ ack }) => ack('Made.')), { clientPingTimeout: 300 });
    slack.sockets.cut();
    await slack.sockets.connected(0);
    await slack.sockets.connected(1);
    expect((await slack.user('alice').runs('/push').message()).text).to.equal('Made.');
  });

  it('refuses to open connections for anything but the token of an app', async () => {
    const open = (one: string) => clientOf(slack, one).apps.connections.open();
    expect((await failure(open('xapp-1'))).data?.error).to.equal('invalid_auth');
    expect((await failure(open(token))).data?.error).to.equal('not_allowed_token_type');
    slack.app.appScopes = [];
    expect((await failure(open(slack.app.appToken))).data?.error).to.equal('missing_scope');
    expect(slack.takeComplaints()).to.have.length(3);
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import type { App } from '@slack/bolt';
import { expect } from 'chai';
import { until } from '../../test/harness/until.ts';
import { type Slack, startSlack } from './slack/slack.ts';
import {
  actions,
  button,
  clientOf,
  failure,
  plain,
  pushModal,
  section,
  startBot,
  startRaw,
} from './slackBot.ts';

describe('The Slack stand-in', () => {
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

  async function bot(listen: (app: App) => void): Promise<App> {
    const started = await startBot(slack, listen, { token });
    stops.push(started.stop);
    return started.app;
  }

  async function raw(answer: Parameters<typeof startRaw>[0]) {
    const started = await startRaw(answer);
    stops.push(started.stop);
    slack.deliversTo(started.url);
  }

  describe('for slash commands', () => {
    it('shows the modal that a command opens, and the message after its submission', async () => {
      await bot((app) => {
        app.command('/push', async ({ ack, client, body }) => {
          await ack();
          await client.views.open({ trigger_id: body.trigger_id, view: pushModal });
        });
        app.view('push', async ({ ack, client, body, view }) => {
          await ack();
          const { secret, people, views } = view.state.values;
          const users = people?.value?.selected_users?.map((id) => `<@${id}>`).join();
          const text = `${secret?.value?.value?.length} for ${users}, ${views?.value?.selected_option?.value}`;
          await client.chat.postMessage({ channel: body.user.id, text });
        });
      });
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const modal = await alice.runs('/push').modal();
      expect(modal.title).to.equal('New push');
      expect(modal.labels).to.deep.equal(['Secret', 'Recipients', 'Views']);
      expect(modal.optionsOf('Views')).to.deep.equal(['1', '5']);
      expect(modal.values).to.deep.equal({ Secret: null, Recipients: [], Views: '1' });
      expect(modal.urlOf('Compose in browser')).to.equal('https://push.test/compose');
      const act = modal.fill({ Secret: 'tulip', Recipients: [bob], Views: '5' }).submit();
      expect((await act.message()).text).to.equal('5 for @bob, views-5');
      expect(alice.dms.last().text).to.equal('5 for @bob, views-5');
      expect(modal.isOpen).to.equal(false);
      slack.verify({ secrets: ['tulip'] });
    });

    it('sends the user and the place of a command', async () => {
      const received: Record<string, string>[] = [];
      await bot((app) => {
        app.command('/push', async ({ ack, body }) => {
          received.push({ ...body });
          await ack();
        });
      });
      const alice = slack.user('alice');
      const other = slack.channel('random', { members: [alice] });
      await alice.runs('/push  a & <b>\nc', { in: other });
      slack.settings.commandTextIsEscaped = true;
      await alice.runs('/push a & <b>');
      expect(received[0]).to.include({
        ...{ command: '/push', text: ' a & <b>\nc', user_id: alice.id, user_name: 'alice' },
        ...{ team_id: slack.team.id, team_domain: 'acme', channel_id: other.id, channel_name: 'random' },
        ...{ api_app_id: slack.app.id, is_enterprise_install: 'false' },
      });
      expect(received[1]?.text).to.equal('a &amp; &lt;b&gt;');
    });

    it('shows the acknowledgement of a command to the user alone', async () => {
      await bot((app) => {
        app.command('/push', ({ ack }) => ack('Made.'));
        app.command('/list', ({ ack }) => ack({ response_type: 'in_channel', text: 'For all' }));
      });
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const answer = await alice.runs('/push').message();
      expect(answer.text).to.equal('Made.');
      expect(answer.isPrivate).to.equal(true);
      expect((await alice.runs('/list').message()).isPrivate).to.equal(false);
      expect(alice.whispers.count).to.equal(1);
      expect(bob.whispers.count).to.equal(0);
    });

    it('measures how long an acknowledgement takes', async () => {
      await bot((app) => {
        app.command('/push', async ({ ack }) => {
          await sleep(120);
          await ack();
        });
      });
      expect((await slack.user('alice').runs('/push')).ms).to.be.above(110);
    });

    it('shows an error when the app does not acknowledge in time, or acknowledges with an error', async () => {
      slack.settings.ackLimitMs = 100;
      await bot((app) => {
        app.command('/slow', async ({ ack }) => {
          await sleep(200);
          await ack();
        });
        app.command('/mute', () => Promise.resolve());
      });
      const alice = slack.user('alice');
      expect((await alice.runs('/slow')).error).to.equal('operation_timeout');
      expect((await alice.runs('/mute')).error).to.equal('operation_timeout');
      expect((await failure(alice.runs('/mute').modal())).message).to.match(/showed operation_timeout/);
      expect(() => slack.verify()).to.throw(/the command \/slow was not acknowledged within 100 ms/);
      await raw((res) => res.writeHead(500).end());
      expect((await alice.runs('/push')).error).to.equal('http_service_error');
      slack.deliversTo('http://127.0.0.1:1/');
      expect((await alice.runs('/push')).error).to.equal('app_unreachable');
      expect(slack.takeComplaints()).to.have.length(5);
    });

    it('complains about an acknowledgement that Slack would not show', async () => {
      await raw((res) =>
        res.writeHead(200, { 'content-type': 'application/json' }).end('{"blocks":[{"type":"tulip"}]}'),
      );
      expect((await slack.user('alice').runs('/push')).error).to.equal('dispatch_failed');
      expect(slack.takeComplaints().join()).to.match(/unsupported type: tulip \[json-pointer:\/blocks\/0\]/);
    });
  });

  describe('for modals', () => {
    const openPush = (app: App) =>
      app.command('/push', async ({ ack, client, body }) => {
        await ack();
        await client.views.open({ trigger_id: body.trigger_id, view: pushModal });
      });

    it('does not submit an incomplete modal to the app', async () => {
      let submissions = 0;
      await bot((app) => {
        openPush(app);
        app.view('push', ({ ack }) => {
          submissions += 1;
          return ack();
        });
      });
      const alice = slack.user('alice');
      const modal = await alice.runs('/push').modal();
      await modal.submit();
      expect(modal.errors).to.deep.equal({ Secret: 'Please complete this required field.' });
      await modal
        .fill({ Secret: 'x'.repeat(51), Recipients: ['alice', 'bob', 'eve'].map((name) => slack.user(name)) })
        .submit();
      expect(modal.errors).to.have.keys('Secret', 'Recipients');
      expect(submissions).to.equal(0);
      await modal.fill({ Secret: 'x', Recipients: [] }).submit();
      expect(submissions).to.equal(1);
    });

    it('applies the response actions errors, update, push and clear', async () => {
      const answers: Record<string, unknown>[] = [
        { response_action: 'errors', errors: { secret: 'Too plain.' } },
        { response_action: 'update', view: { ...pushModal, title: plain('Second') } },
        { response_action: 'push', view: { ...pushModal, title: plain('Third') } },
        { response_action: 'clear' },
      ];
      await bot((app) => {
        openPush(app);
        app.view('push', async ({ ack }) => ack(answers.shift() as never));
      });
      const alice = slack.user('alice');
      const modal = await alice.runs('/push').modal();
      await modal.fill({ Secret: 'tulip' }).submit();
      expect(modal.errors).to.deep.equal({ Secret: 'Too plain.' });
      expect((await modal.submit().modal()).title).to.equal('Second');
      expect(modal.values.Secret).to.equal('tulip');
      const third = await modal.submit().modal();
      expect([third.title, third.values.Secret, alice.modal?.title]).to.deep.equal(['Third', null, 'Third']);
      await third.fill({ Secret: 'x' }).submit();
      expect([modal.isOpen, third.isOpen, alice.modal]).to.deep.equal([false, false, undefined]);
    });

    for (const [what, body] of [
      ['plain text', 'ok'],
      ['errors for an unknown block', '{"response_action":"errors","errors":{"tulip":"no"}}'],
      ['an unknown response_action', '{"response_action":"close"}'],
      ['an invalid view', '{"response_action":"update","view":{"type":"modal"}}'],
    ] as const) {
      it(`leaves the modal open, with an error, when the app answers a submission with ${what}`, async () => {
        await bot(openPush);
        const modal = await slack.user('alice').runs('/push').modal();
        await raw((res) => res.end(body));
        expect((await modal.fill({ Secret: 'x' }).submit()).error).to.match(/trouble connecting/);
        expect(modal.isOpen).to.equal(true);
        expect(slack.takeComplaints()).to.have.length(1);
      });
    }

    it('reports a closed modal when the modal asks for that', async () => {
      const closed: unknown[] = [];
      await bot((app) => {
        openPush(app);
        app.view({ callback_id: 'push', type: 'view_closed' }, async ({ ack, body }) => {
          closed.push('is_cleared' in body && body.is_cleared, body.user.name);
          await ack();
        });
      });
      const modal = await slack.user('alice').runs('/push').modal();
      await modal.close();
      expect(closed).to.deep.equal([false, 'alice']);
      expect(modal.isOpen).to.equal(false);
    });

    it('reports buttons and changed fields in a modal, and shows the updates', async () => {
      await bot((app) => {
        openPush(app);
        app.action('compose', async ({ ack, client, body }) => {
          await ack();
          if (body.type !== 'block_actions') return;
          const view = { ...pushModal, blocks: [...pushModal.blocks, section('Opened in the browser')] };
          await client.views.update({ view_id: body.view?.id ?? '', hash: body.view?.hash ?? '', view });
          await client.views.push({
            trigger_id: body.trigger_id,
            view: { ...pushModal, title: plain('On top') },
          });
        });
        app.action('value', async ({ ack, body, client }) => {
          await ack();
          if (body.type !== 'block_actions') return;
          const view = { ...pushModal, title: plain(body.actions.map(({ type }) => type).join()) };
          await client.views.update({ view_id: body.view?.id ?? '', view });
        });
      });
      const alice = slack.user('alice');
      const modal = await alice.runs('/push').modal();
      const top = await modal.fill({ Secret: 'x' }).press('Compose in browser').modal();
      expect(top.title).to.equal('On top');
      await modal.becomes('Opened in the browser');
      expect(modal.values.Secret).to.equal('x');
      await modal.enter('Views', '5');
      await slack.until('the title', () => (modal.title === 'static_select' ? true : undefined));
    });

    it('accepts a trigger once, for three seconds, and from its own app', async () => {
      const triggers: string[] = [];
      await bot((app) => {
        app.command('/push', async ({ ack, body }) => {
          triggers.push(body.trigger_id);
          await ack();
        });
      });
      const client = clientOf(slack, token);
      const open = (trigger_id = '') => client.views.open({ trigger_id, view: pushModal });
      const alice = slack.user('alice');
      await alice.runs('/push');
      await open(triggers[0]);
      expect((await failure(open(triggers[0]))).data?.error).to.equal('exchanged_trigger_id');
      await alice.runs('/push');
      slack.passes(3001);
      expect((await failure(open(triggers[1]))).data?.error).to.equal('expired_trigger_id');
      expect((await failure(open('1.2.3'))).data?.error).to.equal('invalid_trigger_id');
      expect(slack.takeComplaints()).to.have.length(3);
    });

    it('refuses a fourth modal on a stack, a used external id, a stale hash and an invalid view', async () => {
      const client = clientOf(slack, token);
      await bot((app) => {
        app.command('/push', async ({ ack, body }) => {
          await ack();
          await client.views.open({
            trigger_id: body.trigger_id,
            view: { ...pushModal, external_id: 'one' },
          });
        });
        app.action('compose', async ({ ack, body }) => {
          await ack();
          if (body.type === 'block_actions')
            await client.views.push({ trigger_id: body.trigger_id, view: pushModal });
        });
      });
      const alice = slack.user('alice');
      const first = await alice.runs('/push').modal();
      const third = await (await first.press('Compose in browser').modal())
        .press('Compose in browser')
        .modal();
      await third.press('Compose in browser');
      const { response } = await slack.until('the refusal', () =>
        slack.calls('views.push').find((call) => call.response?.ok === false),
      );
      expect(response?.error).to.equal('push_limit_reached');
      const stale = client.views.update({ external_id: 'one', hash: '1.x', view: pushModal });
      expect((await failure(stale)).data?.error).to.equal('hash_conflict');
      const invalid = client.views.update({
        external_id: 'one',
        view: { ...pushModal, title: plain('x'.repeat(25)) },
      });
      expect((await failure(invalid)).data).to.deep.include({
        error: 'invalid_arguments',
        errors: ['must be less than 25 characters [json-pointer:/view/title/text]'],
      });
      await alice.runs('/push');
      await slack.until('the refusal', () => slack.calls('views.open')[1]?.response);
      expect(slack.calls('views.open')[1]?.response?.error).to.equal('duplicate_external_id');
      expect(slack.takeComplaints()).to.have.length(3);
    });
  });

  describe('for messages', () => {
    const burn = [
      section('A push'),
      actions(button('Burn now', 'burn', { value: 'id-1' }), button('Audit', 'audit')),
    ];
    const quiet = { unfurl_links: false, unfurl_media: false };

    it('shows the result of a button: a message replaced, deleted, or added', async () => {
      await bot((app) => {
        app.command('/push', async ({ ack, respond }) => {
          await ack();
          await respond({ text: 'A push', blocks: burn });
        });
        app.action('burn', async ({ ack, respond, action }) => {
          await ack();
          const text = `Burned ${'value' in action ? action.value : ''}`;
          await respond({
            replace_original: true,
            text,
            blocks: [section(text), actions(button('Hide', 'hide'))],
          });
        });
        app.action('audit', async ({ ack, respond }) => {
          await ack();
          await respond('Nobody looked.');
        });
        app.action('hide', async ({ ack, respond }) => {
          await ack();
          await respond({ delete_original: true });
        });
      });
      const alice = slack.user('alice');
      const answer = await alice.runs('/push').message();
      expect(answer.text).to.equal('A push');
      expect(answer.buttons).to.deep.equal(['Burn now', 'Audit']);
      expect((await answer.press('Audit').message()).text).to.equal('Nobody looked.');
      await answer.press('Burn now');
      await answer.becomes('Burned id-1');
      expect(answer.edits).to.equal(1);
      await answer.press('Hide');
      await answer.vanishes();
      expect(() => answer.press('Hide')).to.throw('the message is gone');
    });

    it('accepts five responses to a response URL within thirty minutes', async () => {
      const failures: unknown[] = [];
      await bot((app) => {
        app.command('/push', async ({ ack, respond, body }) => {
          await ack();
          if (body.text === 'late') slack.passes(30 * 60_000);
          for (let count = 0; count < 6; count += 1)
            await respond(`answer ${count}`).catch((error) => failures.push(error.message));
        });
      });
      const alice = slack.user('alice');
      await alice.runs('/push');
      await until(() => failures.length === 1);
      expect(alice.whispers.count).to.equal(5);
      expect(slack.takeComplaints()).to.deep.equal(['response_url: used_url']);
      await alice.runs('/push late');
      await until(() => failures.length === 7);
      expect(slack.takeComplaints().at(-1)).to.equal('response_url: expired_url');
    });

    it('stores a message to a user, its edits and the replies in its thread', async () => {
      const client = clientOf(slack, token);
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const { channel, ts } = await client.chat.postMessage({ channel: alice.id, text: 'Created', ...quiet });
      await client.chat.postMessage({
        channel: String(channel),
        thread_ts: String(ts),
        text: 'Viewed at noon',
      });
      await client.chat.update({
        channel: String(channel),
        ts: String(ts),
        text: 'Viewed 1/5',
        blocks: burn,
      });
      const [message] = alice.dms.all();
      expect(alice.dms.count).to.equal(1);
      expect(bob.dms.count).to.equal(0);
      expect(message?.fallback).to.equal('Viewed 1/5');
      expect(message?.edits).to.equal(1);
      expect(message?.isUnfurled).to.equal(false);
      expect(message?.replies.map(({ text }) => text)).to.deep.equal(['Viewed at noon']);
      expect((await message?.reply(/noon/))?.isPrivate).to.equal(false);
      expect(message?.text).to.equal('A push');
      await client.chat.update({ channel: String(channel), ts: String(ts), text: 'Expired' });
      expect([message?.text, message?.buttons]).to.deep.equal(['Expired', []]);
      await client.chat.delete({ channel: String(channel), ts: String(ts) });
      expect(alice.dms.count).to.equal(0);
      expect(() => alice.dms.last()).to.throw('alice has no direct message');
    });

    it('returns messages one after the other to a user who waits for them', async () => {
      const client = clientOf(slack, token);
      const alice = slack.user('alice');
      const first = alice.dms.next();
      await client.chat.postMessage({ channel: alice.id, text: 'one' });
      await client.chat.postMessage({ channel: alice.id, text: 'two' });
      expect((await first).text).to.equal('one');
      expect((await alice.dms.next()).text).to.equal('two');
      slack.settings.patienceMs = 30;
      expect((await failure(alice.dms.next())).message).to.equal(
        'direct message for alice did not come within 30 ms',
      );
    });

    it('reads messages as users do, and finds their buttons', async () => {
      const client = clientOf(slack, token);
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const blocks = [
        section(`<@${bob.id}> sent you <https://push.test/p/1|a &amp; b>`),
        actions(button('Burn', 'burn', { value: '1' })),
        section('Printer'),
        actions(
          button('Burn', 'burn', { value: '2' }),
          button('Open', 'open', { url: 'https://push.test/p/2' }),
        ),
      ];
      await client.chat.postMessage({ channel: alice.id, text: 'A secret', blocks, ...quiet });
      const message = alice.dms.last();
      expect(message.text).to.equal('@bob sent you a & b\nPrinter');
      expect(message.links).to.deep.equal(['https://push.test/p/2', 'https://push.test/p/1']);
      expect(() => message.press('Burn')).to.throw('2 buttons are called “Burn”');
      expect(() => message.press('Nope')).to.throw('there is no button “Nope”, only Burn, Burn, Open');
      const pressed: unknown[] = [];
      await bot((app) => {
        app.action('burn', async ({ ack, action }) => {
          pressed.push('value' in action && action.value);
          await ack();
        });
      });
      await message.press('Burn', { beside: 'Printer' });
      expect(pressed).to.deep.equal(['2']);
    });

    it('lets a user choose from menus', async () => {
      const client = clientOf(slack, token);
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const chosen: unknown[] = [];
      await bot((app) => {
        app.action(/menu|to/, async ({ ack, action }) => {
          if ('selected_option' in action) chosen.push(action.selected_option?.value);
          if ('selected_user' in action) chosen.push(action.selected_user);
          await ack();
        });
      });
      const options = [{ text: plain('Audit'), value: 'audit-1' }];
      await client.chat.postMessage({
        channel: alice.id,
        text: 'A push',
        blocks: [
          { ...section('A push'), accessory: { type: 'overflow', action_id: 'menu', options } },
          {
            type: 'actions',
            elements: [{ type: 'users_select', action_id: 'to', placeholder: plain('Send to…') }],
          },
        ],
      });
      await alice.dms.last().choose('Audit');
      await alice.dms.last().choose(bob, { at: 'Send to…' });
      expect(chosen).to.deep.equal(['audit-1', bob.id]);
      expect(() => alice.dms.last().choose('Nope')).to.throw('there is no menu with “Nope”');
    });

    it('refuses what Slack refuses, and complains only about mistakes of the app', async () => {
      const client = clientOf(slack, token);
      const alice = slack.user('alice');
      const random = slack.channel('random', { members: [alice] });
      const hidden = slack.channel('hidden', { kind: 'private' });
      const errorOf = async (doing: Promise<unknown>) => (await failure(doing)).data?.error;
      const post = (channel: string, more = {}) =>
        errorOf(client.chat.postMessage({ channel, text: 'x', ...more }));
      expect(await post(random.id)).to.equal('not_in_channel');
      expect(await post(hidden.id)).to.equal('channel_not_found');
      expect(await post('C0000000000')).to.equal('channel_not_found');
      expect(await post(slack.user('gone', { deleted: true }).id)).to.equal('channel_not_found');
      const { user_id } = await client.auth.test();
      expect(await post(String(user_id))).to.equal('cannot_dm_bot');
      const own = await client.chat.postMessage({ channel: alice.id, text: 'x' });
      const { channel = '' } = own;
      expect(await errorOf(client.chat.update({ channel, ts: '1.000000', text: 'x' }))).to.equal(
        'invalid_arguments',
      );
      expect(slack.takeComplaints()).to.have.length(1);
      const theirs = alice.says('mine', { thread: alice.dms.last() });
      expect(await errorOf(client.chat.update({ channel, ts: theirs.ts, text: 'x' }))).to.equal(
        'cant_update_message',
      );
      expect(await errorOf(client.chat.delete({ channel, ts: theirs.ts }))).to.equal('cant_delete_message');
      expect(await errorOf(client.chat.delete({ channel, ts: '1234567890.000000' }))).to.equal(
        'message_not_found',
      );
      const whisper = client.chat.postEphemeral({ channel, user: slack.user('bob').id, text: 'x' });
      expect(await errorOf(whisper)).to.equal('user_not_in_channel');
      slack.verify();
      expect(await post(alice.id, { text: '' })).to.equal('no_text');
      expect(await post(alice.id, { text: 'x'.repeat(40_001) })).to.equal('msg_too_long');
      expect(
        await errorOf(client.chat.update({ channel, ts: String(own.ts), text: 'x'.repeat(4001) })),
      ).to.equal('msg_too_long');
      const blocks = Array.from({ length: 5 }, () => section('x'.repeat(2999)));
      expect(await post(alice.id, { blocks })).to.equal('msg_blocks_too_long');
      expect(slack.takeComplaints()).to.have.length(4);
    });

    it('reports which block is invalid, and where', async () => {
      const client = clientOf(slack, token);
      const blocks = [section('fine'), { type: 'header' as const, text: plain('x'.repeat(151)) }];
      const error = await failure(
        client.chat.postMessage({ channel: slack.user('alice').id, text: 'x', blocks }),
      );
      expect(error.data).to.deep.include({
        error: 'invalid_blocks',
        errors: ['must be less than 151 characters [json-pointer:/blocks/1/text/text]'],
      });
      expect(error.data?.response_metadata).to.deep.include({
        messages: ['[ERROR] must be less than 151 characters [json-pointer:/blocks/1/text/text]'],
      });
      expect(slack.takeComplaints()).to.have.length(1);
    });

    it('accepts JSON as well as forms', async () => {
      const alice = slack.user('alice');
      const res = await fetch(`${slack.apiUrl}chat.postMessage`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json; charset=utf-8' },
        body: JSON.stringify({ channel: alice.id, text: 'x', blocks: burn, unfurl_links: false }),
      });
      expect(await res.json()).to.deep.include({ ok: true, channel: alice.dms.last().channel });
      expect(slack.calls('chat.postMessage')[0]?.args.unfurl_links).to.equal(false);
    });

    it('limits a conversation to one message a second when asked to', async () => {
      slack.settings.onePerSecond = true;
      const client = clientOf(slack, token);
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      await client.chat.postMessage({ channel: alice.id, text: 'one' });
      await client.chat.postMessage({ channel: bob.id, text: 'one' });
      const error = await failure(client.chat.postMessage({ channel: alice.id, text: 'two' }));
      expect(error).to.include({ code: 'slack_webapi_rate_limited_error', retryAfter: 1 });
      slack.passes(1000);
      await client.chat.postMessage({ channel: alice.id, text: 'two' });
      expect(alice.dms.count).to.equal(2);
    });
  });

  describe('for shortcuts, the App Home and events', () => {
    it('sends global shortcuts, and message shortcuts with the text as Slack escapes it', async () => {
      const received: unknown[] = [];
      await bot((app) => {
        app.shortcut({ type: 'shortcut', callback_id: 'new' }, async ({ ack, client, shortcut }) => {
          await ack();
          await client.views.open({ trigger_id: shortcut.trigger_id, view: pushModal });
        });
        app.shortcut({ type: 'message_action', callback_id: 'this' }, async ({ ack, shortcut, respond }) => {
          received.push(
            shortcut.message.text,
            shortcut.channel.name,
            shortcut.message.thread_ts !== undefined,
          );
          await ack();
          await respond('Pushed.');
        });
      });
      const alice = slack.user('alice');
      expect((await alice.usesShortcut('new').modal()).title).to.equal('New push');
      const message = alice.says('a & <b>', { thread: alice.says('Root') });
      expect((await alice.usesShortcut('this', { on: message }).message()).text).to.equal('Pushed.');
      expect(received).to.deep.equal(['a &amp; &lt;b&gt;', 'general', true]);
    });

    it('shows the home that is published when a user opens it', async () => {
      await bot((app) => {
        const home = (text: string) => ({
          type: 'home' as const,
          blocks: [section(text), actions(button('Burn', 'burn'))],
        });
        app.event('app_home_opened', async ({ event, client }) => {
          await client.views.publish({ user_id: event.user, view: home('1 active') });
        });
        app.action('burn', async ({ ack, client, body }) => {
          await ack();
          await client.views.publish({ user_id: body.user.id, view: home('none active') });
        });
      });
      const alice = slack.user('alice');
      const home = await alice.opensHome().home();
      expect(home.text).to.equal('1 active');
      await home.press('Burn');
      await home.becomes('none active');
      expect(alice.home.buttons).to.deep.equal(['Burn']);
      expect(() => slack.user('bob').home).to.throw('bob has no home');
    });

    it('sends events, and sends them again with the reason', async () => {
      const received: unknown[] = [];
      await bot((app) => {
        app.event('team_join', async ({ body, context }) => {
          received.push([body.event_id, context.retryNum, context.retryReason, body.team_id]);
        });
      });
      const emitted = slack.emits({ type: 'team_join', user: { id: 'U1' } });
      expect((await emitted).status).to.equal(200);
      expect((await emitted.again({ num: 1, reason: 'http_timeout' })).status).to.equal(200);
      await slack.until('both', () => (received.length === 2 ? true : undefined));
      const [first, second] = received as [unknown[], unknown[]];
      expect(first.slice(1)).to.deep.equal([undefined, undefined, slack.team.id]);
      expect(second).to.deep.equal([first[0], 1, 'http_timeout', slack.team.id]);
    });

    it('sends any action again with the same trigger', async () => {
      const triggers: string[] = [];
      await bot((app) => {
        app.command('/push', async ({ ack, body }) => {
          triggers.push(body.trigger_id);
          await ack();
        });
      });
      const act = slack.user('alice').runs('/push');
      await act;
      await act.again();
      expect(triggers).to.have.length(2);
      expect(new Set(triggers).size).to.equal(1);
    });

    it('sends the URL verification and the TLS check', async () => {
      await bot(() => {});
      const { body, challenge } = await slack.verifiesUrl();
      expect(body).to.deep.equal({ challenge });
      expect((await slack.checksSsl()).status).to.equal(200);
    });

    it('can send wrong, absent and old signatures, which Bolt refuses', async () => {
      await bot((app) => app.command('/push', ({ ack }) => ack()));
      const alice = slack.user('alice');
      expect((await alice.runs('/push', { manner: { forged: 'wrong' } })).status).to.equal(401);
      expect((await alice.runs('/push', { manner: { forged: 'absent' } })).status).to.equal(401);
      expect((await alice.runs('/push', { manner: { skewSeconds: -302 } })).status).to.equal(401);
      // Bolt accepts timestamps in the future. An app must check for them itself.
      expect((await alice.runs('/push', { manner: { skewSeconds: 302 } })).status).to.equal(200);
    });
  });

  describe('for several apps', () => {
    it('keeps their tokens and messages apart', async () => {
      await bot((app) => app.command('/push', ({ ack }) => ack('From the first')));
      const other = slack.addApp('Other');
      const { token: otherToken } = slack.install({ app: other });
      const listen = (app: App) => app.command('/push', ({ ack }) => ack('From the second'));
      const second = await startBot(slack, listen, { token: otherToken }, other);
      stops.push(second.stop);
      const alice = slack.user('alice');
      expect((await alice.runs('/push').message()).text).to.equal('From the first');
      expect((await alice.runs('/push', { app: other }).message()).text).to.equal('From the second');
      const { channel = '', ts = '' } = await clientOf(slack, token).chat.postMessage({
        channel: alice.id,
        text: 'x',
      });
      const update = clientOf(slack, otherToken).chat.update({ channel, ts, text: 'y' });
      expect((await failure(update)).data?.error).to.equal('channel_not_found');
      slack.deliversTo(other.requestUrl);
      expect((await alice.runs('/push')).status).to.equal(401);
      expect(slack.takeComplaints()).to.have.length(1);
    });
  });

  describe('for users and conversations', () => {
    it('describes users: their time zones, languages and roles', async () => {
      const client = clientOf(slack, token);
      const alice = slack.user('alice', {
        tz: 'Asia/Tokyo',
        tzOffset: 32_400,
        locale: 'ja-JP',
        isAdmin: true,
      });
      const { user } = await client.users.info({ user: alice.id, include_locale: true });
      expect(user).to.deep.include({
        id: alice.id,
        name: 'alice',
        real_name: 'Alice',
        tz: 'Asia/Tokyo',
        locale: 'ja-JP',
      });
      expect(user).to.deep.include({ is_admin: true, is_bot: false, deleted: false });
      expect(user?.profile?.email).to.equal(undefined);
      expect((await failure(client.users.info({ user: 'U0' }))).data?.error).to.equal('user_not_found');
    });

    it('lists users page by page', async () => {
      const client = clientOf(slack, token);
      for (const name of ['alice', 'bob', 'eve']) slack.user(name);
      const pages: number[] = [];
      for await (const page of client.paginate('users.list', { limit: 2 })) {
        pages.push('members' in page && Array.isArray(page.members) ? page.members.length : 0);
      }
      expect(pages).to.deep.equal([2, 2]);
    });

    it('opens conversations with users, and describes them', async () => {
      const client = clientOf(slack, slack.install({ scopes: ['im:write', 'im:read', 'mpim:write'] }).token);
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const { channel, already_open } = await client.conversations.open({ users: alice.id });
      expect([channel?.id?.at(0), already_open]).to.deep.equal(['D', false]);
      const again = await client.conversations.open({ users: alice.id, return_im: true });
      expect(again.channel).to.deep.include({ id: channel?.id, user: alice.id, is_im: true });
      const info = await client.conversations.info({ channel: String(channel?.id) });
      expect(info.channel).to.deep.include({ is_im: true, user: alice.id });
      const { members } = await client.conversations.members({ channel: String(channel?.id) });
      expect(members).to.have.length(2);
      const { channel: group } = await client.conversations.open({ users: `${alice.id},${bob.id}` });
      expect(group?.id?.at(0)).to.equal('G');
      const { user_id } = await client.auth.test();
      for (const [users, error] of [
        ['U0', 'user_not_found'],
        [String(user_id), 'cannot_dm_bot'],
        [slack.user('gone', { deleted: true }).id, 'user_disabled'],
      ] as const) {
        expect((await failure(client.conversations.open({ users }))).data?.error).to.equal(error);
      }
    });
  });

  describe('for faults', () => {
    const post = (more = {}) =>
      clientOf(slack, token, more).chat.postMessage({ channel: slack.user('alice').id, text: 'x' });

    for (const [fault, how, isMade] of [
      [{ status: 500 }, /500/, false],
      [{ error: 'fatal_error' }, /fatal_error/, false],
      [{ retryAfterSeconds: 7 }, /7/, false],
      ['dropped before', /socket|fetch failed/i, false],
      ['dropped after', /socket|fetch failed/i, true],
      ['no answer', /timeout/i, false],
    ] as const) {
      it(`disturbs one call: ${JSON.stringify(fault)}`, async () => {
        slack.disturb('chat.postMessage', fault);
        const error = await failure(post(fault === 'no answer' ? { timeout: 150 } : {}));
        expect(`${error.message} ${Object.values(error)}`).to.match(how);
        expect(slack.user('alice').dms.count).to.equal(isMade ? 1 : 0);
        await post();
        expect(slack.calls('chat.postMessage').map((call) => call.fault !== undefined)).to.deep.equal([
          true,
          false,
        ]);
      });
    }

    it('slows down or fails any method, as often as asked, until it is reset', async () => {
      slack.disturb('*', { slowMs: 80 }, { times: 2 });
      slack.disturb('*', { status: 503 }, { times: 9 });
      const began = performance.now();
      await post();
      await clientOf(slack, token).auth.test();
      expect(performance.now() - began).to.be.above(150);
      await failure(post());
      slack.calm();
      await post();
    });

    it('disturbs response URLs', async () => {
      const failures: unknown[] = [];
      await bot((app) => {
        app.command('/push', async ({ ack, respond }) => {
          await ack();
          await respond('x').catch((error) => failures.push(error.code));
          await respond('y');
        });
      });
      slack.disturb('response_url', { status: 500 });
      expect((await slack.user('alice').runs('/push').message()).text).to.equal('y');
      expect(failures).to.have.length(1);
    });
  });

  describe('as a validator', () => {
    const complaintsOf = async (doing: () => Promise<unknown>) => {
      await doing().catch(() => {});
      return slack.takeComplaints().join('\n');
    };

    it('complains about blocks without a text for notifications', async () => {
      const channel = slack.user('alice').id;
      const complaints = await complaintsOf(() =>
        clientOf(slack, token).chat.postMessage({ channel, blocks: [section('x')] }),
      );
      expect(complaints).to.equal('chat.postMessage: blocks without a fallback text');
    });

    it('complains about links that would be unfurled, except on buttons or in private responses', async () => {
      const client = clientOf(slack, token);
      const alice = slack.user('alice');
      const post = (more: object) =>
        complaintsOf(() => client.chat.postMessage({ channel: alice.id, text: 'x', ...more }));
      expect(await post({ text: 'see https://push.test/p/1' })).to.match(/a link without unfurl_links/);
      expect(
        await post({ text: 'x', blocks: [section('<https://push.test|here>')], unfurl_links: false }),
      ).to.match(/unfurl/);
      expect(
        await post({ text: 'see https://push.test', unfurl_links: false, unfurl_media: false }),
      ).to.equal('');
      expect(
        await post({ blocks: [actions(button('Open', 'open', { url: 'https://push.test' }))] }),
      ).to.equal('');
      const { channel } = await client.chat.postMessage({ channel: alice.id, text: 'x' });
      const whisper = { channel: String(channel), user: alice.id, text: 'https://push.test' };
      expect(await complaintsOf(() => client.chat.postEphemeral(whisper))).to.equal('');
    });

    it('complains about missing scopes by name', async () => {
      const { token: poor } = slack.install({ app: slack.addApp('Poor'), scopes: ['commands'] });
      const error = await failure(clientOf(slack, poor).chat.postMessage({ channel: 'C1', text: 'x' }));
      expect(error.data).to.include({ error: 'missing_scope', needed: 'chat:write', provided: 'commands' });
      expect(slack.takeComplaints()[0]).to.equal(
        'chat.postMessage needs the scope chat:write, the token has commands',
      );
    });

    it('complains about unknown methods, and unknown or missing tokens', async () => {
      expect(await complaintsOf(() => clientOf(slack, token).apiCall('tulips.grow'))).to.match(
        /tulips\.grow is no method/,
      );
      expect(await complaintsOf(() => clientOf(slack, 'xoxb-1').auth.test())).to.match(/never gave out/);
      expect(await complaintsOf(() => clientOf(slack, '').auth.test())).to.match(/without a token/);
      expect(await complaintsOf(() => clientOf(slack, slack.app.appToken).auth.test())).to.match(
        /never gave out/,
      );
      expect(await complaintsOf(() => clientOf(slack, token).apps.connections.open())).to.match(/no app's/);
    });

    it('complains about arguments that a method does not have', async () => {
      const channel = slack.user('alice').id;
      const post = () => clientOf(slack, token).apiCall('chat.postMessage', { channel, txt: 'x', text: 'x' });
      expect(await complaintsOf(post)).to.match(/invalid additional property: txt/);
    });

    const secret = 'tu&lip "é"\n<x>/+?';
    const forms: Record<string, string> = {
      'as it is': secret,
      'as JSON': JSON.stringify({ secret }),
      'as JSON in JSON': JSON.stringify({ metadata: JSON.stringify({ secret }) }),
      'as ASCII JSON': JSON.stringify({ secret }).replaceAll('é', '\\u00e9'),
      'in a URL': `https://x.test/?s=${encodeURIComponent(secret)}`,
      'in a form': new URLSearchParams({ s: secret }).toString(),
      'as HTML': 'tu&amp;lip "é"\n&lt;x&gt;/+?',
      'in base64': Buffer.from(secret).toString('base64'),
      'in base64 after a letter': Buffer.from(`x${secret}`).toString('base64'),
      'in base64 after two letters': Buffer.from(`xy${secret}`).toString('base64url'),
    };
    for (const [how, form] of Object.entries(forms)) {
      it(`finds a secret that was sent or logged ${how}`, async () => {
        await clientOf(slack, token).chat.postMessage({
          channel: slack.user('alice').id,
          text: `x ${form} x`,
          unfurl_links: false,
          unfurl_media: false,
        });
        expect(() => slack.verify({ secrets: ['other', secret] })).to.throw(
          'secret 1 is in chat.postMessage',
        );
        expect(() => slack.verify({ secrets: [secret], logs: [`x ${form} x`] })).to.throw(
          'secret 0 is in a log line',
        );
        expect(() => slack.verify({ secrets: [secret] })).to.not.throw(secret);
        slack.verify({ secrets: ['tulips'], logs: ['tulip'] });
      });
    }

    it('finds a secret in acknowledgements and in responses to response URLs', async () => {
      await bot((app) => {
        app.command('/ack', ({ ack, body }) => ack(`Got ${body.text}`));
        app.command('/respond', async ({ ack, respond, body }) => {
          await ack();
          await respond(`Got ${body.text}`);
        });
      });
      const alice = slack.user('alice');
      await alice.runs('/ack tulip').message();
      await alice.runs('/respond daisy').message();
      expect(() => slack.verify({ secrets: ['tulip'] })).to.throw('the acknowledgement of the command /ack');
      expect(() => slack.verify({ secrets: ['daisy'] })).to.throw('secret 0 is in response_url');
    });
  });
});

import { expect } from 'chai';
import { createJudge } from '../../../tools/standins/slack/published/published.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';
const environment = { FILES: 'everyone', SLACK_FILES: 'on', SLACK_USER_GROUPS: 'on' };

type Value = Record<string, unknown>;

/** Lets people do everything there is in Slack, and the app as well. */
async function live({ slack, withMore, deliver }: Stage): Promise<void> {
  const [alice, bob, admin] = [slack.user('alice'), slack.user('bob'), slack.user('admin')];
  const bot = slack.install();
  slack.userGroup('Ops', [alice, bob]);
  const form = await withMore(await alice.runs('/push').modal());
  form.fill({ Secret: secret, Name: 'VPN', 'User groups': ['Ops (@ops)'] });
  const answer = await form.submit().message();
  await (await bob.dms.next()).press('Open').message();
  await alice.runs('/push request @bob the key').message();
  const asked = await (await bob.dms.next()).press('Provide secret').modal();
  await asked.fill({ Secret: secret }).submit();
  await answer.press('Activity').modal();
  const home = await alice.opensHome().home();
  await home.press('New link').modal();
  await alice.usesShortcut('new_push').modal();
  const message = alice.says(bob.mention, { in: slack.channel('ops', { members: [alice], bots: [bot] }) });
  const pushed = await alice.usesShortcut('push_this', { on: message }).modal();
  await pushed
    .fill({ Files: [{ name: 'key.pem', content: secret }] })
    .submit()
    .message();
  await admin.runs('/push settings').modal();
  await deliver();
  await slack.uninstall(bot);
}

describe('What hushpush and this Slack say to each other', () => {
  let stage: Stage;
  let faultsOf: ReturnType<typeof createJudge>;

  before(async () => {
    faultsOf = createJudge();
    stage = await startStage({ environment });
    await live(stage);
  });

  after(() => stage.stop([secret]));

  /** The faults of many values, and a proof that there were some of each name. */
  function judge(values: [name: string, value: unknown][], expected: string[]): void {
    expect(values.flatMap(([name, value]) => faultsOf(name, value))).to.eql([]);
    expect(new Set(values.map(([name]) => name))).to.include.all.keys(...expected);
  }

  it('is, of commands, buttons, forms, shortcuts and events, what the types in Slack’s packages say', () => {
    judge(
      stage.slack.delivered().map(({ type, body }) => [type, body]),
      ['slash_commands', 'block_actions', 'view_submission', 'shortcut', 'message_action', 'events_api'],
    );
  });

  it('is, of responses, what the types in Slack’s packages say', () => {
    const calls = stage.slack.calls().filter(({ method }) => /^[a-z]+\./.test(method));
    judge(
      calls.map(({ method, response }) => [method, response]),
      ['chat.postMessage', 'views.open', 'views.update', 'views.publish', 'users.info', 'oauth.v2.access'],
    );
  });

  it('is, of messages, forms and the home, what the types in Slack’s packages say', () => {
    const shown = stage.slack.calls().flatMap(({ args }): [string, unknown][] => {
      const { blocks, view } = args as { blocks?: unknown; view?: Value };
      return [
        ...(blocks ? [['blocks', blocks] satisfies [string, unknown]] : []),
        ...(view ? [[String(view.type), view] satisfies [string, unknown]] : []),
      ];
    });
    judge(shown, ['blocks', 'modal', 'home']);
  });

  it('is noticed where it is something else', () => {
    expect(faultsOf('shortcut', { type: 'shortcut' })).to.not.eql([]);
    expect(faultsOf('blocks', [{ type: 'section', text: { type: 'html', text: 'x' } }])).to.not.eql([]);
    expect(faultsOf('home', { type: 'home', blocks: [], colour: 'red' })).to.not.eql([]);
    expect(faultsOf('views.open', { ok: true, view: { id: 7 } })).to.not.eql([]);
    expect(faultsOf('files.tulip', {})).to.eql(['files.tulip is not described']);
  });
});

import { mock } from 'node:test';
import type { App } from '@slack/bolt';
import { AuthorizationError, type InstallProvider } from '@slack/oauth';
import { expect } from 'chai';
import { createAuthorization, onRemoval } from '../../../src/bots/slack/authorization.ts';
import { NotInstalled } from '../../../src/bots/slack/installations.ts';
import type { SlackSettings } from '../../../src/bots/slack/settings.ts';
import { startService, type TestService } from '../../harness/service.ts';

type Handler = (event: object) => Promise<unknown>;

describe('The app in a Slack workspace', () => {
  let service: TestService;
  let chat: TestService['domain']['chat'];
  let events = 0;

  before(async () => {
    service = await startService();
    ({ chat } = service.domain);
  });

  after(() => service.stop());

  const install = (userId: string, token: string) =>
    chat.installations.store('slack', { workspace: 'T1', userId }, { bot: { token } });
  const installed = () => chat.installations.maybeFind('slack', { workspace: 'T1' });

  /** What the app does about an event of Slack. Returns the workspaces whose token it forgets. */
  async function receive(type: string, event: object = {}): Promise<string[]> {
    const handlers = new Map<string, Handler>();
    const forgotten: string[] = [];
    const app = { event: (name: string, handle: Handler) => handlers.set(name, handle) } as unknown as App;
    onRemoval(app, { chat, authorization: { clearCache: (id: string) => forgotten.push(id) } as never });
    events += 1;
    const body = { event_id: `E${events}` };
    await handlers.get(type)?.({ context: { teamId: 'T1' }, body, event });
    return forgotten;
  }

  it('stays when somebody else who had installed it leaves, and their token ends', async () => {
    await install('U1', 'xoxb-1');
    await install('U2', 'xoxb-2');
    await receive('tokens_revoked', { tokens: { oauth: ['U1'] } });
    expect(await installed()).to.eql({ bot: { token: 'xoxb-2' } });
  });

  it('is gone when it was removed, and its token is forgotten at once', async () => {
    await install('U1', 'xoxb-1');
    expect(await receive('app_uninstalled')).to.eql(['T1']);
    expect(await installed()).to.equal(undefined);
  });

  it('stays when Slack refuses a token that was replaced since', async () => {
    await install('U1', 'xoxb-new');
    const { removeInstallation } = createAuthorization({
      settings: {} as SlackSettings,
      installer: {} as InstallProvider,
      chat,
    });
    await removeInstallation('T1', 'xoxb-old');
    expect(await installed()).to.eql({ bot: { token: 'xoxb-new' } });
    await removeInstallation('T1', 'xoxb-new');
    expect(await installed()).to.equal(undefined);
  });

  it('is asked for again after a minute, and was then perhaps removed by another process', async () => {
    let isInstalled = true;
    const installer = {
      async authorize() {
        if (!isInstalled) throw new AuthorizationError('', new NotInstalled());
        return { botToken: 'xoxb-1' };
      },
    } as unknown as InstallProvider;
    const settings = { SLACK_API_URL: 'http://slack.test/api/' } as SlackSettings;
    const { maybeClient } = createAuthorization({ settings, installer, chat });
    const now = mock.method(performance, 'now', () => 0);
    try {
      expect((await maybeClient('T1'))?.token).to.equal('xoxb-1');
      isInstalled = false;
      now.mock.mockImplementation(() => 59_000);
      expect((await maybeClient('T1'))?.token).to.equal('xoxb-1');
      now.mock.mockImplementation(() => 61_000);
      expect(await maybeClient('T1')).to.equal(undefined);
    } finally {
      now.mock.restore();
    }
  });
});

import type { App } from '@slack/bolt';
import type { InstallProvider } from '@slack/oauth';
import { expect } from 'chai';
import { createAuthorization } from '../../../src/bots/slack/authorization.ts';
import { onRemoval } from '../../../src/bots/slack/removal.ts';
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
});

import { expectEachOpensOnce } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷';

describe('A channel in Discord', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('gets a secret that each of its members can open once, and whose sender is told who did', async () => {
    const { discord, opens } = stage;
    const [alice, bob, carol] = [discord.user('alice'), discord.user('bob'), discord.user('carol')];
    const form = await alice.runs('/push', { name: 'VPN' }).modal();
    const answer = await form.fill({ Secret: secret }).submit().message();
    const shared = await answer.press('Share in this channel').message();
    await expectEachOpensOnce(
      shared,
      [bob, carol].map((member) => ({ seen: member.sees(shared), dms: member.dms })),
      { opens, secret },
    );
    const notice = await alice.dms.next();
    await stage.deliverHeld();
    await notice.becomes(/was opened 2 of 5 times[\s\S]*\nOpened by @bob and @carol\./);
  });
});

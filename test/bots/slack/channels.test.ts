import { expectEachOpensOnce } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷';

describe('A channel in Slack', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('gets a secret that each of its members can open once, and whose sender is told who did', async () => {
    const { slack, opens } = stage;
    const [alice, bob, carol] = [slack.user('alice'), slack.user('bob'), slack.user('carol')];
    const answer = await alice.runs(`/push ${secret}`).message();
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

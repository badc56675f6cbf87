import { expect } from 'chai';
import { countRows } from '../../harness/chat.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('A secret after the command in Slack', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage({ environment: { SLASH_TEXT: 'refuse' } });
  });

  afterEach(() => stage.stop([secret]));

  it('is refused where the operator forbids it, while commands and the form work', async () => {
    const alice = stage.slack.user('alice');
    const refused = await alice.runs(`/push ${secret}`).message();
    expect(refused.text).to.equal(
      'Here, secrets are not typed after the command. Use the form: `/push` alone.',
    );
    expect(await countRows(stage.service, 'pushes')).to.equal(0);
    expect((await alice.runs('/push list').message()).text).to.match(/You have no active link/);
    const form = await alice.runs('/push').modal();
    expect((await form.fill({ Secret: secret }).submit().message()).text).to.match(/is ready/);
  });
});

import { expect } from 'chai';
import { askAgain } from '../staging.ts';
import { startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('In Mattermost', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;

  beforeEach(async () => {
    stage = await startStage();
    for (const each of ['alice', 'bob']) stage.mattermost.user(each);
    stage.mattermost.user('mary', { role: 'admin' });
  });

  afterEach(() => stage.stop([secret]));

  it('a button in direct messages, which belong to no team, is bound by the rules of the team', async () => {
    const { mattermost } = stage;
    const [alice, mary] = [mattermost.user('alice'), mattermost.user('mary')];
    const answer = await alice.runs(`/push ${secret}`).message();
    const [link = ''] = /http\S+\/p\/[\w-]+/.exec(answer.text) ?? [];
    await stage.service.database.execute('UPDATE pushes SET expires_at = 1, due_at = 1', {});
    await stage.service.domain.sweeps.expireDue();
    await askAgain(stage.client, link);
    const asked = await (await alice.dms.next()).reply(/ask/i);
    const which = await mary.runs('/push settings').message();
    const rules = await which.press('Team rules').modal();
    await rules.fill({ Rules: ['Only admins may share secrets'] }).submit();
    const form = await asked.press(asked.buttons[0] ?? '').modal();
    await form.fill({ Secret: secret }).submit();
    expect(form.errors.Secret).to.match(/do not let you/);
  });

  it('sharing in a channel notifies nobody, and says who shares', async () => {
    const alice = stage.mattermost.user('alice');
    const form = await alice.runs('/push').modal();
    const answer = await form.fill({ Secret: secret }).submit().message();
    const shared = await answer.press('Share in this channel').message();
    expect([shared.isPrivate, shared.mentions, shared.isUnfurled]).to.eql([false, [], false]);
    expect(shared.text).to.match(/^@alice shares a secret with this channel\./);
  });

  it('a form is submitted by whom it was opened for, also if somebody else has seen it', async () => {
    const { mattermost } = stage;
    const form = (await mattermost.user('alice').runs('/push').modal()).fill({ Secret: secret });
    expect((await form.submit({ user: mattermost.user('bob').user })).status).to.equal(401);
    expect((await form.submit()).status).to.equal(200);
  });
});

import { expect } from 'chai';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';
const environment = { SLACK_USER_GROUPS: 'on' };

describe('User groups in Slack', () => {
  let stage: Stage;

  afterEach(() => stage.stop([secret]));

  it('get a push as their members do, each once, and the sender does not', async () => {
    stage = await startStage({ environment });
    const { slack, opens } = stage;
    const [alice, bob, carol, dan] = ['alice', 'bob', 'carol', 'dan'].map((name) => slack.user(name));
    if (!alice || !bob || !carol || !dan) throw new Error('unreachable');
    slack.userGroup('Ops', [alice, bob, carol]);
    slack.userGroup('Web', [carol, dan]);
    const form = await alice.runs('/push').modal();
    expect(form.optionsOf('User groups')).to.eql(['Ops (@ops)', 'Web (@web)']);
    form.fill({ Secret: secret, Recipients: [bob], 'User groups': ['Ops (@ops)', 'Web (@web)'] });
    const answer = await form.submit().message();
    expect(answer.text).to.match(/@bob, @carol and @dan get a direct message/);
    for (const person of [bob, carol, dan]) {
      expect((await opens(await linkFor(await person.dms.next()))).body.payload).to.equal(secret);
      expect(person.dms.count).to.equal(1);
    }
  });

  it('get a push that is sent on', async () => {
    stage = await startStage({ environment });
    const { slack } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    slack.userGroup('Ops', [bob]);
    const answer = await alice.runs(`/push ${secret}`).message();
    const form = await answer.press('Send to…').modal();
    await form.fill({ 'User groups': ['Ops (@ops)'] }).submit();
    expect((await bob.dms.next()).text).to.match(/@alice sent you a secret/);
  });

  it('are refused where they have more members than a push has recipients', async () => {
    stage = await startStage({ environment });
    const { slack } = stage;
    const everybody = Array.from({ length: 51 }, (_, index) => slack.user(`person${index}`));
    slack.userGroup('Everybody', everybody);
    const form = await slack.user('alice').runs('/push').modal();
    await form.fill({ Secret: secret, 'User groups': ['Everybody (@everybody)'] }).submit();
    expect(form.errors.Recipients).to.match(/at most 50/);
  });

  it('are left out of nothing in silence, when Slack does not tell who is in them', async () => {
    stage = await startStage({ environment });
    const { slack, service } = stage;
    slack.userGroup('Ops', [slack.user('bob')]);
    const form = await slack.user('alice').runs('/push').modal();
    slack.disturb('usergroups.users.list', { error: 'fatal_error' }, { times: 9 });
    await form.fill({ Secret: secret, 'User groups': ['Ops (@ops)'] }).submit();
    expect(Object.values(form.errors)).to.eql([
      'Slack does not tell us who is in that group, so nothing was done. Choose the people yourself.',
    ]);
    const [row] = await service.database.select<{ count: number }>(
      'SELECT COUNT(*) AS count FROM pushes',
      {},
    );
    expect(Number(row?.count)).to.equal(0);
  });

  it('are not asked for where the operator does not want that', async () => {
    stage = await startStage();
    stage.slack.userGroup('Ops', [stage.slack.user('bob')]);
    const form = await stage.slack.user('alice').runs('/push').modal();
    expect(form.labels).to.not.include('User groups');
    expect(stage.slack.calls('usergroups.list')).to.eql([]);
  });
});

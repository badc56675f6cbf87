import { expect } from 'chai';
import { type Stage, startStage } from './stage.ts';

describe('A request that is typed in Slack', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop());

  it('goes to several people by name, and says how long they have', async () => {
    const { slack, service } = stage;
    const [alice, bob, carol] = [slack.user('alice'), slack.user('bob'), slack.user('carol')];
    const asked = await alice.runs('/push request @bob and @carol: the AWS key within 2 days').message();
    expect(asked.text).to.match(/^@bob and @carol get a direct message that asks for the secret\./);
    for (const { dms } of [bob, carol])
      expect((await dms.next()).text).to.match(/^@alice asks you for a secret\.\nthe AWS key\nPlease answer/);
    const [row] = await service.database.select<{ minutes: number }>(
      'SELECT (expires_at - created_at) / 60000 AS minutes FROM requests',
      {},
    );
    expect(Number(row?.minutes)).to.equal(2 * 24 * 60);
    const tooLong = await alice.runs('/push request @bob the key within 3 weeks').message();
    expect(tooLong.text).to.equal('A request can wait for its answer for 10 minutes to 14 days.');
  });

  it('goes to whoever has a link, for as long as is typed, or is a form without a title', async () => {
    const { slack, service } = stage;
    const alice = slack.user('alice');
    for (const words of ['request link', 'request-link', 'Request Link'])
      expect((await alice.runs(`/push ${words} the key within 3 days`).message()).text).to.match(
        /^Your request link for \*the key\*: /,
      );
    const rows = await service.database.select<{ minutes: number }>(
      'SELECT (expires_at - created_at) / 60000 AS minutes FROM request_links',
      {},
    );
    expect(rows.map(({ minutes }) => Number(minutes))).to.deep.equal(Array(3).fill(3 * 24 * 60));
    const form = await alice.runs('/push request link within 4 hours').modal();
    expect(form.values).to.deep.include({ 'Open for': '4 hours', 'How many answers': '1 answer' });
    const tooLong = await alice.runs(`/push request link ${'x'.repeat(101)}`).message();
    expect(tooLong.text).to.equal('What you ask for must have at most 100 characters.');
    const other = await alice.runs('/push request linkage of the key').modal();
    expect(other.values).to.deep.include({ 'What for?': 'linkage of the key' });
  });

  it('is in a form where a name is unknown, with everything else', async () => {
    const { slack } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    const form = await alice.runs('/push request @bob @nobody the AWS key within 4 hours').modal();
    expect(form.values).to.deep.include({
      'Who should send it?': [bob.id],
      'What for?': '@nobody the AWS key',
      'Answer needed within': '4 hours',
    });
  });
});

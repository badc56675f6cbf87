import { expect } from 'chai';
import { times } from '../../harness/api.ts';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('A user in Slack', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  async function pushes(fields: Record<string, unknown> = {}) {
    const form = await stage.withMore(await stage.slack.user('alice').runs('/push').modal());
    const answer = await form
      .fill({ Secret: secret, Name: 'VPN', ...fields })
      .submit()
      .message();
    return { answer, link: answer.links[0] ?? '' };
  }

  const postsTo = () => stage.slack.calls('chat.postMessage').length;

  it('reads one line about a burst of views', async () => {
    const { slack, opens } = stage;
    const before = postsTo();
    const { link } = await pushes({ Views: '25 views' });
    await opens(link);
    const notice = await slack.user('alice').dms.next();
    const line = await notice.reply(/VPN\* was opened on .* It opens 24 more times\./);
    await times(19, () => opens(link));
    await stage.deliverHeld();
    await line.becomes(/VPN\* was opened 20 times, the last time on .* It opens 5 more times\./);
    expect(notice.replies).to.have.length(1);
    expect(postsTo() - before).to.equal(2);
  });

  it('reads in a notification whose push it is about, and who sent a secret', async () => {
    const { slack, opens } = stage;
    const bob = slack.user('bob');
    await pushes({ Recipients: [bob], Views: '5 views' });
    const [alice, received] = [slack.user('alice'), await bob.dms.next()];
    expect(received.sent.text).to.equal(`<@${alice.id}> sent you a secret.`);
    await opens(await linkFor(received));
    const notice = await alice.dms.next();
    const line = await notice.reply(/was opened by/);
    expect(notice.sent.text).to.match(/^\*VPN\* was opened 1 of 5 times\.$/);
    expect(line.sent.text).to.match(/^\*VPN\* was opened by <@\w+> on <!date\^.*\. It opens 4 more times\.$/);
    expect(line.sent.text).to.not.match(/, \.|[Ss]omebody/);
  });

  it('reads that the sender withdrew a secret, where the link was', async () => {
    const { slack } = stage;
    const bob = slack.user('bob');
    const { answer } = await pushes({ Recipients: [bob] });
    const received = await bob.dms.next();
    expect(received.buttons).to.eql(['Open', 'Remind me later']);
    await answer.press('Burn now');
    await received.becomes(/@alice sent you a secret\.\nThe sender has withdrawn it\./);
    expect(received.buttons).to.eql([]);
  });

  it('may not send one view to two people', async () => {
    const [bob, carol] = [stage.slack.user('bob'), stage.slack.user('carol')];
    const { answer } = await pushes({ Views: '1 view' });
    const dialog = await answer.press('Send to…').modal();
    await dialog.fill({ 'Who gets it?': [bob, carol] }).submit();
    expect(Object.values(dialog.errors).join()).to.match(/at most 1, because the link has 1 view left/);
  });

  it('sends one view to each, where no number is chosen', async () => {
    const { slack } = stage;
    const people = ['bob', 'carol', 'dan', 'eve', 'fay', 'gil'].map((name) => slack.user(name));
    const form = await slack.user('alice').runs('/push').modal();
    const answer = await form.fill({ Secret: secret, Recipients: people }).submit().message();
    expect(answer.text).to.match(/It opens 6 times, until/);
    for (const { dms } of people) expect((await dms.next()).text).to.match(/It opens once, until/);
  });

  it('finds what was entered before they asked for more options', async () => {
    const { slack, opens } = stage;
    const form = await slack.user('alice').runs('/push').modal();
    form.fill({ Secret: secret, 'Expires after': '8 hours' });
    await stage.withMore(form);
    expect(form.values).to.include({ Secret: secret, 'Expires after': '8 hours' });
    expect(form.buttons).to.eql(['Compose in browser']);
    const answer = await form.fill({ Passphrase: 'sesame' }).submit().message();
    expect((await opens(answer.links[0] ?? '', 'sesame')).body.payload).to.equal(secret);
  });

  it('opens for its recipient alone, wherever its message and its link go', async () => {
    const { slack, opens } = stage;
    const [bob, mallory] = [slack.user('bob'), slack.user('mallory')];
    const { link: none } = await pushes({ Recipients: [bob] });
    expect(none).to.equal('');
    const received = await bob.dms.next();
    const [stale, fresh] = [await linkFor(received), await linkFor(received)];
    expect((await opens(stale)).status).to.equal(404);
    expect((await opens(fresh)).body.payload).to.equal(secret);
    expect((await opens(fresh)).body).to.include({ expired: true, payload: null });
    expect(mallory.dms.count).to.equal(0);
  });

  it('hears when a request reaches nobody', async () => {
    const { slack } = stage;
    slack.disturb('chat.postMessage', { error: 'messages_tab_disabled' });
    const dialog = await slack.user('alice').runs('/push request the VPN').modal();
    await dialog
      .fill({ 'Who should send it?': slack.user('bob') })
      .submit()
      .message();
    const told = await slack.user('alice').dms.next();
    expect(told.text).to.match(/Our messages do not reach @bob, so your request to them has ended/);
  });

  it('asks somebody directly by name', async () => {
    const { slack } = stage;
    const [alice, bob] = [slack.user('alice'), slack.user('bob')];
    const asked = await alice.runs('/push request @bob the AWS key').message();
    expect(asked.text).to.match(/@bob gets a direct message that asks for the secret/);
    expect((await bob.dms.next()).text).to.match(/@alice asks you for a secret\.\nthe AWS key/);
    const dialog = await alice.runs('/push request @nobody the key').modal();
    expect(dialog.values['What for?']).to.equal('@nobody the key');
  });

  it('is told in a whole sentence that they cannot ask themselves', async () => {
    const alice = stage.slack.user('alice');
    const dialog = await alice.runs('/push request').modal();
    await dialog.fill({ 'Who should send it?': alice }).submit();
    expect(Object.values(dialog.errors)).to.eql(['You cannot ask yourself.']);
  });

  it('sees in the settings what the defaults are', async () => {
    const settings = await stage.slack.user('admin').runs('/push settings').modal();
    await stage.slack.until('the settings', () => (settings.labels.includes('Rules') ? true : undefined));
    expect(settings.optionsOf('My links open')[0]).to.equal(
      'Default (1 view for each recipient, else 5 views)',
    );
    expect(settings.optionsOf('Longest life of a link')[0]).to.equal('No own limit (90 days)');
  });

  it('sets no rules once they are no admin any more, though the form is still open', async () => {
    const { slack } = stage;
    const admin = slack.user('admin');
    const settings = await admin.runs('/push settings').modal();
    await slack.until('the settings', () => (settings.labels.includes('Rules') ? true : undefined));
    Object.assign(admin.user, { isAdmin: false });
    await settings.fill({ 'Most views of a link': '2 views' }).submit();
    expect(Object.values(settings.errors).join()).to.match(
      /^Only people who manage this server or workspace/,
    );
    const form = await stage.withMore(await slack.user('alice').runs('/push').modal());
    expect(form.optionsOf('Views')).to.include('100 views');
  });

  it('pushes no word that was meant as a command', async () => {
    const alice = stage.slack.user('alice');
    expect((await alice.runs('/push HELP').message()).text).to.match(/opens a form/);
    expect((await alice.runs('/push hlep').message()).text).to.match(
      /Did you mean `\/push help`\? Nothing was created/,
    );
    expect((await alice.runs('/push List').message()).text).to.match(/You have no active link/);
    expect((await alice.runs('/push expire nosuch').message()).text).to.match(
      /You have no link called \*nosuch\*/,
    );
  });

  it('chooses lifetimes of minutes and hours, too', async () => {
    const form = await stage.slack.user('alice').runs('/push').modal();
    expect(form.optionsOf('Expires after').slice(0, 4)).to.eql(['10 minutes', '1 hour', '8 hours', '1 day']);
    const { answer } = await pushes({ 'Expires after': '10 minutes' });
    await stage.opens(answer.links[0] ?? '');
    const notice = await stage.slack.user('alice').dms.next();
    expect(notice.buttons).to.include('Extend by 10 minutes');
  });

  it('learns at the next command that direct messages do not reach them', async () => {
    const { slack, opens } = stage;
    const alice = slack.user('alice');
    const { link } = await pushes();
    slack.disturb('chat.postMessage', { error: 'messages_tab_disabled' });
    await opens(link);
    await stage.deliver();
    expect((await alice.runs('/push list').message()).text).to.match(/Our direct messages do not reach you/);
  });
});

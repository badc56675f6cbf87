import { expect } from 'chai';
import type { Person } from '../../../tools/standins/mattermost/people.ts';
import { asForm } from '../../harness/api.ts';
import { parseForm, sameOrigin } from '../../harness/forms.ts';
import { until } from '../../harness/until.ts';
import { linkFor } from '../staging.ts';
import { startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷\n  two lines ';
const notes = { name: 'notes.txt', type: 'text/plain', bytes: Buffer.from('forget-me-not') };

describe('A push in Mattermost', () => {
  let stage: Awaited<ReturnType<typeof startStage>>;
  let alice: Person;
  let bob: Person;

  beforeEach(async () => {
    stage = await startStage({ environment: { FILES: 'everyone' } });
    [alice, bob] = [stage.mattermost.user('alice'), stage.mattermost.user('bob')];
  });

  afterEach(() => stage.stop([secret]));

  const select = <Row extends object>(sql: string): Promise<Row[]> =>
    stage.service.database.select<Row>(sql, {});

  it('is made of the text after the command, byte for byte, and answered privately', async () => {
    const answer = await alice.runs(`/push ${secret}`).message();
    expect(answer.isPrivate).to.equal(true);
    const [link = ''] = /http\S+\/p\/[\w-]+/.exec(answer.text) ?? [];
    expect((await stage.opens(link)).body.payload).to.equal(secret);
  });

  it('takes the files that its sender has sent to the bot within the hour, and nobody else’s', async () => {
    const bobs = bob.says('', { in: bob.botDm, files: [{ ...notes, bytes: Buffer.from('private') }] });
    alice.says('', { in: alice.botDm, files: [notes] });
    const form = await alice.runs('/push').modal();
    const label = form.labels.find((each) => each.startsWith('Files')) ?? expect.fail('no files are offered');
    expect(form.optionsOf(label)).to.eql(['notes.txt']);
    const stolen = form.dialog.content.elements as {
      name: string;
      options: { text: string; value: string }[];
    }[];
    stolen
      .find(({ name }) => name === 'messageFiles')
      ?.options.push({ text: 'theirs', value: bobs.files[0]?.id ?? '' });
    await form.fill({ [label]: ['theirs'] }).submit();
    expect(Object.values(form.errors).join()).to.match(/notes\.txt/);
    const answer = await form
      .fill({ [label]: ['notes.txt'], Secret: secret })
      .submit()
      .message();
    expect(answer.text).to.match(/is ready/);
    expect(await select('SELECT COUNT(*) AS count FROM files')).to.eql([{ count: 1 }]);
  });

  it('offers no file that was sent long ago', async () => {
    const sent = alice.says('', { in: alice.botDm, files: [notes] });
    sent.createAt -= 61 * 60_000;
    const form = await alice.runs('/push').modal();
    expect(form.labels.filter((each) => each.startsWith('Files'))).to.eql([]);
  });

  it('is answered where its sender is, when it was composed in the browser', async () => {
    const form = await alice.runs('/push').modal();
    const intro = String(form.dialog.content.introduction_text);
    const [, page = ''] = /\((http[^)]+)\)/.exec(intro) ?? [];
    const { pathname } = new URL(page);
    await until(async () => (await stage.client.get(pathname)).status === 200); // it is saved while the form opens
    const { headers, fields } = parseForm(await stage.client.get(pathname));
    const body = String(new URLSearchParams({ ...fields, payload: secret }));
    const sent = await stage.client.send('POST', pathname, {
      headers: { ...asForm, ...headers, ...sameOrigin },
      body,
    });
    expect(sent.status).to.be.lessThan(400);
    const answer = await alice.whispers.next();
    expect(answer.text).to.match(/is ready/);
    await answer.press('Burn now');
  });

  it('shows its errors at the fields of a form that stays open with all that was entered', async () => {
    const form = await alice.runs('/push').modal();
    await form.fill({ Passphrase: 'x'.repeat(150), Name: 'VPN' }).submit();
    expect([form.isOpen, Object.keys(form.errors)]).to.eql([true, ['Secret']]);
    const answer = await form.fill({ Secret: secret }).submit().message();
    expect(form.isOpen).to.equal(false);
    expect(answer.text).to.match(/VPN is ready/);
  });

  it('goes to people by their names, who answer a request in their own language', async () => {
    const anna = stage.mattermost.user('anna', { locale: 'de', timeZone: 'Asia/Tokyo' });
    const asked = await alice.runs('/push request @anna the VPN key').message();
    expect(asked.text).to.match(/^@anna gets a direct message/);
    const request = await anna.dms.next();
    expect(request.text).to.match(/^@alice bittet dich um ein Geheimnis/);
    const form = await request.press(request.buttons[0] ?? '').modal();
    await form.fill({ Geheimnis: secret }).submit();
    await request.becomes(/gesendet|geschickt/);
    const received = await alice.dms.next();
    expect((await stage.opens(await linkFor(received))).body.payload).to.equal(secret);
  });

  it('asks in a form for people whom a command names, and nobody is called', async () => {
    const form = await alice.runs('/push request @nobody the VPN key').modal();
    expect(form.labels[0]).to.equal('Who should send it?');
  });

  it('is answered in a direct message once its response address has expired', async () => {
    const list = await alice.runs(`/push ${secret}`).message();
    stage.mattermost.passes(31 * 60_000);
    await list.press('Burn now');
    const question = await alice.dms.next();
    expect(question.text).to.match(/^Burn this/);
    await question.press('Burn it');
    await question.becomes(/expired|burned|deleted|ended|no longer/i);
  });

  it('does not reach whoever has left', async () => {
    bob.user.deleteAt = 1;
    const form = await alice.runs('/push').modal();
    await form.fill({ Secret: secret, Recipients: [bob] }).submit();
    const notice = await alice.dms.next();
    expect((await notice.reply(/do not reach/)).text).to.match(/@bob/);
  });

  it('is told of in a new message where the one about it was deleted', async () => {
    const form = await alice.runs('/push').modal();
    const answer = await form.fill({ Secret: secret, Views: '5 views' }).submit().message();
    const [link = ''] = /http\S+\/p\/[\w-]+/.exec(answer.text) ?? [];
    await stage.opens(link);
    const { sent } = await alice.dms.next();
    sent.deleted = true;
    await stage.opens(link);
    await stage.deliverHeld();
    expect((await alice.dms.next()).text).to.match(/was opened 2 of 5 times/);
  });

  it('obeys the rules that a system admin sets for a team', async () => {
    const root = stage.mattermost.user('root', { isSystemAdmin: true });
    const which = await root.runs('/push settings').message();
    const form = await which.press('Team rules').modal();
    await form.fill({ Rules: ['Only admins may share secrets'] }).submit();
    const own = await alice.runs('/push').modal();
    await own.fill({ Secret: secret }).submit();
    expect(own.errors.Secret).to.match(/do not let you/);
  });

  it('keeps every label within the bytes that Mattermost allows, in German too', async () => {
    const anna = stage.mattermost.user('anna', { locale: 'de', role: 'admin' });
    for (const command of ['/push', '/push request', '/push settings']) await anna.runs(command);
    const which = anna.whispers.last();
    for (const label of which.buttons.slice(0, 2)) await which.press(label).modal();
    expect(stage.mattermost.platform.complaints).to.eql([]);
  });

  it('has the times of its reader’s own zone', async () => {
    const tina = stage.mattermost.user('tina', { timeZone: 'Asia/Tokyo' });
    const hourOf = ({ text }: { text: string }) => /until .* (\d+:\d+\s[AP]M)/.exec(text)?.[1];
    const form = await alice.runs('/push').modal();
    const answer = await form
      .fill({ Secret: secret, Recipients: [tina] })
      .submit()
      .message();
    const [here, there] = [hourOf(answer), hourOf(await tina.dms.next())];
    expect([here, there]).to.not.include(undefined);
    expect(here).to.not.equal(there);
  });
});

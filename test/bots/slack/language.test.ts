import { expect } from 'chai';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('A user of Slack in German', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('reads German, while the recipient of their push reads their own language', async () => {
    const { slack, opens } = stage;
    const anna = slack.user('anna', { locale: 'de-DE' });
    const bob = slack.user('bob', { locale: 'en-GB' });
    const form = await stage.withMore(await anna.runs('/push').modal());
    expect(form.title).to.equal('Neuer Link');
    const answer = await form
      .fill({ Geheimnis: secret, Name: 'VPN', Empfänger: [bob], Ansichten: '5 Ansichten' })
      .submit()
      .message();
    expect(answer.text).to.match(/VPN\*? ist bereit\.$/m);
    expect(answer.text).to.match(/@bob bekommt eine Direktnachricht mit dem Link\./);
    expect(answer.buttons).to.eql(['Jetzt vernichten', 'Verlauf']);
    const received = await bob.dms.next();
    expect(received.text).to.match(/@anna sent you a secret\./);
    await opens(await linkFor(received));
    const notice = await anna.dms.next();
    expect(notice.sent.text).to.match(/^\*VPN\* wurde 1 von 5 Mal geöffnet\.$/m);
    await notice.reply(/VPN\* wurde von @bob am .* geöffnet\. Der Link lässt sich noch 4-mal öffnen\./);
  });

  it('uses the German words after the command, and the English ones', async () => {
    const anna = stage.slack.user('anna', { locale: 'de-DE' });
    expect((await anna.runs('/push hilfe').message()).text).to.match(/`\/push liste` zeigt deine Links\./);
    expect((await anna.runs('/push Liste').message()).text).to.match(/Du hast keinen aktiven Link\./);
    expect((await anna.runs('/push list').message()).text).to.match(/Du hast keinen aktiven Link\./);
    expect((await anna.runs('/push hifle').message()).text).to.match(/Meintest du `\/push hilfe`\?/);
    const form = await anna.runs('/push anfragen').modal();
    await form.fill({ 'Wer soll es schicken?': anna }).submit();
    expect(Object.values(form.errors)).to.eql(['Du kannst dich nicht selbst bitten.']);
  });
});

import { expect } from 'chai';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('A user of Discord in German', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('reads German, also in messages that answer no command', async () => {
    const { discord, opens } = stage;
    const anna = discord.user('anna', { locale: 'de' });
    const bob = discord.user('bob');
    const form = await anna.runs('/push', { recipient: bob, views: 2, name: 'VPN' }).modal();
    expect(form.title).to.equal('Neuer Push');
    const answer = await form.fill({ Geheimnis: secret }).submit().message();
    expect(answer.text).to.match(/\*\*VPN\*\* ist bereit: /);
    expect(answer.buttons).to.eql(['Jetzt vernichten', 'Verlauf', 'Senden an …']);
    const received = await bob.dms.next();
    await opens(received.urlOf('Open'));
    const notice = await anna.dms.next();
    await notice.becomes(/VPN\*\* wurde 1 von 2 Mal geöffnet/);
    const question = await answer.press('Jetzt vernichten').edited();
    expect(question.text).to.match(/Diesen Push vernichten\?/);
  });
});

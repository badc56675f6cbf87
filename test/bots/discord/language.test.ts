import { expect } from 'chai';
import { linkFor } from '../staging.ts';
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
    expect(form.title).to.equal('Neuer Link');
    const answer = await form.fill({ Geheimnis: secret }).submit().message();
    expect(answer.text).to.match(/\*\*VPN\*\* ist bereit\.$/m);
    expect(answer.buttons).to.eql(['Jetzt vernichten', 'Verlauf']);
    const received = await bob.dms.next();
    expect(received.text).to.match(/@anna hat dir ein Geheimnis geschickt\./); // bob has done nothing yet
    await opens(await linkFor(received, 'Öffnen')); // which is answered in the language that he reads
    const notice = await anna.dms.next();
    await notice.becomes(/VPN\*\* wurde 1 von 2 Mal geöffnet/);
    const question = await answer.press('Jetzt vernichten').edited();
    expect(question.text).to.match(/Diesen Link vernichten\?/);
  });

  it('does not decide on the language of those who have used a command', async () => {
    const { discord } = stage;
    const anna = discord.user('anna', { locale: 'de' });
    const bob = discord.user('bob', { locale: 'en-US' });
    await bob.runs('/pushes list').message();
    const asked = await anna.runs('/pushes request', { user: bob, reason: 'VPN' }).message();
    expect(asked.text).to.match(/@bob bekommt eine Direktnachricht mit deiner Bitte/);
    const request = await bob.dms.next();
    expect(request.text).to.match(/@anna asks you for a secret/);
    await request.press('Decline');
    expect((await anna.dms.next()).text).to.match(/@bob möchte dir das Geheimnis nicht schicken/);
  });
});

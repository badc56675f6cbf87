import { expect } from 'chai';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip & <daffodil> "42" 🌷';

describe('A channel in Discord', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('gets a secret that each of its members can open once, and whose sender is told who did', async () => {
    const { discord, opens } = stage;
    const [alice, bob, carol] = [discord.user('alice'), discord.user('bob'), discord.user('carol')];
    const form = await alice.runs('/push', { name: 'VPN' }).modal();
    const answer = await form.fill({ Secret: secret }).submit().message();
    const shared = await answer.press('Share in this channel').message();
    expect(shared.isPrivate).to.equal(false);
    expect(shared.text).to.match(
      /^@alice shares a secret with this channel\.\nEach member can open it once, until [^\n]+$/,
    );
    expect(shared.buttons).to.eql(['Open']);
    for (const member of [bob, carol]) {
      const link = await linkFor(member.sees(shared));
      expect((await opens(link)).body.payload).to.equal(secret);
      expect((await opens(link)).body.payload).to.equal(null);
      const again = await member.sees(shared).press('Open').message();
      expect([again.isPrivate, again.text]).to.eql([true, 'You have opened this secret already.']);
      expect(member.dms.count).to.equal(0);
    }
    const notice = await alice.dms.next();
    await stage.deliverHeld();
    await notice.becomes(/was opened 2 of 5 times[\s\S]*\nOpened by @bob and @carol\./);
  });
});

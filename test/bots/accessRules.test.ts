import { expect } from 'chai';
import { cleanUpAfterEach } from '../harness/cleanUp.ts';
import { startStage as startDiscordStage } from './discord/stage.ts';
import { startStage as startSlackStage } from './slack/stage.ts';
import { linkFor } from './staging.ts';

const secret = 'tulip-and-daffodil';

describe('Rules about who may push and receive', () => {
  const cleanUp = cleanUpAfterEach();

  it('are set by admins of Slack, and hold for guests and members', async () => {
    const stage = await startSlackStage();
    cleanUp(() => stage.stop([secret]));
    const { slack, opens } = stage;
    const [admin, alice] = [slack.user('admin'), slack.user('alice')];
    const guest = slack.user('guest', { isGuest: true });
    const setRules = async (Rules: string[]) => {
      const form = await admin.runs('/push settings').modal();
      await slack.until('the rules', () => (form.labels.includes('Rules') ? true : undefined));
      await form.fill({ Rules }).submit();
    };
    await setRules([
      'Guests and people from outside may not receive secrets',
      'Guests and people from outside may not share secrets',
    ]);
    const form = await alice.runs('/push').modal();
    await form.fill({ Secret: secret, Recipients: [guest] }).submit();
    expect(form.errors.Recipients).to.match(/all be members of this workspace/);
    await form.fill({ Recipients: [admin] }).submit();
    const dm = await slack.until('the secret', () =>
      admin.dms.all().find(({ text }) => /sent you a secret/.test(text)),
    );
    expect((await opens(await linkFor(dm))).body.payload).to.equal(secret);
    const own = await guest.runs('/push').modal();
    await own.fill({ Secret: secret }).submit();
    expect(own.errors.Secret).to.match(/rules of this workspace do not let you share/);
    await setRules(['Only admins may share secrets']);
    const late = await alice.runs('/push').modal();
    await late.fill({ Secret: secret }).submit();
    expect(late.errors.Secret).to.match(/do not let you share/);
  });

  it('are set by managers of a Discord server, and keep secrets from people who are not in it', async () => {
    const stage = await startDiscordStage();
    cleanUp(() => stage.stop([secret]));
    const { discord } = stage;
    const [alice, bob] = [discord.user('alice'), discord.user('bob')];
    const eve = discord.user('eve', { guilds: [] });
    const rules = await (await alice.runs('/pushes settings').message()).press('Server rules').modal();
    await rules
      .fill({ Rules: ['Guests and people from outside may not receive secrets'] })
      .submit()
      .message();
    const form = await alice.runs('/push').modal();
    const refused = await form
      .fill({ Secret: secret, Recipients: [eve] })
      .submit()
      .message();
    expect(refused.text).to.match(/Recipients must all be members of this workspace/);
    const again = await refused.press('Fill it in again').modal();
    const answer = await again
      .fill({ Recipients: [bob] })
      .submit()
      .message();
    expect(answer.text).to.match(/@bob gets a direct message/);
  });
});

import { expect } from 'chai';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';
const label = 'My time zone, for reminders';

describe('A time zone in Discord, which does not tell it', () => {
  let stage: Stage;

  beforeEach(async () => {
    stage = await startStage();
  });

  afterEach(() => stage.stop([secret]));

  it('is a setting, by which a recipient is reminded in the morning', async () => {
    const { discord, service } = stage;
    const [alice, bob] = [discord.user('alice'), discord.user('bob')];
    const settings = () => bob.runs('/pushes settings', {}, { in: bob.botDm }).modal();
    expect((await settings()).values[label]).to.eql(['Not set']);
    await (await settings())
      .fill({ [label]: 'Asia/Tokyo' })
      .submit()
      .message();
    expect((await settings()).values[label]).to.eql(['Asia/Tokyo']);
    const form = await alice.runs('/push', { recipient: bob }).modal();
    await form.fill({ Secret: secret }).submit().message();
    const question = await (await bob.dms.next()).press('Remind me later').message();
    expect(question.buttons).to.eql(['In an hour', 'Tomorrow at 9:00']);
    await question.press('Tomorrow at 9:00').edited();
    const [row] = await service.database.select<{ remindAt: number }>(
      'SELECT remind_at AS remindAt FROM push_recipients',
      {},
    );
    expect(new Date(Number(row?.remindAt)).toISOString()).to.match(/T00:00:00\.000Z$/); // nine in Tokyo
  });
});

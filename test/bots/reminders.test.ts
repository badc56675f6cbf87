import { expect } from 'chai';
import { type Chat, chats, type Message, type Person, secret } from './chats.ts';
import { linkFor } from './staging.ts';

for (const [name, start] of chats)
  describe(`A reminder in ${name}`, () => {
    let chat: Chat;
    let bob: Person;
    let carol: Person;

    beforeEach(async () => {
      chat = await start();
      [bob, carol] = [chat.user('bob'), chat.user('carol')];
    });

    afterEach(() => chat.stop([secret]));

    const change = (sql: string) => chat.service.database.execute(sql, {});

    it('comes from the sender to who has not opened a secret, at most once an hour', async () => {
      await chat.pushTo('bob', 'carol');
      const first = await bob.dms.next();
      expect(first.buttons).to.eql(['Open', 'Remind me later']);
      await chat.opens(await linkFor(await carol.dms.next()));
      await chat.deliver();
      expect(await chat.nudges()).to.equal('@bob gets a reminder.');
      const reminder = await bob.dms.next();
      expect(reminder.text).to.match(
        /^Reminder: @alice sent you a secret, and you have not opened it yet\.\nIt opens once, until /,
      );
      await chat.losesButtons(first);
      expect(await chat.nudges()).to.equal(
        'You reminded @bob less than an hour ago. You can remind each person once an hour, whichever link it is about.',
      );
      await change('UPDATE push_recipients SET nudged_at = 1 WHERE nudged_at IS NOT NULL');
      expect(await chat.nudges()).to.equal('@bob gets a reminder.');
      const second = await bob.dms.next();
      expect((await chat.opens(await linkFor(second))).body.payload).to.equal(secret);
      await second.becomes(/^@alice sent you a secret\.\nYou have opened it/);
      expect(carol.dms.count).to.equal(1);
    });

    it('comes when a recipient asked for it, unless they have opened the secret', async () => {
      const { pushes } = chat.service.domain;
      await chat.pushTo('bob');
      const received = await bob.dms.next();
      const remindLater = async (from: Message, label: string) => {
        const question = await from.press('Remind me later').message();
        expect([question.isPrivate, question.buttons]).to.eql([true, chat.times]);
        await question.press(label);
        await question.becomes(/^You get a reminder on .*, unless you have opened it by then\.$/);
        await pushes.remindDue();
        await change('UPDATE push_recipients SET remind_at = 1 WHERE remind_at IS NOT NULL');
      };
      for (const label of chat.times) await remindLater(received, label);
      expect(bob.dms.count).to.equal(1);
      for (const _ of [1, 2]) await pushes.remindDue();
      const reminder = await bob.dms.next();
      expect(reminder.text).to.match(/^Reminder: @alice sent you a secret/);
      await remindLater(reminder, 'In an hour');
      expect((await chat.opens(await linkFor(reminder))).body.payload).to.equal(secret);
      await pushes.remindDue();
      await reminder.becomes(/You have opened it/);
      await chat.deliver();
      expect(bob.dms.count).to.equal(2);
    });
  });

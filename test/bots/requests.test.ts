import { expect } from 'chai';
import { type Chat, chats, type Person, secret } from './chats.ts';

for (const [name, start] of chats)
  describe(`A request in ${name}`, () => {
    let chat: Chat;
    let alice: Person;
    let bob: Person;
    let carol: Person;

    beforeEach(async () => {
      chat = await start();
      [alice, bob, carol] = [chat.user('alice'), chat.user('bob'), chat.user('carol')];
    });

    afterEach(() => chat.stop([secret]));

    const change = (sql: string) => chat.service.database.execute(sql, {});

    it('to several people ends for each of them, with an answer or in the end without', async () => {
      const { requests } = chat.service.domain.chat;
      const asked = await chat.asks('bob', 'carol', 'dan');
      expect(asked.text).to.match(
        /^@bob, @carol and @dan get a direct message that asks for the secret\. You will be notified of each answer\.\nYour request waits until /,
      );
      const [bobs, carols] = [await bob.dms.next(), await carol.dms.next()];
      for (const { text } of [bobs, carols])
        expect(text).to.match(/^@alice asks you for a secret\.\nthe VPN\nPlease answer by /);
      await bobs.press('Decline');
      expect((await alice.dms.next()).text).to.equal('@bob declined to send you the secret.');
      await change('UPDATE requests SET due_at = 1 WHERE due_at IS NOT NULL');
      for (const _ of [1, 2]) await requests.sweep();
      const reminder = await carol.dms.next();
      expect(reminder.text).to.match(/^Reminder: @alice still waits for a secret from you\.\nthe VPN\n/);
      expect(reminder.buttons).to.eql(['Provide secret', 'Decline']);
      await chat.losesButtons(carols);
      await change('UPDATE requests SET expires_at = 1, due_at = 1 WHERE due_at IS NOT NULL');
      for (const _ of [1, 2]) await requests.sweep();
      const end = await alice.dms.next();
      expect(end.text).to.equal(
        '@carol and @dan did not answer your request for a secret in time. It has expired, and you can ask again.',
      );
      await reminder.becomes(/^@alice’s request for a secret has expired\.$/);
      await chat.deliver();
      expect([alice.dms.count, bob.dms.count, carol.dms.count]).to.eql([2, 1, 2]);
    });

    it('to several people is cancelled for all of them', async () => {
      const asked = await chat.asks('bob', 'carol');
      const messages = [await bob.dms.next(), await carol.dms.next()];
      await asked.press('Cancel');
      await asked.becomes(/^You no longer ask @bob and @carol for a secret\.$/);
      for (const message of messages) await message.becomes(/^@alice no longer asks you for a secret\.$/);
    });

    it('ends for whom no message reaches, and its requester is told who that is', async () => {
      chat.closesDms('bob');
      await chat.asks('bob', 'carol');
      const told = await alice.dms.next();
      const [, unreached] =
        /^Our messages do not reach @(bob|carol), so your request to them has ended\./.exec(told.text) ?? [];
      const [reached, closed] = unreached === 'bob' ? [carol, bob] : [bob, carol];
      expect((await reached.dms.next()).text).to.match(/^@alice asks you for a secret\./);
      await chat.deliver();
      expect([unreached, closed.dms.count, alice.dms.count]).to.eql([closed.name, 0, 1]);
    });
  });

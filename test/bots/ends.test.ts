import { type Chat, chats, type Person, secret } from './chats.ts';
import { linkFor } from './staging.ts';

for (const [name, start] of chats)
  describe(`The end of a secret in ${name}`, () => {
    let chat: Chat;
    let bob: Person;
    let carol: Person;

    beforeEach(async () => {
      chat = await start();
      [bob, carol] = [chat.user('bob'), chat.user('carol')];
    });

    afterEach(() => chat.stop([secret]));

    /** Alice sends a secret to both, and Bob opens it. */
    async function sendToBoth() {
      const answer = await chat.pushTo('bob', 'carol');
      const [toBob, toCarol] = [await bob.dms.next(), await carol.dms.next()];
      await chat.opens(await linkFor(toBob));
      await toBob.becomes(/^@alice sent you a secret\.\nYou have opened it\. It does not open again\.$/);
      return { answer, toBob, toCarol };
    }

    it('tells its sender who has opened it, and each recipient how it ended for them', async () => {
      const { toBob, toCarol } = await sendToBoth();
      const notice = await chat.user('alice').dms.next();
      await chat.service.database.execute('UPDATE pushes SET expires_at = 1, due_at = 1', {});
      await chat.service.domain.sweeps.expireDue();
      await toCarol.becomes(/^@alice sent you a secret\.\nIt expired before you opened it\.$/);
      await notice.becomes(/has expired\. It had been opened once\.\nOpened by @bob, not by @carol\.$/);
      await toBob.becomes(/You have opened it/);
    });

    it('is withdrawn for who has not opened it', async () => {
      const { answer, toBob, toCarol } = await sendToBoth();
      await chat.burns(answer);
      await toCarol.becomes(/^@alice sent you a secret\.\nThe sender has withdrawn it\.$/);
      await chat.deliver();
      await toBob.becomes(/You have opened it/);
    });
  });

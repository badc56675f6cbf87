import { expect } from 'chai';
import { createAccount, someClient } from '../harness/service.ts';
import { freshlySignedIn } from '../harness/signedIn.ts';
import { type Chat, chats, secret } from './chats.ts';

for (const [name, start] of chats)
  describe(`A user of ${name} whose account somebody else changes`, () => {
    let chat: Chat;

    beforeEach(async () => {
      chat = await start();
    });

    afterEach(() => chat.stop([secret]));

    it('is told what was done and by whom, up to the end of the account', async () => {
      const { accounts, apiTokens } = chat.service.domain;
      await chat.pushTo('bob');
      const email = 'admin@example.com';
      const { account } = await createAccount(chat.service.domain, email, { isAdmin: true });
      const admin = await freshlySignedIn(chat.service.domain, account);
      const alice = (await accounts.list()).find(({ email }) => email !== admin.email);
      if (alice === undefined) throw new Error('alice has no account');
      const next = async () => (await chat.user('alice').dms.next()).text;

      await accounts.setDisabled(alice.email, true, admin);
      expect(await next()).to.match(
        /^The admin admin@example\.com did this to your account @?alice: it was disabled\.\nIf you do not know why/,
      );
      await accounts.setDisabled(alice.email, false, 'operator');
      expect(await next()).to.match(/^Whoever runs this server did this .*: it was enabled again\./);
      await apiTokens.create(alice, { name: 'ci' }, { actor: 'operator' });
      expect(await next()).to.match(/an API token was created that acts for it \(ci\)\./);
      await accounts.erase(alice.email, admin);
      expect(await next()).to.match(
        /^The admin admin@example\.com .*: it was deleted with everything in it\./,
      );
    });

    it('is told of a browser that is new to the account, in words that nobody else chose', async () => {
      const { accounts, sessions } = chat.service.domain;
      await chat.pushTo('bob');
      const [alice] = await accounts.list();
      if (alice === undefined) throw new Error('alice has no account');
      const method = { way: 'chat', factors: ['chat'] } as const;
      const next = async () => (await chat.user('alice').dms.next()).text;
      await sessions.create(alice, someClient, method);
      const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
      await sessions.create(alice, { ...someClient, userAgent }, method);
      expect(await next()).to.match(
        /^Somebody signed in to your account @?alice in a browser that is new to it: \W*Firefox on Linux\W*, from \W*[\da-f.:]+\W*,/,
      );
      await sessions.create(alice, { ...someClient, userAgent: 'evil.example/1 (call-us)' }, method);
      expect(await next())
        .to.include('An unknown browser')
        .and.to.not.include('evil');
    });
  });

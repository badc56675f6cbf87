import { expect } from 'chai';
import { asJson, createClient } from '../harness/api.ts';
import { countRows } from '../harness/chat.ts';
import { startMailServer } from '../harness/mailServer.ts';
import { type Chat, chats, type Message, type Person, secret } from './chats.ts';

for (const [name, start] of chats)
  describe(`A request link in ${name}`, () => {
    let chat: Chat;
    let alice: Person;

    beforeEach(async () => {
      chat = await start();
      alice = chat.user('alice');
    });

    afterEach(() => chat.stop([secret]));

    /** The address that a card shows, to which a stranger can send an answer. */
    function addressIn({ text }: Message) {
      const [path = expect.fail(`no link in ${text}`)] = /\/a\/[0-9a-z]{26}/.exec(text) ?? [];
      return async function answer(fields: object = {}): Promise<number> {
        const client = createClient(chat.service.port);
        const body = JSON.stringify({ answer: { payload: secret, ...fields } });
        const { status } = await client.send('POST', `${path}.json`, { headers: asJson, body });
        client.close();
        return status;
      };
    }

    it('is created in one line, brings its answer to whoever asked, and tells them before it ends unopened', async () => {
      const asked = await chat.asksByLink('the contract');
      expect(asked.isPrivate).to.equal(true);
      expect(asked.text).to.match(/^Your request link for \**the contract\**: /);
      expect(asked.text).to.match(/It accepts 1 answer, until /);
      const answer = addressIn(asked);
      expect(await answer()).to.equal(201);
      const status = await alice.dms.next();
      await chat.toldBelow(status, /^Somebody answered your request \**the contract\** on /);
      await chat.service.database.execute('UPDATE pushes SET due_at = 1', {});
      await chat.service.domain.sweeps.remindUnread();
      await chat.toldBelow(status, /^\**the contract\** expires on .*nobody has opened it yet/);
      const [link = ''] = /http\S+\/p\/[\w-]+/.exec(status.text) ?? [];
      expect((await chat.opens(link)).body.payload).to.equal(secret);
      expect(await answer()).to.equal(404);
    });

    it('has limits of its own from a form, and takes no more answers once it is closed', async () => {
      const asked = await chat.asksByLink('the contract', {
        Note: 'the signed one',
        'Open for': '14 days',
        'How many answers': '5 answers',
        'Passphrase to answer': 'open sesame',
      });
      expect(asked.text).to.match(/It accepts 5 answers, until .*\nTell them the passphrase some other way/s);
      const answer = addressIn(asked);
      expect(await answer()).to.equal(401);
      expect(await answer({ passphrase: 'open sesame', name: 'Bea' })).to.equal(201);
      await asked.press('Close the link');
      await asked.becomes(/^The request link for \**the contract\** is closed\. What was sent stays\.$/);
      expect(await answer({ passphrase: 'open sesame' })).to.equal(404);
    });
  });

for (const [name, start] of chats)
  describe(`A request link that goes by mail from ${name}`, () => {
    let chat: Chat;
    let server: Awaited<ReturnType<typeof startMailServer>>;

    beforeEach(async () => {
      server = await startMailServer();
      chat = await start({ ...server.settings, MAIL_ALLOWED_DOMAINS: 'example.com' });
    });

    afterEach(async () => {
      await chat.stop([secret]);
      await server.stop();
    });

    const to = 'Send it by mail to';

    it('reaches each address, takes an answer from each, and says who asks and not for what', async () => {
      const asked = await chat.asksByLink('the contract', { [to]: 'bob@example.com, carol@example.com' });
      expect(asked.text)
        .to.match(/It accepts 2 answers, until /)
        .and.include('It goes to bob@example.com and carol@example.com by mail.');
      const [path = expect.fail(`no link in ${asked.text}`)] = /\/a\/[0-9a-z]{26}/.exec(asked.text) ?? [];
      await chat.deliver();
      await server.taken(2);
      expect(server.mails.flatMap(({ envelope }) => envelope.to)).to.have.members([
        'bob@example.com',
        'carol@example.com',
      ]);
      for (const { raw, text } of server.mails) {
        expect(text).to.include(path).and.include(`Whoever asks is a member of a workspace in ${name}.`);
        expect(raw).not.to.include('the contract');
      }
    });

    it('is refused for what is no address, and for one where no links go', async () => {
      const refusal = await chat.refusesLink('the contract', { [to]: 'bob@example.com, a@b@c' });
      expect(refusal).to.match(/“a@b@c”, which is no e-mail address/);
      const elsewhere = await chat.refusesLink('the contract', { [to]: 'bob@elsewhere.example' });
      expect(elsewhere).to.match(/bob@elsewhere\.example: links go only to addresses at example\.com/);
      expect(await countRows(chat.service, 'request_links', 'TRUE')).to.equal(0);
      expect(server.mails).to.have.length(0);
    });
  });

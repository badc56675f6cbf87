import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { messagesOf } from '../../src/locales/locales.ts';
import { asJson } from '../harness/api.ts';
import { onMariadb } from '../harness/database.ts';
import { startMariadb } from '../harness/mariadb.ts';
import { until } from '../harness/until.ts';
import { secret } from './chats.ts';
import { manners, neighbours, type Subject, subjects } from './conformance.ts';
import { linkFor } from './staging.ts';

for (const [name, start] of Object.entries(subjects))
  describe(`The adapter of ${name}`, () => {
    let chat: Subject;

    beforeEach(async () => {
      chat = await start();
      for (const each of ['alice', 'bob', 'carol']) chat.user(each);
      chat.user('greta', { role: 'guest' });
      chat.user('mary', { role: 'manager' });
    });

    afterEach(() => chat.stop([secret]));

    const count = async (table: string): Promise<number> => {
      const sql = `SELECT COUNT(*) AS count FROM ${table}`;
      const [row] = await chat.service.database.select<{ count: number }>(sql, {});
      return Number(row?.count);
    };

    for (const [how, manner] of Object.entries(manners))
      it(`refuses every request ${how}, and does nothing`, async function () {
        if (chat.manners?.includes(manner) === false) return this.skip();
        const answer = await chat.pushes();
        const statuses = await chat.forges(manner, answer);
        expect(statuses.filter((status) => status !== 401)).to.eql([]);
        expect(await count('pushes WHERE payload IS NOT NULL')).to.equal(1);
        expect(await count('pushes')).to.equal(1);
        expect(await count('accounts')).to.equal(1);
      });

    it('refuses bodies that are empty, malformed, too large or cut off, and goes on', async () => {
      for (const body of ['', '{', 'x'.repeat(100)]) expect((await chat.send(body)).status).to.equal(401);
      expect((await chat.send(Buffer.alloc(2 * 1024 * 1024))).status).to.be.oneOf([401, 413]);
      await chat.cutsOff();
      expect((await chat.pushes()).text).to.match(/is ready/);
    });

    it('does once what the chat delivers several times', async () => {
      await chat.repeats(3);
      expect(await count('pushes')).to.equal(1);
    });

    it('answers whoever acts alone', async () => {
      const answer = await chat.pushes({ to: ['bob'] });
      expect(answer.isPrivate).to.equal(true);
      const opened = await chat.user('bob').dms.next();
      expect((await opened.press('Open').message()).isPrivate).to.equal(true);
    });

    it('burns nothing at one press of a button', async () => {
      const answer = await chat.pushes();
      await chat.pressesOnce(answer);
      expect(await count('pushes WHERE payload IS NOT NULL')).to.equal(1);
    });

    it('gives the rules and the activity to those who manage the workspace, as long as they do', async () => {
      for (const each of ['alice', 'greta']) expect(await chat.rules(each)).to.equal(undefined);
      const rules = await chat.rules('mary');
      if (rules === undefined) return expect.fail('who manages the workspace gets no rules');
      expect(await rules.exports()).to.match(/works once/);
      chat.demotes('mary');
      expect(await rules.exports()).to.match(/Only people who manage/);
      expect(await rules.save(['Only admins may share secrets'])).to.match(/Only people who manage/);
      expect(await count('workspace_settings')).to.equal(0);
      expect(await chat.tries('alice')).to.match(/is ready/);
    });

    it('keeps the rules for members, guests and those who manage the workspace', async () => {
      const rules = await chat.rules('mary');
      const saved = await rules?.save([
        'Guests and people from outside may not share secrets',
        'Guests and people from outside may not receive secrets',
      ]);
      expect(saved).to.match(/settings are saved/);
      expect(await chat.tries('greta')).to.match(/do not let you share/);
      expect(await chat.tries('alice', { to: ['greta'] })).to.match(/must all be members/i);
      expect(await chat.tries('alice', { to: ['bob'] })).to.match(/is ready/);
      expect(await chat.tries('mary')).to.match(/is ready/);
    });

    it('keeps them in direct messages, or says that none apply there', async () => {
      await (await chat.rules('mary'))?.save(['Only admins may share secrets']);
      const told = await chat.tries('alice', { directly: true });
      expect(told).to.match(chat.rulesBindInDms ? /do not let you share/ : /is ready/);
      expect(await chat.tries('alice')).to.match(/do not let you share/);
    });

    it('shares in a channel so that each member opens once, and the sender is told who did', async () => {
      const answer = await chat.pushes();
      const seen = await chat.shares(answer, 'bob');
      expect(seen.isPrivate).to.equal(false);
      const link = await linkFor(seen);
      expect((await chat.opens(link)).body.payload).to.equal(secret);
      expect((await chat.opens(link)).body.payload).to.equal(null);
      const again = (await seen.press('Open').message()).text;
      expect(again).to.match(/opened this secret already/);
      await chat.deliver();
      expect(await count('push_channels')).to.equal(1);
      expect(await count("push_recipients WHERE address LIKE '%'")).to.equal(1);
    });

    it('shows names and texts as they were typed, and mentions nobody by them', async () => {
      const answer = await chat.pushes({ name: chat.hostileName, to: ['bob'] });
      const received = await chat.user('bob').dms.next();
      await chat.opens(await linkFor(received));
      const notice = await chat.user('alice').dms.next();
      for (const message of [answer, received, notice]) {
        expect(chat.isTaken(message), message.text).to.equal(false);
        expect(chat.isLoud(message), message.text).to.equal(false);
      }
      expect(notice.text).to.match(/everyone|channel/);
    });

    it('shows titles of request links and names of those who answer as they were typed, too', async () => {
      const created = await chat.asksByLink(chat.hostileName, { Note: chat.hostileName });
      const [path] = /\/a\/[0-9a-z]{26}/.exec(created.text) ?? [];
      const list = await chat.lists();
      const body = JSON.stringify({ answer: { payload: secret, name: chat.hostileName } });
      const sent = await fetch(`${chat.url}${path}.json`, { method: 'POST', headers: asJson, body });
      expect(sent.status).to.equal(201);
      const arrived = await chat.user('alice').dms.next();
      expect(await count("notices WHERE event = 'answered'")).to.equal(1);
      for (const message of [created, list, arrived]) {
        expect(chat.isTaken(message), message.text).to.equal(false);
        expect(chat.isLoud(message), message.text).to.equal(false);
        expect(message.text).to.match(/everyone|channel/);
      }
    });

    it('takes a secret byte for byte, and gives it to whoever has the link', async () => {
      const [link = ''] = /http\S+\/p\/[\w-]+/.exec((await chat.pushes()).text) ?? [];
      expect((await chat.opens(link)).body.payload).to.equal(secret);
    });

    it('takes a text of 4,000 characters with all that markup is made of', async () => {
      const text = `@all <!channel> [x](http://y.test) *_~\`| ${'ü🌷'.repeat(1_300)}`.padEnd(4_000, 'x');
      const [link = ''] = /http\S+\/p\/[\w-]+/.exec((await chat.pushesText(text)).text) ?? [];
      expect((await chat.opens(link)).body.payload === text, 'the payload is the text').to.equal(true);
    });

    it('keeps secrets from people of elsewhere where the rules say so, and tells who gets none', async () => {
      chat.user('eve', { role: 'stranger' });
      await (await chat.rules('mary'))?.save(['Guests and people from outside may not receive secrets']);
      expect(await chat.tries('alice', { to: ['eve'] })).to.match(/must all be members/i);
      expect(await chat.tries('alice', { to: ['bob'] })).to.match(/is ready/);
    });

    (onMariadb ? it : it.skip)(
      'waits for a database that stops for three seconds, and says what became of a push',
      async () => {
        await chat.stop([secret]);
        const server = await startMariadb();
        try {
          const connection = await createConnection(server.url);
          await connection.query('CREATE DATABASE hushpush');
          await connection.end();
          chat = await start({ DATABASE_URL: `${server.url}/hushpush` });
          chat.user('alice');
          expect(await chat.tries('alice')).to.match(/is ready/);
          await server.freeze();
          setTimeout(server.thaw, 3_000);
          const told = await chat.tries('alice');
          expect(told).to.match(/is ready|Nothing was created|try again/i);
          await until(async () => (await count('pushes')) === (/is ready/.test(told) ? 2 : 1));
        } finally {
          await chat.stop([secret]);
          await server.stop();
          chat = await start();
        }
      },
    );

    it('tells senders of people whom no message reaches', async () => {
      chat.closesDms('bob');
      await chat.pushes({ to: ['bob'] });
      expect(await chat.toldUnreachable()).to.match(/do not reach @bob/);
    });

    for (const fault of ['rate limit', 'error'] as const)
      it(`delivers after ${fault === 'error' ? 'an error' : 'a rate limit'} of the chat, once`, async () => {
        chat.disturbs(fault);
        await chat.pushes({ to: ['bob'] });
        const { dms } = chat.user('bob');
        await until(async () => {
          await chat.service.database.execute('UPDATE notices SET due_at = 0 WHERE ended_at IS NULL', {});
          await chat.deliver();
          return dms.count > 0 ? true : undefined;
        });
        await chat.deliver();
        expect(dms.count).to.equal(1);
      });

    it('speaks the language of each reader', async () => {
      const anna = chat.user('anna', { locale: 'de' });
      expect(await chat.tries('alice', { to: ['anna'] })).to.match(/@anna gets a direct message/);
      const received = await anna.dms.next();
      const opened = await received.press(received.buttons[0] ?? '').message();
      expect(opened.text).to.equal(messagesOf('de').chat.push.boundLink);
    });

    it('leaves a chat alone that is on beside it', async () => {
      await chat.stop([secret]);
      const neighbour = await neighbours[name]?.();
      if (neighbour === undefined) return expect.fail('no chat is beside it');
      try {
        chat = await start(neighbour.environment);
        for (const each of ['alice', 'bob']) chat.user(each);
        const before = neighbour.sent();
        await chat.pushes({ to: ['bob'] });
        await chat.opens(await linkFor(await chat.user('bob').dms.next()));
        await chat.user('alice').dms.next();
        expect(neighbour.sent()).to.equal(before);
      } finally {
        await neighbour.stop();
      }
    });
  });

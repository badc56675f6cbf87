import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import { times } from '../../harness/api.ts';
import { onMariadb } from '../../harness/database.ts';
import { startMariadb } from '../../harness/mariadb.ts';
import { until } from '../../harness/until.ts';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';

describe('The Slack adapter', () => {
  let stage: Stage;

  const stops: (() => Promise<void>)[] = [];

  afterEach(async () => {
    await stage.stop([secret]);
    for (const stop of stops.splice(0)) await stop();
  });

  const count = async (table: string): Promise<number> => {
    const [row] = await stage.service.database.select<{ count: number }>(
      `SELECT COUNT(*) AS count FROM ${table}`,
      {},
    );
    return Number(row?.count);
  };

  describe('when it receives requests', () => {
    beforeEach(async () => {
      stage = await startStage();
    });

    for (const [name, manner] of Object.entries({
      'with a wrong signature': { forged: 'wrong' },
      'without a signature': { forged: 'absent' },
      'signed too long ago': { skewSeconds: -301 },
      'signed in the future': { skewSeconds: 301 },
    } as const)) {
      it(`refuses requests ${name}`, async () => {
        const { slack } = stage;
        const alice = slack.user('alice');
        expect((await alice.runs(`/push ${secret}`, { manner })).status).to.equal(401);
        expect((await alice.runs('/push', { manner })).status).to.equal(401);
        expect(await count('pushes')).to.equal(0);
        expect(alice.modal).to.equal(undefined);
      });
    }

    it('refuses requests with a content type that Slack does not use, or with a malformed body', async () => {
      const { client, slack } = stage;
      const answers = [
        await client.send('POST', '/slack/events', { headers: { 'content-type': 'text/plain' }, body: 'x' }),
        await client.send('POST', '/slack/events', {
          headers: { 'content-type': 'application/json' },
          body: '{',
        }),
        await client.send('POST', '/slack/events', {}),
        await client.send('POST', '/slack/events', { body: Buffer.alloc(2 * 1024 * 1024) }),
      ];
      expect(answers.map(({ status }) => status)).to.eql([401, 401, 401, 413]);
      expect((await client.get('/slack/events')).status).to.equal(404);
      expect((await slack.checksSsl()).status).to.equal(200);
      const { status, body, challenge } = await slack.verifiesUrl();
      expect(status).to.equal(200);
      expect(JSON.stringify(body)).to.include(challenge);
    });

    it('creates one push when Slack delivers a command or a form twice', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const command = alice.runs(`/push ${secret}`);
      await command.message();
      expect((await command.again()).status).to.equal(200);
      expect(await count('pushes')).to.equal(1);
      const form = await alice.runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      await submission.message();
      await Promise.all(await times(3, () => submission.again()));
      expect(await count('pushes')).to.equal(2);
    });

    it('limits how much a user may do', async () => {
      await stage.stop();
      stage = await startStage({ environment: { RATE_LIMITS: 'on' } });
      const [alice, bob] = [stage.slack.user('alice'), stage.slack.user('bob')];
      const texts: string[] = [];
      for (let each = 0; each < 21; each++) texts.push((await alice.runs(`/push ${secret}`).message()).text);
      expect(texts.filter((text) => /is ready/.test(text))).to.have.length(20);
      expect(texts.at(-1)).to.match(/Too many requests. Try again in \d+ seconds/);
      expect((await bob.runs(`/push ${secret}`).message()).text).to.match(/is ready/);
    });
  });

  describe('when it calls Slack', () => {
    beforeEach(async () => {
      stage = await startStage();
    });

    async function viewed() {
      const alice = stage.slack.user('alice');
      const answer = await alice.runs(`/push ${secret}`).message();
      await stage.opens(answer.links[0] ?? '');
      return alice;
    }

    const waits = async () =>
      stage.service.database.select<{ problem: string | null; dueInMs: number | null; sent: number | null }>(
        `SELECT last_problem AS problem, due_at - created_at AS dueInMs, sent_at AS sent
         FROM notices ORDER BY created_at`,
        {},
      );

    it('delivers a notice after the delay that Slack asks for', async () => {
      stage.slack.disturb('chat.postMessage', { retryAfterSeconds: 30 });
      const alice = await viewed();
      await until(async () => (await waits())[0]?.problem === 'Slack is rate limiting us');
      expect((await waits())[0]?.dueInMs).to.be.above(25_000);
      expect(alice.dms.count).to.equal(0);
    });

    for (const [name, fault] of Object.entries({
      'an error of Slack’s': { status: 500 },
      'an internal error': { error: 'internal_error' },
      'a connection that is dropped': 'dropped before',
      'an answer that gets lost': 'dropped after',
      'an answer that never comes': 'no answer',
    } as const)) {
      it(`keeps a notice after ${name}`, async () => {
        stage.slack.disturb('chat.postMessage', fault);
        const alice = await viewed();
        await until(async () => (await waits())[0]?.problem !== null);
        const [notice] = await waits();
        expect(notice?.sent).to.equal(null);
        expect(notice?.dueInMs).to.be.above(2_000); // the process backs off from the address for a while
        expect(alice.dms.count).to.equal(fault === 'dropped after' ? 1 : 0);
      });
    }

    it('delivers a failed notice a few seconds later', async () => {
      stage.slack.disturb('chat.postMessage', { status: 500 });
      const alice = await viewed();
      await until(async () => (await waits())[0]?.problem !== null);
      await until(async () => {
        await stage.deliver();
        return alice.dms.count === 1;
      });
      expect(alice.dms.last().text).to.match(/was opened 1 of 5 times/);
    });

    it('notifies the sender when a recipient accepts no direct messages', async () => {
      const { slack } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      slack.disturb('chat.postMessage', { error: 'cannot_dm_bot' });
      const form = await alice.runs('/push').modal();
      await form
        .fill({ Secret: secret, Recipients: [bob] })
        .submit()
        .message();
      const notice = await alice.dms.next();
      await notice.reply(/Our messages do not reach @bob/);
      await until(async () => (await waits())[0]?.dueInMs === null);
      expect((await waits())[0]?.problem).to.equal('Slack refused with cannot_dm_bot');
      expect(bob.dms.count).to.equal(0);
    });

    it('posts a new message when the one to edit was deleted', async () => {
      const alice = await viewed();
      const notice = await alice.dms.next();
      notice.sent.deleted = true;
      const [link = ''] = notice.links;
      await stage.opens(link);
      await stage.deliverHeld();
      const next = await alice.dms.next();
      await next.becomes(/was opened 2 of 5 times/);
    });

    it('responds by direct message when the response URL no longer works', async () => {
      const { slack } = stage;
      const alice = slack.user('alice');
      const form = await alice.runs('/push').modal();
      slack.passes(31 * 60_000); // response URLs live for half an hour
      await form.fill({ Secret: secret }).submit();
      const dm = await alice.dms.next();
      expect(dm.text).to.match(/is ready/);
      slack.takeComplaints();
    });

    it('offers a button where a form could not be opened', async () => {
      const { slack } = stage;
      slack.disturb('views.open', { status: 500 });
      const answer = await slack.user('alice').runs('/push').message();
      expect(answer.text).to.match(/The form could not be opened, and nothing was created\./);
      const form = await answer.press('New link').modal();
      expect(form.labels).to.include('Secret');
    });

    it('offers a button of a message again where its form could not be opened', async () => {
      const { slack } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const dialog = await alice.runs('/push request').modal();
      await dialog.fill({ 'Who should send it?': bob }).submit().message();
      const request = await bob.dms.next();
      slack.disturb('views.open', { error: 'expired_trigger_id' });
      const answer = await request.press('Provide secret').message();
      expect(answer.text).to.match(/The form could not be opened, and nothing was created\./);
      const form = await answer.press('Provide secret').modal();
      await form.fill({ Secret: secret }).submit();
      expect((await alice.dms.next()).text).to.match(/@bob sent you a secret/);
    });

    it('counts no view for link previews, and sends no notice of them', async () => {
      const { slack, client } = stage;
      const [alice, bob] = [slack.user('alice'), slack.user('bob')];
      const form = await alice.runs('/push').modal();
      const answer = await form
        .fill({ Secret: secret, Recipients: [bob] })
        .submit()
        .message();
      const dm = await bob.dms.next();
      expect(dm.isUnfurled).to.equal(false);
      const link = await linkFor(dm);
      const links = [...answer.links, ...dm.links, link];
      for (const link of links) {
        for (const path of ['', '.json']) {
          const agent = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' };
          const { status, text } = await client.get(new URL(link).pathname + path, agent);
          expect(status).to.be.below(500);
          expect(text).to.not.include(secret);
        }
      }
      expect(alice.dms.count).to.equal(0);
      expect((await stage.opens(link)).body.payload).to.equal(secret);
    });
  });

  if (!onMariadb)
    it('creates nothing later from a form that waited too long for another writer', async () => {
      stage = await startStage();
      const alice = stage.slack.user('alice');
      await alice.runs('/push help').message();
      const form = await alice.runs('/push').modal();
      const writing = await stage.service.database.sequelize.transaction();
      await form.fill({ Secret: secret }).submit();
      expect(form.errors.Secret).to.match(/try again/i);
      await writing.rollback();
      await alice.runs(`/push ${secret}`).message(); // its writes come after those of the form
      expect(await count('pushes')).to.equal(1);
    });

  (onMariadb ? describe : describe.skip)('when the database fails', () => {
    let server: Awaited<ReturnType<typeof startMariadb>>;

    beforeEach(async () => {
      server = await startMariadb();
      stops.push(server.stop);
      const connection = await createConnection(server.url);
      await connection.query('CREATE DATABASE hushpush');
      await connection.end();
      stage = await startStage({ environment: { DATABASE_URL: `${server.url}/hushpush` } });
      await stage.slack.user('alice').runs('/push help').message();
    });

    /** Without the database, everything is acknowledged, users are told in private, the form opens, and nothing is created. */
    async function showsThatItWaits(): Promise<void> {
      const { slack } = stage;
      const alice = slack.user('alice');
      const form = await alice.runs('/push').modal();
      const command = alice.runs(`/push ${secret}`);
      expect(await command).to.include({ status: 200, error: undefined });
      const submission = form.fill({ Secret: secret }).submit();
      expect(await submission).to.include({ status: 200, error: undefined });
      expect(form.isOpen).to.equal(true);
      expect(form.values.Secret).to.equal(secret);
      expect(form.errors.Secret).to.match(/try again/i);
      expect(await alice.runs('/push list')).to.include({ status: 200, error: undefined });
    }

    it('responds in time while the database is down, and creates nothing later', async () => {
      await server.kill9();
      await showsThatItWaits();
      const { text } = await stage.slack.user('alice').runs(`/push ${secret}`).message();
      expect(text).to.match(/out of reach. Nothing was created/);
      await server.restart();
      await until(async () => (await stage.client.get('/readyz')).status === 200);
      await sleep(1_000);
      expect(await count('pushes')).to.equal(0);
    });

    it('responds in time while the database hangs, and creates nothing later from an aborted form', async () => {
      await server.freeze();
      try {
        await showsThatItWaits();
      } finally {
        server.thaw();
      }
      const told = (outcome: RegExp) =>
        stage.slack
          .user('alice')
          .whispers.all()
          .filter(({ text }) => outcome.test(text)).length;
      await until(() => told(/is ready|Nothing was created/) > 0);
      await sleep(1_000);
      await until(async () => (await count('pushes')) === told(/is ready/));
      expect(await count('pushes')).to.be.at.most(1); // the command's, whose response comes late
    });
  });
});

import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { createConnection } from 'mysql2/promise';
import type { Person } from '../../../tools/standins/discord/people.ts';
import { onMariadb } from '../../harness/database.ts';
import { startMariadb } from '../../harness/mariadb.ts';
import { until } from '../../harness/until.ts';
import { linkFor } from '../staging.ts';
import { type Stage, startStage } from './stage.ts';

const secret = 'tulip-and-daffodil';
const stops: (() => Promise<void>)[] = [];

describe('The Discord adapter', () => {
  let stage: Stage;

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

  async function pushes(person: Person, options: Record<string, unknown> = {}) {
    const form = await person.runs('/push', options).modal();
    return form.fill({ Secret: secret }).submit().message();
  }

  describe('when it receives requests', () => {
    beforeEach(async () => {
      stage = await startStage();
    });

    for (const [name, manner] of Object.entries({
      'with a wrong signature': { forged: 'wrong' },
      'with a signature that is none': { forged: 'malformed' },
      'without a signature': { forged: 'absent' },
      'changed after it was signed': { tampered: true },
      'signed too long ago': { skewSeconds: -302 },
      'signed in the future': { skewSeconds: 302 },
    } as const)) {
      it(`refuses requests ${name}`, async () => {
        const { discord } = stage;
        const alice = discord.user('alice');
        const form = await alice.runs('/push').modal();
        expect((await alice.runs('/push', {}, { manner })).status).to.equal(401);
        expect((await form.fill({ Secret: secret }).submit({ manner })).status).to.equal(401);
        expect((await discord.pings(manner)).status).to.equal(401);
        expect(await count('pushes')).to.equal(0);
      });
    }

    it('responds to interactions of a type that it does not know', async () => {
      const { status, body } = await stage.discord.delivers(77);
      expect(status).to.equal(200);
      expect(JSON.stringify(body)).to.match(/no longer exists/);
    });

    it('responds to a PING', async () => {
      expect((await stage.discord.pings()).response).to.equal('PONG');
    });

    it('refuses a body that is too large', async () => {
      const { client } = stage;
      const headers = {
        'x-signature-timestamp': String(Math.floor(Date.now() / 1_000)),
        'x-signature-ed25519': '0'.repeat(128),
      };
      const { status } = await client.send('POST', '/discord/interactions', {
        headers,
        body: 'x'.repeat(2_000_000),
      });
      expect(status).to.equal(413);
    });

    it('handles an interaction once that is delivered twice over HTTP, without showing its link again', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      const form = await alice.runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      const answer = await submission.message();
      const again = await submission.again();
      expect(JSON.stringify(again.body)).to.not.include(new URL(answer.links[0] ?? '').pathname);
      expect(await count('pushes')).to.equal(1);
      const list = alice.runs('/pushes list');
      await list;
      expect(JSON.stringify((await list.again()).body)).to.match(/done already/);
    });
  });

  describe('when users act', () => {
    beforeEach(async () => {
      stage = await startStage();
    });

    it('refuses the buttons of another user’s push', async () => {
      const { discord, opens, service } = stage;
      const [alice, mallory] = [discord.user('alice'), discord.user('mallory')];
      const answer = await pushes(alice);
      const own = await pushes(mallory);
      const account = await service.domain.chat.identities.accountOf({
        platform: 'discord',
        address: alice.id,
      });
      const [mine] = await service.domain.pushes.list({ account }, 'active', 1);
      // mallory sends the id of another push
      const rows = own.sent.components as { components: { custom_id: string; label: string }[] }[];
      for (const act of ['burn', 'extend', 'audit', 'show']) {
        const audit = rows[0]?.components.find(({ label }) => label === 'Activity');
        if (audit) audit.custom_id = `push.${act}:${mine?.id}`;
        const refused = await own.press('Activity').message();
        expect(refused.text).to.match(/belongs to somebody else/);
      }
      expect((await opens(answer.links[0] ?? '')).body.payload).to.equal(secret);
    });

    it('loses nothing of a form that comes too soon after other commands', async () => {
      await stage.stop();
      stage = await startStage({ environment: { RATE_LIMITS: 'on', LIMIT_COMMANDS: '1/1h' } });
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const form = await alice.runs('/push', { name: 'VPN', expires: '8 hours' }).modal();
      await alice.runs('/pushes list').message();
      const refused = await form
        .fill({ Secret: secret, Recipients: [bob] })
        .submit()
        .message();
      expect(refused.text).to.match(/Too many requests. Try again in \d+ seconds/);
      const again = await refused.press('Fill it in again').modal();
      expect(again.labels).to.not.include('Secret'); // it is kept
      expect(again.values).to.deep.include({ Recipients: ['bob'], 'Expires after': ['8 hours'] });
    });

    it('notifies the sender when a recipient accepts no direct messages, and what to do instead', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      for (const code of [50007, 50278] as const) {
        bob.closesDms(code);
        await pushes(alice, { recipient: bob });
        await alice.dms.next();
        const told = await alice.dms.next();
        expect(told.text).to.match(/Our messages do not reach @bob/);
        expect(told.text).to.match(/Create a link without recipients, and send it to them\./);
        expect(bob.dms.count).to.equal(0);
      }
      const open = discord.calls('create_message').length;
      await stage.deliver();
      expect(discord.calls('create_message')).to.have.length(open);
    });

    it('tells a user whom no direct message reaches at their next command, until one does', async () => {
      const { discord, opens } = stage;
      const alice = discord.user('alice');
      const answer = await pushes(alice);
      alice.closesDms();
      await opens(answer.links[0] ?? '');
      const isTold = async () => {
        const { isPrivate, text } = await alice.runs('/pushes list').message();
        return isPrivate ? /do not reach you/.test(text) : undefined; // or else it is a direct message
      };
      await until(isTold);
      alice.opensDms();
      await opens(answer.links[0] ?? '');
      await alice.dms.next();
      await until(async () => (await isTold()) === false);
    });
  });

  describe('when it calls Discord', () => {
    beforeEach(async () => {
      stage = await startStage();
    });

    for (const fault of ['dropped after', { status: 500 }, 'dropped before'] as const)
      it(`delivers a push once when the first attempt meets ${JSON.stringify(fault)}`, async () => {
        const { discord, service } = stage;
        const [alice, bob] = [discord.user('alice'), discord.user('bob')];
        discord.disturb('create_message', fault);
        await pushes(alice, { recipient: bob });
        await until(() => discord.calls('create_message').length > 0);
        await stage.deliver();
        // the process that failed backs off from the destination for a moment
        await until(async () => {
          await service.database.execute('UPDATE notices SET due_at = 0 WHERE due_at IS NOT NULL', {});
          await stage.deliver();
          return bob.dms.count > 0 && discord.calls('create_message').length > 1;
        });
        expect(bob.dms.count).to.equal(1);
      });

    it('retries after the delay that Discord asks for', async () => {
      const { discord, service } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      discord.disturb('create_message', { retryAfterSeconds: 40 });
      await pushes(alice, { recipient: bob });
      await until(() => discord.calls('create_message').length === 1);
      await stage.deliver();
      const [notice] = await service.database.select<{ dueIn: number }>(
        'SELECT MAX(due_at) - MAX(created_at) AS dueIn FROM notices WHERE due_at IS NOT NULL',
        {},
      );
      expect(Number(notice?.dueIn)).to.be.above(39_000);
      expect(discord.calls('create_message')).to.have.length(1);
    });

    it('pauses its calls when Discord refuses the token', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      discord.resetsToken();
      await pushes(alice, { recipient: bob });
      await until(() => discord.calls('create_dm').length === 1);
      await pushes(alice, { recipient: discord.user('carol') });
      await stage.deliver();
      expect(discord.calls('create_dm')).to.have.length(1);
      expect(stage.service.logged()).to.not.include(discord.token);
    });

    it('opens the direct messages with a user once', async () => {
      const { discord } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      for (let each = 0; each < 3; each++) {
        await pushes(alice, { recipient: bob });
        await bob.dms.next();
      }
      expect(discord.calls('create_dm')).to.have.length(1);
    });

    it('posts the state of a push again when its message was deleted', async () => {
      const { discord, opens } = stage;
      const alice = discord.user('alice');
      const answer = await pushes(alice);
      await opens(answer.links[0] ?? '');
      await alice.dms.next();
      discord.disturb('update_message', { code: 10008 });
      await opens(answer.links[0] ?? '');
      await stage.deliverHeld();
      await discord.until('a new message', () =>
        alice.dms.all().filter(({ text }) => /opened/.test(text)).length > 1 ? true : undefined,
      );
    });

    it('shows no link previews, and counts no view for them', async () => {
      const { discord, client, opens } = stage;
      const [alice, bob] = [discord.user('alice'), discord.user('bob')];
      const answer = await pushes(alice, { recipient: bob, views: 1 });
      const dm = await bob.dms.next();
      expect([answer.isUnfurled, dm.isUnfurled]).to.eql([false, false]);
      const link = await linkFor(dm);
      for (const path of ['', '.json']) {
        const agent = { 'user-agent': 'Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)' };
        const { status, text } = await client.get(new URL(link).pathname + path, agent);
        expect(status).to.be.below(500);
        expect(text).to.not.include(secret);
      }
      expect((await opens(link)).body.payload).to.equal(secret);
    });
  });

  describe('over the gateway', () => {
    beforeEach(async () => {
      stage = await startStage({ mode: 'gateway' });
    });

    it('resumes its session when the connection drops, and when Discord renews it', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      await pushes(alice);
      for (const end of ['drop', 'reconnect'] as const) {
        const { resumes } = discord.gateway;
        discord.gateway[end]();
        await discord.until('the session', () => discord.gateway.resumes > resumes || undefined);
        expect((await pushes(alice)).text).to.match(/is ready/);
      }
      expect(discord.gateway.identifies).to.equal(1);
    });

    it('starts a new session when Discord invalidates the old one', async () => {
      const { discord } = stage;
      discord.gateway.invalidate(false);
      await until(() => discord.gateway.identifies > 1); // the library waits for up to five seconds
      await discord.gateway.connected();
      expect((await pushes(discord.user('alice'))).text).to.match(/is ready/);
    });

    it('connects again when it could not for a while, and when a session cannot be resumed', async () => {
      const { discord } = stage;
      discord.gateway.refuses(2);
      discord.gateway.close(4000);
      await discord.until('no connection', () => discord.gateway.live() === 0 || undefined).catch(() => {});
      await until(async () => {
        await discord.gateway.connected().catch(() => {});
        return true;
      });
      expect((await pushes(discord.user('alice'))).text).to.match(/is ready/);
    });

    it('responds although Discord’s reply to the response is lost', async () => {
      const { discord } = stage;
      discord.disturb('create_interaction_response', 'dropped after');
      const form = await discord.user('alice').runs('/push').modal();
      expect(form.labels).to.include('Secret');
      await sleep(100);
      expect(discord.takeComplaints().filter((each) => !/answered before/.test(each))).to.eql([]);
    });

    it('responds although Discord fails at first', async () => {
      const { discord } = stage;
      discord.disturb('create_interaction_response', { status: 500 });
      const form = await discord.user('alice').runs('/push').modal();
      expect(form.labels).to.include('Secret');
    });

    it('handles an interaction once that is delivered twice over the gateway', async () => {
      const { discord } = stage;
      const form = await discord.user('alice').runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      await submission.message();
      await submission.again();
      await sleep(100);
      expect(await count('pushes')).to.equal(1);
      discord.takeComplaints();
    });

    it('keeps running with a refused token, and logs it', async () => {
      const { discord, client } = stage;
      discord.resetsToken();
      await until(() => /refuses DISCORD_TOKEN/.test(stage.service.logged()));
      expect((await client.get('/livez')).status).to.equal(200);
    });
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
      await stage.discord.user('alice').runs('/pushes help').message();
    });

    it('responds in time while the database is down, and creates nothing later', async () => {
      const { discord, client } = stage;
      const alice = discord.user('alice');
      await server.kill9();
      const form = await alice.runs('/push').modal();
      const submission = form.fill({ Secret: secret }).submit();
      expect((await submission).error).to.equal(undefined);
      await discord.until('an answer', () =>
        alice.whispers.all().find(({ text }) => /out of reach. Nothing was created/.test(text)),
      );
      expect((await alice.types('/pushes expire', { push: '' }).choices()).length).to.equal(0);
      await server.restart();
      await until(async () => (await client.get('/readyz')).status === 200);
      await sleep(1_000);
      expect(await count('pushes')).to.equal(0);
    });

    it('responds in time while the database hangs, and sends the outcome when it is back', async () => {
      const { discord } = stage;
      const alice = discord.user('alice');
      await server.freeze();
      try {
        const form = await alice.runs('/push').modal();
        expect((await form.fill({ Secret: secret }).submit()).response).to.match(/^DEFERRED/);
        expect((await alice.runs('/pushes list')).response).to.match(/^DEFERRED/);
        expect((await alice.runs('/pushes settings', {}, { in: alice.botDm })).error).to.equal(undefined);
      } finally {
        server.thaw();
      }
      await discord.until('the answer', () =>
        alice.whispers.all().find(({ text }) => /is ready|Nothing was created/.test(text)),
      );
      const told = () => alice.whispers.all().filter(({ text }) => /is ready/.test(text)).length;
      await until(async () => (await count('pushes')) === told());
    });
  });
});

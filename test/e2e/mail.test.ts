import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { onMariadb } from '../harness/database.ts';
import { startMailServer } from '../harness/mailServer.ts';
import { openServiceDatabase, type ServiceDatabase, startWorker } from '../harness/process.ts';
import { proxiedUrl, startProxy } from '../harness/proxy.ts';
import { createAccount, newEmail, someClient, startService } from '../harness/service.ts';
import { programMs, until } from '../harness/until.ts';

/** A way to a database on which no commit arrives while it is held. */
type HeldDatabase = { url: string; hold(): Promise<void>; release(): Promise<void> };

async function heldServer(url: string): Promise<HeldDatabase> {
  const { hostname: host, port } = new URL(url);
  const proxy = await startProxy({ target: { host, port: Number(port) } });
  return { url: proxiedUrl(url, proxy), hold: async () => proxy.silence(), release: proxy.close };
}

/** A transaction of another process locks an SQLite file. */
function heldFile(url: string, { database }: ServiceDatabase): HeldDatabase {
  let holding = Promise.resolve();
  let end = () => {};
  const hold = () =>
    new Promise<void>((held) => {
      holding = database.transaction(async (tx) => {
        await tx.execute('UPDATE notices SET times = times', {});
        held();
        await new Promise<void>((ended) => {
          end = ended;
        });
      });
    });
  return {
    url,
    hold,
    async release() {
      end();
      await holding;
    },
  };
}

describe('A worker that is killed after the mail server has taken a mail', () => {
  it('costs a second mail with the same Message-ID, and no more', async () => {
    let beforeAnswer = async () => {};
    const server = await startMailServer({
      async data() {
        await beforeAnswer();
        return undefined;
      },
    });
    const service = await startService(server.settings);
    const store = openServiceDatabase(service.shared);
    const { account } = await createAccount(service.domain);
    const recipients = [newEmail()];
    await service.domain.pushes.create({ payload: 'tulip', recipients }, { account, client: someClient });

    const held = onMariadb
      ? await heldServer(service.databaseUrl)
      : heldFile(service.shared.DATABASE_URL, store);
    beforeAnswer = held.hold;
    const settings = { ...service.shared, ...server.settings, BASE_URL: 'http://push.test' };
    const killed = await startWorker({ ...settings, DATABASE_URL: held.url });
    await until(() => server.mails.length === 1, programMs);
    await sleep(500); // the answer is there, and its commit waits
    await killed.kill9();
    beforeAnswer = async () => {};
    await held.release();

    const notices = () =>
      service.database.select<{ isSent: number; attempts: number }>(
        'SELECT sent_at IS NOT NULL AS isSent, attempts FROM notices',
        {},
      );
    expect(await notices()).to.deep.equal([{ isSent: 0, attempts: 1 }]);
    await store.endLeases(); // as a minute later
    const next = await startWorker(settings);
    await until(async () => (await notices())[0]?.isSent === 1, programMs);
    await next.stop();
    const [first, second, ...others] = server.mails.map(({ messageId }) => messageId);
    expect(first).to.match(/^<notice_[0-9a-f]{32}@acme\.example>$/);
    expect([second, others]).to.deep.equal([first, []]);
    expect(await notices()).to.deep.equal([{ isSent: 1, attempts: 2 }]);
    await store.close();
    await service.stop();
    await server.stop();
  });
});

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { noticeId } from '../../../src/domain/delivery/index.ts';
import type { Account } from '../../../src/domain/index.ts';
import { hourMs } from '../../../src/time.ts';
import { bearer, times } from '../../../test/harness/api.ts';
import { createForms } from '../../../test/harness/forms.ts';
import { startProxy, type TcpProxy } from '../../../test/harness/proxy.ts';
import { createAccount, someClient } from '../../../test/harness/service.ts';
import { untilLater } from '../../../test/harness/until.ts';
import type { Experiment, Outcome, ProveOptions } from '../experiment.ts';
import { type Cluster, startCluster } from '../history/cluster.ts';
import { openTestedDatabase, type TestedDatabase } from '../history/databases.ts';
import { buildMutant } from '../history/mutants.ts';
import { type Fault, torment } from '../history/nemesis.ts';
import { createRandom, type Random } from '../history/random.ts';
import { createRecord, groupBy } from '../history/record.ts';
import { countByName } from '../history/report.ts';
import { findLeaks } from './leaks.ts';
import { mailMutants } from './mutants.ts';
import { forwardedDomain, type Postfix, preparePostfix } from './postfix.ts';

/**
 * 8,000 links to 500 addresses, 1,000 times each one of them sent again and a code, and 300 pushes that are read twice, of which
 * their sender is notified. What waits already is not written twice. With fewer `--seconds`, as large a part of it.
 */
const amounts = { pushes: 800, recipients: 10, addresses: 500, again: 1_000, codes: 1_000, read: 300 };
const secondsForAll = 60;
type Amounts = typeof amounts;
const senders = 8;
/** So many pushes are created while the mail server is away. */
const shareAway = 0.8;
const faultsAway = ['kill-web', 'kill-worker', 'kill-database', 'cut-database', 'lose-commit'];

/** Sends 10,000 mails through processes that die, and a mail server that does, and looks for them in its mailbox. */
export const mail: Experiment = {
  claim:
    'whatever dies, every mail arrives, in the order of its push, a second time only with the same Message-ID, and tells no secret',
  async run(options) {
    const mutant = options.mutant === undefined ? undefined : await buildMutant(options.mutant, mailMutants);
    const postfix = await preparePostfix();
    const database = await openTestedDatabase(options.database);
    const proxy = await startProxy({ target: { host: '127.0.0.1', port: postfix.port } });
    const settings = {
      SMTP_URL: `smtp://127.0.0.1:${proxy.port}`,
      MAIL_FROM: 'hushpush@hushpush.example',
      MAIL_RATE: '100000',
      LOG_LEVEL: 'debug',
    };
    const cluster = await startCluster(database, { webs: 2, workers: 2, main: mutant?.main, settings });
    try {
      return await observe({ cluster, postfix, proxy, database }, options);
    } finally {
      await cluster.close();
      await proxy.close();
      await database.close();
      await postfix.stop();
      await mutant?.remove();
    }
  },
};

type Stage = { cluster: Cluster; postfix: Postfix; proxy: TcpProxy; database: TestedDatabase };

async function observe(stage: Stage, { seed, only, seconds }: ProveOptions): Promise<Outcome> {
  const { cluster, postfix } = stage;
  const random = createRandom(seed);
  const record = createRecord();
  const marker = `~${randomBytes(6).toString('hex')}?`;
  const share = Math.min(1, seconds / secondsForAll);
  const wanted = {
    ...amounts,
    pushes: share * amounts.pushes,
    again: share * amounts.again,
    codes: share * amounts.codes,
    read: share * amounts.read,
  };
  const work = await createWork(cluster, wanted, { random, marker });
  const queues: Buffer[] = [];
  const more = faultsOfMail(stage, queues);
  const all = [...faultsAway, ...Object.keys(more)].filter((name) => only === undefined || name === only);
  async function causeUntil(wished: string[], isStopped: () => boolean): Promise<void> {
    const names = wished.filter((name) => isPossible(stage, name));
    if (names.length > 0) await torment({ cluster, record, random, names, more }, isStopped);
  }

  const away = watched(work.createPushes(wanted.pushes * shareAway));
  await causeUntil(only === undefined ? faultsAway : [], away.isOver);
  await away.done;
  const queued = await countOf(cluster, 'TRUE');
  await passAnHour(cluster);

  const startedAt = performance.now();
  await postfix.start();
  const rest = watched(work.finish());
  const isMostSent = pollOf(async () => (await countOf(cluster, 'ended_at IS NULL')) < 300);
  await causeUntil(all, () => rest.isOver() && isMostSent());
  await rest.done;
  await cluster.ready();
  await allEnded(cluster);
  const sendingMs = performance.now() - startedAt;
  await untilLater(postfix.isIdle);

  const arrived = (await postfix.mails()).map(readMail);
  const rows = withoutSaid(await storedNotices(cluster));
  const different = new Set(arrived.map(({ id }) => id)).size;
  return {
    figures: {
      notices: countByName(rows.map(({ event }) => event)),
      'waiting after an hour without a mail server': queued,
      'mails in the mailbox': arrived.length,
      'of them again, with the same Message-ID': arrived.length - different,
      'files in the queue of the mail server when it was killed': queues.length,
      faults: countByName(record.faults.map(({ name }) => name)),
      'seconds with a mail server': Math.round(sendingMs / 1_000),
    },
    failures: [
      ...lossesIn(rows, arrived),
      ...work.created.flatMap((push) => unwritten(push, rows)),
      ...misplaced(rows, arrived),
      ...(await findLeaks(stage, { marker, queues, arrived, ...work })),
    ].slice(0, 20),
  };
}

/** SQLite has no server that could die, and no connection to it. */
const isPossible = ({ database }: Stage, name: string) =>
  database.nodes.length > 0 || !/database|commit/.test(name);

function watched(work: Promise<unknown>) {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => {}); // whoever awaits it hears of it
  return { isOver: () => isDone, done };
}

/** Asks every second, until the answer is yes. */
function pollOf(condition: () => Promise<boolean>): () => boolean {
  let holds = false;
  void (async () => {
    while (!holds) {
      holds = await condition().catch(() => false);
      await sleep(1_000, undefined, { ref: false });
    }
  })();
  return () => holds;
}

/** What happens to the mail server, and to the connections with it. What is in its queue when it dies is kept for the search. */
function faultsOfMail({ postfix, proxy }: Stage, queues: Buffer[]): Record<string, Fault> {
  return {
    async 'kill-mail-server'(_, random) {
      await postfix.kill9();
      queues.push(...(await postfix.queued()));
      await sleep(random.integer(0, 3_000));
      await postfix.start();
      return 'all of its processes';
    },
    async 'cut-mail-server'() {
      proxy.cut();
      return 'all connections';
    },
    async 'silence-mail-server'(_, random) {
      proxy.silence();
      await sleep(random.integer(200, 3_000));
      proxy.cut();
      proxy.resume();
      return 'all connections';
    },
  };
}

const countOf = async ({ store }: Cluster, condition: string) => {
  const [row] = await store.database.select<{ found: number }>(
    `SELECT COUNT(*) AS found FROM notices WHERE messenger = 'mail' AND ${condition}`,
    {},
  );
  return Number(row?.found);
};

/** Waits for the leases of processes that died, but not for what failed to be tried again. */
async function allEnded(cluster: Cluster): Promise<void> {
  const { execute, dialect } = cluster.store.database;
  const makeDue = `UPDATE notices SET due_at = ${dialect.now} WHERE lease IS NULL AND due_at > ${dialect.now}`;
  await untilLater(async () => {
    if ((await countOf(cluster, 'ended_at IS NULL')) === 0) return true;
    await execute(makeDue, {});
    await sleep(2_000);
    return false;
  }, 600_000);
}

/** Moves what is stored, as the clock of the database cannot be moved. */
const passAnHour = ({ store }: Cluster) =>
  again(() =>
    store.database.execute(
      `UPDATE notices SET created_at = created_at - ${hourMs}, happened_at = happened_at - ${hourMs}, due_at = due_at - ${hourMs}`,
      {},
    ),
  );

/** What died is back by then: whatever fails for longer is refused. */
const againMsMax = 120_000;

/** Until it works: the database may be away. */
async function again<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + againMsMax; ; await sleep(200)) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
  }
}

type CreatedPush = {
  account: Account;
  urlToken: string;
  id: string;
  recipients: { id: string; address: string; path: string }[];
};

/** What people do: they send links to addresses, send them again, and ask for codes. What fails is tried again. */
async function createWork(
  cluster: Cluster,
  amounts: Amounts,
  { random, marker }: { random: Random; marker: string },
) {
  const { domain, webs } = cluster;
  const accounts = await Promise.all(
    Array.from({ length: senders }, (_, index) => createAccount(domain, `sender${index}@${forwardedDomain}`)),
  );
  for (const { account } of accounts) await confirm(cluster, account);
  const created: CreatedPush[] = [];
  let begun = 0;

  async function createPush(index: number): Promise<void> {
    const { account, token } = accounts[index % senders] ?? random.pick(accounts);
    const first = index * amounts.recipients;
    const recipients = Array.from(
      { length: amounts.recipients },
      (_, place) => `person${(first + place) % amounts.addresses}@${forwardedDomain}`,
    );
    const fields = {
      payload: `payload ${marker}`,
      name: `name ${marker}`,
      note: `note ${marker}`,
      recipients,
      ...(index % 20 === 0 && { passphrase: `passphrase ${marker}` }),
    };
    const { body, urlToken } = await again(async () => {
      const { response, token: urlToken } = await random.pick(webs).client.create(fields, bearer(token));
      return {
        body: response.body as { recipients: { id: string; name: string; html_url: string }[] },
        urlToken,
      };
    });
    const { id } = await again(() => domain.pushes.preview(urlToken, { account, client: someClient }));
    const links = body.recipients.map(({ id, name, html_url }) => ({
      id,
      address: name,
      path: new URL(html_url).pathname,
    }));
    created.push({ account, urlToken, id, recipients: links });
  }

  async function createPushes(until: number): Promise<void> {
    await times(4, async () => {
      while (begun < until) await createPush(begun++);
    });
  }

  const pickLink = () => {
    const push = random.pick(created);
    return { push, recipient: random.pick(push.recipients) };
  };

  async function sendAgain(): Promise<void> {
    const { push, recipient } = pickLink();
    await again(() => domain.pushes.sendAgain(push.account, push.id, recipient.id));
  }

  async function askForCode(): Promise<void> {
    const { path } = pickLink().recipient;
    await again(async () => {
      const { loadForm, submit } = createForms(domain, random.pick(webs).client);
      const { status } = await submit(path, await loadForm(path));
      if (status !== 303) throw new Error(`no code: ${status}`);
    });
  }

  async function read(): Promise<void> {
    const { token } = random.pick(accounts);
    const fields = { payload: `payload ${marker}`, name: `name ${marker}`, expire_after_views: 2 };
    const { json } = await again(() => random.pick(webs).client.create(fields, bearer(token)));
    const ended = async () => {
      const { status, body } = await random.pick(webs).client.get(json);
      if (status !== 200) throw new Error(`not read: ${status}`);
      return body.expired === true;
    };
    while (!(await again(ended)));
  }

  /** The pushes that are left, and everything else. */
  async function finish(): Promise<void> {
    await createPushes(amounts.pushes);
    const acts = random.shuffle([
      ...Array.from({ length: amounts.again }, () => sendAgain),
      ...Array.from({ length: amounts.codes }, () => askForCode),
      ...Array.from({ length: amounts.read }, () => read),
    ]);
    await times(4, async () => {
      for (let act = acts.pop(); act !== undefined; act = acts.pop()) await act();
    });
  }

  return { created, tokens: accounts.map(({ token }) => token), createPushes, finish };
}

/** As the link in a mail to its address does. It gets all notifications by mail. */
async function confirm({ domain, store: { database } }: Cluster, { id, email }: Account): Promise<void> {
  await database.transaction(async (tx) => {
    const { messenger, address } = await domain.mailAddresses.save(email, null, tx);
    await tx.execute(`UPDATE accounts SET email_verified_at = ${database.dialect.now} WHERE id = $id`, {
      id,
    });
    await tx.execute(
      'INSERT INTO recipients (account_id, messenger, address) VALUES ($id, $messenger, $address)',
      {
        id,
        messenger,
        address,
      },
    );
  });
}

type StoredNotice = {
  messageId: string;
  event: string;
  push: string | undefined;
  address: string;
  createdAt: number;
  isSent: boolean;
  problem: string | null;
};

async function storedNotices({ store }: Cluster): Promise<StoredNotice[]> {
  type Row = Omit<StoredNotice, 'messageId' | 'push' | 'isSent'> & {
    id: Buffer;
    pushId: Buffer | null;
    sentAt: number | null;
  };
  const rows = await store.database.select<Row>(
    `SELECT id, event, push_id AS pushId, address, created_at AS createdAt, sent_at AS sentAt, last_problem AS problem
     FROM notices WHERE messenger = 'mail'`,
    {},
  );
  return rows.map(({ id, pushId, sentAt, ...row }) => ({
    ...row,
    messageId: `${noticeId(id)}@hushpush.example`,
    push: pushId?.toString('hex'),
    isSent: sentAt !== null,
  }));
}

/** Of a last view there is one mail: the end that came of it is written down, and not sent. */
function withoutSaid(rows: StoredNotice[]): StoredNotice[] {
  const viewed = new Set(
    rows.filter(({ event, isSent }) => event === 'viewed' && isSent).map(({ push }) => push),
  );
  return rows.filter(
    ({ event, isSent, push }) => isSent || event !== 'expired_by_views' || !viewed.has(push),
  );
}

/** A mail in the mailbox. The ids of the mail server sort by the time when it began to take a mail. */
export type ArrivedMail = { id: string; serverId: string; raw: Buffer };

function readMail(raw: Buffer): ArrivedMail {
  const text = raw.toString('latin1');
  const [, id = 'none'] = /^Message-ID: <([^>]+)>/im.exec(text) ?? [];
  const [, serverId = ''] = /by mail\.test \(Postfix\) with \w+ id (\w+)/.exec(text) ?? [];
  return { id, serverId, raw };
}

function lossesIn(rows: StoredNotice[], arrived: ArrivedMail[]): string[] {
  const ids = new Set(arrived.map(({ id }) => id));
  const known = new Set(rows.map(({ messageId }) => messageId));
  return [
    ...rows.filter(({ isSent }) => !isSent).map(({ event, problem }) => `${event} was given up: ${problem}`),
    ...rows.filter(({ messageId }) => !ids.has(messageId)).map(({ event }) => `a mail was lost: ${event}`),
    ...arrived.filter(({ id }) => !known.has(id)).map(({ id }) => `a mail arrived under another id: ${id}`),
  ];
}

/** A push that was confirmed has a notice for each of its recipients. */
function unwritten({ id, recipients }: CreatedPush, rows: StoredNotice[]): string[] {
  const written = rows.filter(({ push, event }) => push === id && event === 'shared').length;
  return written === recipients.length ? [] : [`${recipients.length} recipients got ${written} mails`];
}

/** Mails about a push that arrived before earlier ones to the same address. */
function misplaced(rows: StoredNotice[], arrived: ArrivedMail[]): string[] {
  const first = new Map<string, string>();
  for (const { id, serverId } of arrived.toSorted((a, b) => (a.serverId < b.serverId ? -1 : 1)))
    if (!first.has(id)) first.set(id, serverId);
  const ofPushes = rows.filter(({ push }) => push !== undefined);
  const threads = groupBy(ofPushes, ({ push, address }) => `${push} ${address}`);
  return [...threads.values()].flatMap((thread) => {
    const events = thread.toSorted((a, b) => a.createdAt - b.createdAt);
    const order = events.map(({ messageId }) => first.get(messageId) ?? '');
    const isSorted = order.every((id, place) => place === 0 || String(order[place - 1]) <= id);
    return isSorted ? [] : [`out of order: ${events.map(({ event }) => event)}`];
  });
}

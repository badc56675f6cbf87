import { setTimeout as sleep } from 'node:timers/promises';
import { domainSettings, readConfig } from '../../../src/config.ts';
import { type Account, createDomain } from '../../../src/domain/index.ts';
import { dayMs } from '../../../src/time.ts';
import { anonymous, createAccount } from '../../../test/harness/service.ts';
import { createCleanups } from '../cleanups.ts';
import { analyze, storeLabeled, storePushes } from '../fill.ts';
import type { BenchOptions } from '../options.ts';
import { markdownTable } from '../report.ts';
import { startDatabases } from '../servers/databases.ts';
import { cpuMicros } from '../servers/processes.ts';
import { openStage, type Stage } from '../stage.ts';

const operations = 500;
const due = 2_000;

type Row = Record<string, string | number>;
type Binds = Parameters<Stage['database']['select']>[1];

/** Measures the domain in this process, with more and more stored pushes, and with many of one account. */
export async function scale({ database: kind, sizes, account: owned }: BenchOptions): Promise<void> {
  const cleanups = createCleanups();
  try {
    const databases = await startDatabases(kind, [
      '--innodb-buffer-pool-size=2G',
      '--innodb-log-file-size=512M',
    ]);
    cleanups.add(databases.stop);
    const { url, pids } = await databases.create();
    const stage = await openStage(url);
    cleanups.add(stage.store.close);
    const meter = createMeter(stage, pids());
    const { account: small } = await createAccount(stage.domain, 'small@example.com');
    await storeLabeled(stage.store, small, 100);
    const rows: Row[] = [];
    let stored = 0;
    for (const size of sizes.toSorted((a, b) => a - b)) {
      const startedAt = performance.now();
      await storePushes(stage.database, { count: size - stored, expiresInMs: 30 * dayMs });
      console.log(`${size} pushes, filled in ${Math.round((performance.now() - startedAt) / 1000)} s`);
      stored = size;
      await analyze(stage.database);
      for (const round of ['warm-up', 'measured'])
        for (const measured of await measureAll(stage, small, meter))
          if (round === 'measured') rows.push({ 'stored pushes': size, ...measured });
    }
    console.log(
      markdownTable(rows.toSorted((a, b) => String(a.operation).localeCompare(String(b.operation)))),
    );
    if (owned > 0) await measureAccount(stage, owned, meter);
  } finally {
    await cleanups.run();
  }
}

type Meter = ReturnType<typeof createMeter>;

/**
 * Measures an action that handles some pushes: time and CPU for each, and on a server the rows and the pages that it reads,
 * which other programs on the machine do not change.
 */
function createMeter({ database }: Stage, databasePids: number[]) {
  return async (
    operation: string,
    times: number,
    action: () => Promise<unknown>,
    perTime = 1,
  ): Promise<Row> => {
    const latencies: number[] = [];
    const cpuBefore = process.cpuUsage();
    const databaseBefore = cpuMicros(databasePids);
    await whenIdle(database);
    const readBefore = await readSoFar(database);
    for (let time = 0; time < times; time++) {
      const startedAt = performance.now();
      await action();
      latencies.push(performance.now() - startedAt);
    }
    const { user, system } = process.cpuUsage(cpuBefore);
    const readAfter = await readSoFar(database);
    const readTwice = await readSoFar(database); // asking reads rows, too
    const pushes = times * perTime;
    const at = (share: number) => latencies[Math.floor((times - 1) * share)] ?? 0;
    latencies.sort((a, b) => a - b);
    return {
      operation,
      'p50 ms': at(0.5).toFixed(2),
      'p99 ms': at(0.99).toFixed(2),
      'CPU µs': Math.round((user + system) / pushes),
      'database CPU µs': Math.round((cpuMicros(databasePids) - databaseBefore) / pushes),
      ...Object.fromEntries(
        Object.entries(readAfter).map(([what, after]) => {
          const asking = (readTwice[what] ?? 0) - after;
          return [`${what} read`, ((after - (readBefore[what] ?? 0) - asking) / pushes).toFixed(1)];
        }),
      ),
    };
  };
}

/** Waits until the server reads no more pages by itself, as it does after many changes, but for at most a minute. */
async function whenIdle(database: Stage['database']): Promise<void> {
  let before = await readSoFar(database);
  for (let waited = 0; waited < 120; waited++) {
    await sleep(500);
    const now = await readSoFar(database);
    if (now.pages === before.pages) return;
    before = now;
  }
}

/** How many rows and pages of InnoDB the server has read since its start. Nothing for SQLite, which does not count. */
async function readSoFar({ dialect, select }: Stage['database']): Promise<Record<string, number>> {
  if (dialect.name !== 'mysql') return {};
  const counters = await select<{ Variable_name: string; Value: string }>(
    "SHOW GLOBAL STATUS WHERE Variable_name LIKE 'Handler_read%' OR Variable_name = 'Innodb_buffer_pool_read_requests'",
    {},
  );
  const read = { rows: 0, pages: 0 };
  for (const { Variable_name: name, Value: value } of counters)
    read[name.startsWith('Handler') ? 'rows' : 'pages'] += Number(value);
  return read;
}

async function measureAll(stage: Stage, account: Account, meter: Meter): Promise<Row[]> {
  const { domain, database } = stage;
  const { pushes, sweeps } = domain;
  const tokens: string[] = [];
  let opened = 0;
  const input = { payload: 'tulip', expireAfterViews: 5 };
  const digests = await someDigests(stage, operations);
  const findNext = () => {
    const digest = digests.pop() ?? null;
    return database.select('SELECT id, payload FROM pushes WHERE token_digest = $digest', { digest });
  };
  return [
    await meter('create', operations, async () => {
      tokens.push((await pushes.create(input, anonymous)).urlToken);
    }),
    await meter('open the page', operations, async () => {
      const urlToken = tokens[opened++ % operations] ?? '';
      await pushes.recordPreview(await pushes.preview(urlToken, anonymous), anonymous.client);
    }),
    await meter('claim', operations, () => pushes.reveal(tokens.pop() ?? '', undefined, anonymous)),
    await meter('find any', operations, findNext),
    await meter('list', 100, () => pushes.list({ account }, 'active', 1)),
    await meter('search', 100, () => pushes.list({ account }, 'active', 1, { search: 'nothing' })),
    await meter('sweep, nothing due', 100, () => sweeps.expireDue()),
    await storePushes(database, { count: due, expiresInMs: -dayMs }).then(() =>
      meter('sweep, each due push', 1, () => sweeps.expireDue(), due),
    ),
    await storePushes(database, { count: due, expiresInMs: -40 * dayMs, purgedInMs: -dayMs }).then(() =>
      meter('purge, each push', 1, () => sweeps.purge(), due),
    ),
  ];
}

/** Digests of stored pushes of all ages. */
async function someDigests({ database }: Stage, count: number): Promise<Buffer[]> {
  const [oldest] = await database.select<{ id: Buffer }>('SELECT MIN(id) AS id FROM pushes', {});
  const first = Number.parseInt(String(oldest?.id.toString('hex').slice(0, 12)), 16);
  const now = Date.now();
  const digests: Buffer[] = [];
  while (digests.length < count) {
    const at = Math.floor(first + Math.random() * (now - first));
    const id = Buffer.from(`${at.toString(16).padStart(12, '0')}${'0'.repeat(20)}`, 'hex');
    const [found] = await database.select<{ digest: Buffer }>(
      'SELECT token_digest AS digest FROM pushes WHERE id >= $id ORDER BY id LIMIT 1',
      { id },
    );
    if (found !== undefined) digests.push(found.digest);
  }
  return digests;
}

/** Lists and searches the pushes of one account: half of them have expired, or only a few. */
async function measureAccount(stage: Stage, owned: number, meter: Meter): Promise<void> {
  const { pushes } = stage.domain;
  const { account } = await createAccount(stage.domain, 'large@example.com');
  const rows: Row[] = [];
  await storeLabeled(stage.store, account, owned);
  for (const [what, share] of Object.entries({
    'none expired': 0,
    'half expired': 0.5,
    'all but ten expired': 1,
  })) {
    await expireOldest(stage, account, Math.max(0, Math.floor(owned * share) - (share === 1 ? 10 : 0)));
    await analyze(stage.database);
    for (const state of ['active', 'expired'] as const) {
      const measure = async (name: string, action: () => Promise<unknown>) =>
        rows.push({ 'pushes of the account': what, state, ...(await meter(name, 50, action)) });
      await measure('list, page 1', () => pushes.list({ account }, state, 1));
      await measure('list, page 200', () => pushes.list({ account }, state, 200));
      await measure('list, soonest end', () => pushes.list({ account }, state, 1, { sort: 'ends_soonest' }));
      await measure('list, of a kind', () => pushes.list({ account }, state, 1, { kind: 'file' }));
      await measure('search, found', () => pushes.list({ account }, state, 1, { search: 'push' }));
      await measure('search, not found', () => pushes.list({ account }, state, 1, { search: 'nothing' }));
    }
  }
  console.log(`\nOne account with ${owned} pushes:\n${markdownTable(rows)}`);
  await explain(stage, account);
}

async function expireOldest({ database }: Stage, { id }: Account, count: number): Promise<void> {
  if (count === 0) return;
  const [newest] = await database.select<{ at: number }>(
    `SELECT created_at AS at FROM pushes WHERE account_id = $id ORDER BY created_at LIMIT 1 OFFSET ${count - 1}`,
    { id },
  );
  await database.execute(
    `UPDATE pushes SET payload = NULL, due_at = NULL, expired_on = expires_at
     WHERE account_id = $id AND created_at <= $at`,
    { id, at: Number(newest?.at) },
  );
}

/** Prints the plans of the statements that list, search and sweep. */
async function explain({ database, store, settings }: Stage, account: Account): Promise<void> {
  const statements = new Map<string, Binds>();
  const select: typeof database.select = (sql, binds) => {
    statements.set(sql, binds);
    return database.select(sql, binds);
  };
  const recorded = createDomain({
    database: { ...database, select },
    keyring: store.keyring,
    settings: domainSettings(readConfig(settings)),
  });
  const { options } = database.sequelize as unknown as { options: { logging: unknown } };
  options.logging = (text: string) => {
    const sql = text.replace(/^Executing \([^)]*\): /, '');
    if (!sql.includes('?') && !sql.includes('$')) statements.set(sql, {}); // those within transactions
  };
  await recorded.pushes.list({ account }, 'active', 1);
  await recorded.pushes.list({ account }, 'expired', 1);
  await recorded.pushes.list({ account }, 'active', 1, { search: 'nothing' });
  await recorded.sweeps.expireDue();
  await recorded.sweeps.remindUnread();
  await recorded.sweeps.purge();
  options.logging = false;
  const prefix = database.dialect.name === 'mysql' ? 'EXPLAIN FORMAT = TRADITIONAL' : 'EXPLAIN QUERY PLAN';
  for (const [sql, binds] of statements) {
    if (!/^\s*SELECT/.test(sql) || !/FROM pushes/.test(sql)) continue;
    console.log(`\n${sql}`);
    console.table(await database.select(`${prefix} ${sql}`, binds));
  }
}

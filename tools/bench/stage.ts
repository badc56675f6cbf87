import { domainSettings, readConfig } from '../../src/config.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import { type Account, createDomain } from '../../src/domain/index.ts';
import { newSharedSettings, openServiceDatabase } from '../../test/harness/process.ts';
import type { WebhookEndpoint, WebhookReceiver } from '../../test/harness/receiver.ts';
import { anonymous, createAccount, migrationsFolder } from '../../test/harness/service.ts';

export type Stage = Awaited<ReturnType<typeof openStage>>;

const concurrency = 16;

/** Migrates an empty database, and opens a domain over it in this process. `own` are further settings. */
export async function openStage(url: string, own: Record<string, string> = {}) {
  const settings = {
    ...newSharedSettings(url),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMITS: 'off',
    ...own,
  };
  const store = openServiceDatabase(settings);
  await createMigrations(store.database, migrationsFolder).up();
  const domain = createDomain({
    database: store.database,
    keyring: store.keyring,
    settings: domainSettings(readConfig(settings)),
  });
  return { settings, store, domain, database: store.database };
}

/** Creates accounts with a webhook each, and pushes that they own in turns. Returns the endpoints and the url tokens. */
export async function storeOwned(
  { domain }: Stage,
  receiver: WebhookReceiver,
  accounts: number,
  pushes: number,
) {
  const endpoints: WebhookEndpoint[] = [];
  const owners: Account[] = [];
  for (let created = 1; created <= accounts; created++) {
    const { account } = await createAccount(domain, `person${created}@example.com`);
    owners.push(account);
    endpoints.push(
      await receiver.open(async (url) => (await domain.webhooks.create(account, { url })).secret),
    );
  }
  const tokens: string[] = [];
  const remaining = Array.from({ length: pushes }, (_, index) => owners[index % accounts] ?? null);
  async function createRemaining(): Promise<void> {
    for (let account = remaining.pop(); account !== undefined; account = remaining.pop()) {
      const { urlToken } = await domain.pushes.create({ payload: 'tulip' }, { ...anonymous, account });
      tokens.push(urlToken);
    }
  }
  await Promise.all(Array.from({ length: concurrency }, createRemaining));
  return { endpoints, tokens };
}

/** Stores a notice of a view of every owned push, in one transaction. */
export async function storeNotices({ database }: Stage): Promise<void> {
  const { now, newId } = database.dialect;
  await database.execute(
    `INSERT INTO notices (id, push_id, event, messenger, address, is_open, times, views_used, happened_at, created_at, due_at)
     SELECT ${newId}, p.id, 'viewed', r.messenger, r.address, TRUE, 1, 1, ${now}, ${now}, ${now}
     FROM pushes p JOIN recipients r ON r.account_id = p.account_id`,
    {},
  );
}

/** Whether a table has a row that meets a condition. */
export async function hasAny({ database }: Stage, table: string, condition: string): Promise<boolean> {
  return (await database.select(`SELECT 1 FROM ${table} WHERE ${condition} LIMIT 1`, {})).length > 0;
}

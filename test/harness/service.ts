import { randomUUID } from 'node:crypto';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { readConfig } from '../../src/config.ts';
import { type Keyring, newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { connectDatabase, type Database } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import {
  type ClientInfo,
  type Domain,
  type FileStore,
  type SignInMethod,
  unavailable,
} from '../../src/domain/index.ts';
import { createLog } from '../../src/http/log.ts';
import { listen } from '../../src/http/server.ts';
import { en } from '../../src/locales/en.ts';
import { refusalText } from '../../src/locales/wording.ts';
import { httpSettings } from '../../src/monitoring.ts';
import { createLogger } from '../../src/runtime/log.ts';
import { deliveryJob } from '../../src/scheduler/jobs.ts';
import { openService } from '../../src/service.ts';
import { createApp } from '../../src/web.ts';
import { dumpOf, type FreshDatabase, freshDatabase, onMariadb, runOnServer } from './database.ts';
import { endsWithTest } from './endsWithTest.ts';
import { newSharedSettings } from './process.ts';
import { refusalOf } from './refusal.ts';

type Environment = Record<string, string>;

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations');

/** New keys. */
export function newKeyring(): Keyring {
  return parseKeyring(`1:${newKey()}`, newKey());
}

export type TestService = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a service in this process on a fresh, migrated database and a free port. Rate limits are off, unless
 * `environment` sets them. Files are stored in a folder of its own, unless a `store` is given. Passwords are hashed at
 * the lowest cost, unless `hashCostMax` is higher. One that is not ready refuses what needs its database. `logged()` returns the whole log, at the finest level.
 */
export async function startService(
  environment: Environment = {},
  {
    store,
    hashCostMax = 4,
    isReady = true,
  }: { store?: FileStore; hashCostMax?: number; isReady?: boolean } = {},
) {
  const { url, drop } = await templateDatabase(environment.DATABASE_URL);
  const filesFolder = await mkdtemp(join(tmpdir(), 'files-'));
  const shared = { ...newSharedSettings(url), ...environment };
  const config = readConfig({
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    BASE_URL: 'http://push.test',
    FILES_DIR: filesFolder,
    ...shared,
  });
  const { logger, logged } = openMemoryLog(config.LOG_LEVEL);
  const service = await openService(config, {
    fileStore: store,
    hashCostMax,
    onPlacesError: (error) => logger.warn({ error }, 'reading the places failed'),
  });
  await service.prepare();
  const { domain, database, keyring, fileStore } = service;
  const { bots, jobs } = await service.openAdapters((source, error) =>
    logger.warn({ error }, `${source} failed`),
  );
  const chats = bots.listen();
  const requireReady = () => {
    if (!isReady) throw unavailable('notReady');
  };
  const app = createApp(
    domain,
    {
      log: createLog(logger),
      health: { requireReady, checkDatabase: service.migrations.requireApplied },
      ...httpSettings(config),
      look: await service.openLook(),
    },
    chats.endpoints,
  );
  const port = environment.PORT === undefined ? 0 : config.PORT;
  const server = await listen(app, { host: '127.0.0.1', port });
  await chats.start(Promise.resolve(true));
  const { DATABASE_URL, MASTER_KEYS, PEPPER } = shared;
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    domain,
    database,
    keyring,
    databaseUrl: url,
    /** The settings with which another service shares its database and its keys. */
    shared: { DATABASE_URL, MASTER_KEYS, PEPPER },
    fileStore,
    filesFolder,
    logged,
    messengers: bots.messengers,
    /** Delivers what is due, by all that the settings switch on. */
    deliver: () => jobs.find(({ name }) => name === deliveryJob)?.run(() => false),
    stop: endsWithTest(async () => {
      await Promise.all([server.drain(), chats.stop()]);
      await service.close();
      await drop();
      await rm(filesFolder, { recursive: true, force: true });
    }),
  };
}

function openMemoryLog(level: string) {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { logger: createLogger(level, sink), logged: () => lines.join('') };
}

/** A new database. It has all tables already, as a copy, because migrating takes most of the start. */
async function templateDatabase(givenUrl: string | undefined): Promise<Pick<FreshDatabase, 'url' | 'drop'>> {
  if (givenUrl !== undefined) return { url: givenUrl, drop: async () => {} };
  const database = await freshDatabase();
  copyTemplate ??= openTemplate();
  await (await copyTemplate)(database.url);
  return database;
}

let copyTemplate: Promise<(url: string) => Promise<void>> | undefined;

/** Migrates a database. Returns what copies it into an empty one. */
async function openTemplate(): Promise<(url: string) => Promise<void>> {
  const { url, drop } = await freshDatabase();
  const database = connectDatabase(url, { poolSize: 1 });
  await createMigrations(database, migrationsFolder).up();
  await database.close();
  if (!onMariadb) return (copy) => copyFile(fileOf(url), fileOf(copy));
  const sql = await dumpOf(url);
  await drop();
  return (copy) => runOnServer(copy, sql);
}

const fileOf = (url: string) => url.slice('sqlite:'.length);

/** A client without an account. */
export const someClient: ClientInfo = {
  ip: '192.0.2.7',
  userAgent: 'test',
  referrer: '',
  isPreviewer: () => false,
};
/** How people sign in that tests sign in. */
export const byPassword: SignInMethod = { way: 'password', factors: ['password'] };
export const anonymous = { account: null, client: someClient };

let emails = 0;

/** An address that no account has. */
export function newEmail(): string {
  emails += 1;
  return `person${emails}@example.com`;
}

/** Creates an account with an API token. */
export async function createAccount(
  domain: Domain,
  email = newEmail(),
  { subscribed = false, isAdmin = false } = {},
) {
  const account = await domain.accounts.create({ email, subscribed, isAdmin });
  return { account, token: await domain.apiTokens.issue(account, { name: 'test' }) };
}

/** Registers a process that serves, which stops at once as if it was killed. It counts for a minute. */
export async function registerProcess(database: Database): Promise<void> {
  await database.execute(
    `INSERT INTO processes (id, name, key_ids, active_key_id, registered_at, expires_at)
     VALUES ($id, 'killed', ',1,', 1, 0, ${database.dialect.now} + 60000)`,
    { id: randomUUID() },
  );
}

/** The refusal of an action, as `code: sentence`, in English. */
export async function refusal(action: Promise<unknown>): Promise<string> {
  const error = await refusalOf(action);
  return `${error.code}: ${refusalText(en, error)}`;
}

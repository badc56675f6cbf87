import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import { createApp } from '../../src/app.ts';
import { createBots } from '../../src/bots/bots.ts';
import { discordSettings, domainSettings, publicUrl, readConfig, slackSettings } from '../../src/config.ts';
import { type Keyring, newKey, parseKeyring } from '../../src/crypto/keyring.ts';
import { connectDatabase } from '../../src/database/database.ts';
import { createMigrations } from '../../src/database/migrations.ts';
import {
  type ClientInfo,
  createDomain,
  type Domain,
  DomainError,
  type FileStore,
} from '../../src/domain/index.ts';
import { requireMatchingKeys } from '../../src/domain/keyChecks.ts';
import { createLinks } from '../../src/http/links.ts';
import { createLog } from '../../src/http/log.ts';
import { listen } from '../../src/http/server.ts';
import { en } from '../../src/locales/en.ts';
import { refusalText } from '../../src/locales/wording.ts';
import { createLogger } from '../../src/runtime/log.ts';
import { createLocalStore } from '../../src/stores/local.ts';
import { type FreshDatabase, freshDatabase, onMariadb } from './database.ts';

type Environment = Record<string, string>;

export const migrationsFolder = join(import.meta.dirname, '..', '..', 'migrations');

/** Keys for one test run. */
export function newKeyring(): Keyring {
  return parseKeyring(`1:${newKey()}`, newKey());
}

export type TestService = Awaited<ReturnType<typeof startService>>;

/**
 * A whole service in this process on a fresh, migrated database, listening on a free port. Rate limits are off unless
 * `environment` says otherwise; its port too. Files go to a folder of its own, unless there is another `store`.
 * `logged()` gives all that it wrote to its log, at the finest level.
 */
export async function startService(environment: Environment = {}, { store }: { store?: FileStore } = {}) {
  const { url, drop } = await migratedDatabase(environment.DATABASE_URL);
  const settings = {
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'debug',
    DATABASE_URL: url,
    BASE_URL: 'http://push.test',
    ...environment,
  };
  const config = readConfig(settings);
  const keyring = newKeyring();
  const database = connectDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL });
  await requireMatchingKeys(database, keyring);
  const filesFolder = await mkdtemp(join(tmpdir(), 'files-'));
  const fileStore = store ?? createLocalStore(filesFolder);
  const domain = createDomain(database, keyring, domainSettings(config), undefined, fileStore);
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const logger = createLogger(config.LOG_LEVEL, sink);
  const bots = await createBots({
    domain,
    settings: { slack: slackSettings(config), discord: discordSettings(config) },
    links: createLinks(publicUrl(config)),
    onError: (what, error) => logger.warn({ error }, what),
  });
  const chats = bots.listen();
  const app = createApp({
    mounted: chats.endpoints,
    domain,
    log: createLog(logger),
    settings: { baseUrl: publicUrl(config), trustedProxies: config.TRUSTED_PROXIES },
    requireReady: () => {},
  });
  const web = await listen(app, {
    host: '127.0.0.1',
    port: environment.PORT === undefined ? 0 : config.PORT,
  });
  await chats.start(Promise.resolve(true));
  return {
    url: `http://127.0.0.1:${web.port}`,
    port: web.port,
    domain,
    database,
    keyring,
    databaseUrl: url,
    fileStore,
    filesFolder,
    logged: () => lines.join(''),
    messengers: bots.messengers,
    async stop() {
      await Promise.all([web.drain(), chats.stop()]);
      await database.close();
      await drop();
      await rm(filesFolder, { recursive: true, force: true });
    },
  };
}

/** A database with all tables; a new one on SQLite is a copy, since making tables takes most of the start of a service. */
async function migratedDatabase(givenUrl: string | undefined): Promise<FreshDatabase> {
  const database = givenUrl === undefined ? await freshDatabase() : { url: givenUrl, drop: async () => {} };
  if (onMariadb || givenUrl !== undefined) {
    await migrate(database.url);
  } else {
    template ??= migratedFile();
    await copyFile(await template, fileOf(database.url));
  }
  return database;
}

let template: Promise<string> | undefined;

async function migratedFile(): Promise<string> {
  const { url } = await freshDatabase();
  await migrate(url);
  return fileOf(url);
}

async function migrate(url: string): Promise<void> {
  const database = connectDatabase(url, { poolSize: 1 });
  await createMigrations(database, migrationsFolder).up();
  await database.close();
}

const fileOf = (url: string) => url.slice('sqlite:'.length);

/** A visitor of no account. */
export const someClient: ClientInfo = {
  ip: '192.0.2.7',
  userAgent: 'test',
  referrer: '',
  isPreviewer: false,
};
export const anonymous = { account: null, client: someClient };

/** Makes an account with a token. */
export async function createAccount(domain: Domain, email: string, { subscribed = false } = {}) {
  const account = await domain.accounts.create({ email, subscribed });
  return { account, token: await domain.apiTokens.create(account, { name: 'test' }) };
}

/** The domain's refusal of something that it must refuse. */
export async function refusalOf(action: Promise<unknown>): Promise<DomainError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof DomainError) return error;
  return expect.fail(`not a refusal: ${error}`);
}

/** The same, as `code: sentence`, in English. */
export async function refusal(action: Promise<unknown>): Promise<string> {
  const error = await refusalOf(action);
  return `${error.code}: ${refusalText(en, error)}`;
}

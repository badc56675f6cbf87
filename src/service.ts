import { hostname } from 'node:os';
import { createBots } from './bots/bots.ts';
import {
  activeChats,
  type Config,
  domainSettings,
  fileStoreSettings,
  geoDatabaseOf,
  lookFolderOf,
  mailSettingsOf,
  publicUrl,
} from './config.ts';
import { connectDatabase } from './database/database.ts';
import { createMigrations, ownMigrations } from './database/migrations.ts';
import {
  createDomain,
  createProcessRegistration,
  type Domain,
  type FileStore,
  type Messenger,
  type Messengers,
  mailMessenger,
  type Observer,
  requireMatchingKeys,
} from './domain/index.ts';
import { SetupError } from './errors.ts';
import { createLinks } from './http/links.ts';
import type { Look } from './look/look.ts';
import { createLookReader } from './look/open.ts';
import { createIdentityTokens } from './oidc/identityTokens.ts';
import { createIdentityProvider } from './oidc/provider.ts';
import { createPlaces } from './places/places.ts';
import { openDatabaseFolder } from './runtime/databaseFolder.ts';
import { openEgress } from './runtime/egress.ts';
import { openKeys } from './runtime/keys.ts';
import { packageVersion } from './runtime/package.ts';
import { buildJobs } from './scheduler/jobs.ts';
import { openFileStore } from './stores/open.ts';

type ServiceOptions = {
  observer?: Observer;
  /** Used instead of the file store of the settings. */
  fileStore?: FileStore | undefined;
  /** To look at the database without changing it. */
  readOnly?: boolean;
  /** The database of places cannot be read, although it could before. */
  onPlacesError?: (error: unknown) => void;
  /** Lowers the cost of password hashes, for tests. */
  hashCostMax?: number | undefined;
};

/** What every command works with. Nothing in it listens or runs by itself. */
export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens keys, database, file store and domain. */
export async function openService(
  config: Config,
  { observer, readOnly = false, hashCostMax, onPlacesError = () => {}, ...options }: ServiceOptions = {},
) {
  if (!readOnly) await openDatabaseFolder(config);
  const { keyring, createdFile } = await openKeys(config);
  const database = connectDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL, readOnly });
  const migrations = createMigrations(database, ownMigrations);
  const agentOf = await openEgress(config);
  const fileStore = options.fileStore ?? (await openFileStore({ ...fileStoreSettings(config), agentOf }));
  const geoDatabase = geoDatabaseOf(config);
  const places =
    geoDatabase === undefined ? undefined : createPlaces(geoDatabase, { onError: onPlacesError });
  const settings = { ...domainSettings(config), hashCostMax };
  const links = createLinks(publicUrl(config));
  const openLook = createLookReader(lookFolderOf(config));
  const domain = createDomain({
    database,
    keyring,
    settings,
    observer,
    store: fileStore,
    openPlaces: places?.openPlaces,
    identityTokens: createIdentityTokens({ privateIssuers: config.PRIVATE_ISSUERS, agentOf }),
    providers: config.identityProviders.map((provider) =>
      createIdentityProvider(provider, links.ofProvider(provider.name)),
    ),
  });
  const registration = createProcessRegistration({
    database,
    keyring,
    readKeyring: async () => (await openKeys(config)).keyring,
    name: `${hostname().slice(0, 80)} pid ${process.pid}`,
  });

  /** Opens the chats, and the jobs, which deliver notices through them. Nothing in it runs by itself. */
  async function openAdapters(onError: (source: string, error: unknown) => void = () => {}) {
    const look = await openLook();
    const bots = await createBots({
      domain,
      chats: activeChats(config),
      links,
      look,
      onError,
    });
    const { createWebhookMessenger } = await import('./webhooks/messenger.ts');
    const webhook = createWebhookMessenger({
      version: packageVersion(),
      webhooks: domain.webhooks,
      allowPrivate: config.WEBHOOK_ALLOW_PRIVATE,
      agentOf,
    });
    const messengers = {
      webhook,
      ...(await openMail(config, { domain, links, look, onResult: observer?.mailed, onError })),
      ...bots.messengers,
    };
    const prepareDelivery = () =>
      Promise.all(Object.values<Messenger>(messengers).map((messenger) => messenger.prepare?.()));
    return { bots, jobs: buildJobs(domain, messengers), prepareDelivery };
  }

  /** Opens the store of the jobs' plans. Loads Agenda. */
  async function openBackend() {
    const { createAgendaBackend } = await import('./scheduler/backend/backend.ts');
    return createAgendaBackend(database);
  }

  /** Refuses a server that is too old, before anything is asked of it. */
  async function requireServer(): Promise<void> {
    const problem = await database.versionProblem();
    if (problem !== undefined) throw new SetupError(problem);
  }

  /** Refuses the schema of another version, which it does not change, and keys that the database was not written with. */
  async function check(): Promise<void> {
    await requireServer();
    await migrations.requireCurrent();
    await domain.restoration.requireFinished();
    await requireMatchingKeys(database, keyring);
  }

  /**
   * Migrates. Refuses a server that is too old, a restored backup that may hold secrets that are gone, and keys that the database was not written
   * with; with `unavailable` while the database is away.
   */
  async function prepare(): Promise<void> {
    await requireServer();
    await domain.restoration.requireFinished();
    await migrations.up();
    await requireMatchingKeys(database, keyring);
  }

  return {
    config,
    keyring,
    /** The key file, if this is the first start and it was created now. */
    createdFile,
    database,
    migrations,
    fileStore,
    domain,
    links,
    registration,
    openLook,
    openAdapters,
    openBackend,
    /** Refuses a database of places that cannot be used. */
    requirePlaces: async () => places?.read(),
    check,
    prepare,
    close: database.close,
  };
}

type MailDependencies = {
  domain: Pick<Domain, 'mailAddresses' | 'mailLinks'>;
  links: { baseUrl: string };
  look: Look;
  onResult: Observer['mailed'] | undefined;
  onError: (source: string, error: unknown) => void;
};

/** Nothing of it is loaded where mail is off. */
async function openMail(
  config: Config,
  { domain, links, look, onResult, onError }: MailDependencies,
): Promise<Messengers> {
  const settings = mailSettingsOf(config);
  if (settings === undefined) return {};
  const [{ createMailMessenger }, { createMailTransport }] = await Promise.all([
    import('./mail/messenger.ts'),
    import('./mail/transport.ts'),
  ]);
  return {
    [mailMessenger]: createMailMessenger({
      addresses: domain.mailAddresses,
      unsubscribeToken: domain.mailLinks.unsubscribeToken,
      transport: createMailTransport({ ...settings, look }),
      baseUrl: links.baseUrl,
      look,
      perMinute: settings.perMinute,
      onResult,
      onUnavailable: (reason) => onError(mailMessenger, new Error(reason)),
    }),
  };
}

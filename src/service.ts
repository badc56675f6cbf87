import { hostname } from 'node:os';
import { join } from 'node:path';
import { type Config, domainSettings, fileStoreSettings, geoDatabaseOf, publicUrl } from './config.ts';
import { connectDatabase } from './database/database.ts';
import { createMigrations } from './database/migrations.ts';
import { createDomain, type FileStore, type Observer } from './domain/index.ts';
import { requireMatchingKeys } from './domain/keys/keyChecks.ts';
import { createProcessRegistration } from './domain/processes/registration.ts';
import { createLinks } from './http/links.ts';
import { createPlaces } from './places/places.ts';
import { openDatabaseFolder } from './runtime/databaseFolder.ts';
import { openKeys } from './runtime/keys.ts';
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
  { observer, readOnly = false, ...options }: ServiceOptions = {},
) {
  if (!readOnly) await openDatabaseFolder(config);
  const { keyring, createdFile } = await openKeys(config);
  const database = connectDatabase(config.DATABASE_URL, { poolSize: config.DATABASE_POOL, readOnly });
  const migrations = createMigrations(database, join(import.meta.dirname, '..', 'migrations'));
  const fileStore = options.fileStore ?? (await openFileStore(fileStoreSettings(config)));
  const settings = { ...domainSettings(config), hashCostMax: options.hashCostMax };
  const geoDatabase = geoDatabaseOf(config);
  const places =
    geoDatabase === undefined
      ? undefined
      : createPlaces(geoDatabase, { onError: options.onPlacesError ?? (() => {}) });
  const domain = createDomain(database, keyring, settings, observer, fileStore, places?.openPlaces);

  return {
    config,
    keyring,
    /** The key file, if this is the first start and it was created now. */
    createdFile,
    database,
    fileStore,
    migrations,
    registration: createProcessRegistration({
      database,
      keyring,
      readKeyring: async () => (await openKeys(config)).keyring,
      name: `${hostname().slice(0, 80)} pid ${process.pid}`,
    }),
    domain,
    /** Refuses a database of places that cannot be used. */
    requirePlaces: async () => places?.read(),
    links: createLinks(publicUrl(config)),
    /** The store of the jobs' plans. Loads Agenda. */
    async openBackend() {
      const { createSequelizeBackend } = await import('./scheduler/backend/backend.ts');
      return createSequelizeBackend(database.sequelize);
    },
    /** Refuses the schema of another version, which it does not change, and keys that the database was not written with. */
    async check(): Promise<void> {
      await migrations.requireCurrent();
      await domain.restoration.requireFinished();
      await requireMatchingKeys(database, keyring);
    },
    /**
     * Migrates. Refuses a restored backup that may hold secrets that are gone, and keys that the database was not written
     * with; with `unavailable` while the database is away.
     */
    async prepare(): Promise<void> {
      await domain.restoration.requireFinished();
      await migrations.up();
      await requireMatchingKeys(database, keyring);
    },
    close: database.close,
  };
}

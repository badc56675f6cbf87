import type { Keyring } from '../crypto/keyring.ts';
import { createPasswords } from '../crypto/passwords.ts';
import { createSigning } from '../crypto/signing.ts';
import type { Database } from '../database/database.ts';
import { createAccounts } from './accounts/accounts.ts';
import { createApiTokens } from './accounts/apiTokens.ts';
import { createKnownBrowsers } from './accounts/knownBrowsers.ts';
import { createPasswordLinks } from './accounts/passwordLinks.ts';
import { createSessions } from './accounts/sessions.ts';
import { createSignIn } from './accounts/signIn.ts';
import { createAudit } from './audit/audit.ts';
import { createChat } from './chat/chat.ts';
import { createOneTimeLinks } from './chat/oneTimeLinks.ts';
import { createFiles } from './files/files.ts';
import { type FileStore, noStore } from './files/store.ts';
import { createKeys } from './keys/keys.ts';
import { createLeases } from './leases.ts';
import { createLimits } from './limits/limits.ts';
import { createPasswordHashers } from './limits/passwordHashers.ts';
import { createNotices } from './notices/notices.ts';
import { createOutbox } from './notices/outbox.ts';
import { noopObserver, type Observer } from './observer.ts';
import { noPlaces, type OpenPlaces } from './places.ts';
import { createProcesses } from './processes/processes.ts';
import { createPushAdmission } from './pushes/admission.ts';
import { createPushes } from './pushes/pushes.ts';
import { createSweeps } from './pushes/sweeps.ts';
import { createRequests } from './requests/requests.ts';
import { createRestoration } from './restoration.ts';
import type { DomainSettings } from './settings.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export type Domain = ReturnType<typeof createDomain>;

/** The whole domain, over one database and one set of keys. */
export function createDomain(
  database: Database,
  keyring: Keyring,
  settings: DomainSettings,
  observer: Observer = noopObserver,
  store: FileStore = noStore,
  openPlaces: OpenPlaces = noPlaces,
) {
  const hashers = createPasswordHashers(createPasswords(keyring), settings);
  const limits = createLimits(database, settings.limits);
  const audit = createAudit(database);
  const outbox = createOutbox(database);
  const signing = createSigning(keyring);
  const knownBrowsers = createKnownBrowsers(signing);
  const accounts = createAccounts(database, hashers.account);
  const sessions = createSessions(database, openPlaces);
  const apiTokens = createApiTokens(database);
  const leases = createLeases(database);
  const links = createOneTimeLinks(database, keyring);
  const requests = createRequests(database, keyring, outbox);
  const admitCreation = createPushAdmission({ limits, settings: settings.pushes });
  const { files, fileList, grants, downloads, beginUpload } = createFiles({
    database,
    keyring,
    store,
    audit,
    limits,
    admitCreation,
    settings: settings.files,
  });
  const pushes = createPushes({
    database,
    keyring,
    signing,
    passphrases: hashers.passphrase,
    limits,
    audit,
    outbox,
    fileList,
    grants,
    downloads,
    admitCreation,
    settings: settings.pushes,
    fileSettings: settings.files,
    observer,
    openPlaces,
  });
  return {
    accounts,
    sessions,
    signIn: createSignIn({
      database,
      accounts,
      sessions,
      apiTokens,
      passwords: hashers.account,
      limits,
      knownBrowsers,
      settings: settings.signIn,
    }),
    knownBrowsers,
    /** How many hashes of each kind this process has started, runs, and has waiting. */
    passwordChecks: () => ({ account: hashers.account.counts(), passphrase: hashers.passphrase.counts() }),
    apiTokens,
    passwordLinks: createPasswordLinks({
      database,
      sessions,
      apiTokens,
      passwords: hashers.account,
      links,
    }),
    pushes,
    files,
    sweeps: createSweeps({ database, outbox, settings: settings.pushes, observer }),
    webhooks: createWebhooks({ database, keyring, settings: settings.webhooks }),
    notices: createNotices({ database, keyring, outbox, requests, pushes, observer }),
    chat: createChat({
      database,
      keyring,
      links,
      pushes,
      beginUpload,
      requests,
      outbox,
      limits,
      settings,
    }),
    leases,
    processes: createProcesses(database),
    keys: createKeys({ database, keyring }),
    restoration: createRestoration(database, settings.pushes),
    limits,
    signing,
    /** The database's clock in epoch milliseconds. Throws `unavailable` if the database is unreachable. */
    clock: database.clock,
  };
}

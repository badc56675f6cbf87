import type { Keyring } from '../crypto/keyring.ts';
import { createPasswords } from '../crypto/passwords.ts';
import { createSigning } from '../crypto/signing.ts';
import type { Database } from '../database/database.ts';
import {
  createAccountActs,
  createAccountLinks,
  createAccounts,
  createApiTokens,
  createConfirmation,
  createDeviceSignIn,
  createKnownBrowsers,
  createMergeAccounts,
  createSecondFactors,
  createSecurityLog,
  createSessions,
  createSignIn,
  createSingleSignOn,
  createStepUp,
  createTrust,
  type IdentityProvider,
  type IdentityTokens,
  lacksFactorColumn,
  noIssuers,
} from './accounts/index.ts';
import { createAudit } from './audit/index.ts';
import {
  createLeases,
  createOneTimeLinks,
  type DomainSettings,
  noopObserver,
  noPlaces,
  type Observer,
  type OpenPlaces,
} from './base/index.ts';
import { createChat } from './chat/index.ts';
import { createNotices } from './delivery/index.ts';
import { createFiles, type FileStore, noStore } from './files/index.ts';
import { createKeys } from './keys/index.ts';
import { createLimits, createPasswordHashers } from './limits/index.ts';
import { createMailAddresses } from './mail/index.ts';
import { createOrphanRemoval } from './orphans.ts';
import { createOutbox } from './outbox/index.ts';
import { createProcesses } from './processes/index.ts';
import { createPushes, createSweeps } from './pushes/index.ts';
import { createRequestLinks, createRequests } from './requests/index.ts';
import { createRestoration } from './restoration.ts';
import { tables } from './tables.ts';
import { createWebhooks } from './webhooks/index.ts';

export type Domain = ReturnType<typeof createDomain>;

/** The whole domain, over one database and one set of keys. */
export function createDomain({
  database,
  keyring,
  settings,
  observer = noopObserver,
  store = noStore,
  openPlaces = noPlaces,
  providers = [],
  identityTokens = noIssuers,
}: {
  database: Database;
  keyring: Keyring;
  settings: DomainSettings;
  observer?: Observer | undefined;
  store?: FileStore | undefined;
  openPlaces?: OpenPlaces | undefined;
  providers?: IdentityProvider[] | undefined;
  identityTokens?: IdentityTokens | undefined;
}) {
  const hashers = createPasswordHashers(createPasswords(keyring), settings);
  const limits = createLimits({ database, settings: settings.limits });
  const audit = createAudit(database);
  const outbox = createOutbox(database);
  const signing = createSigning(keyring);
  const knownBrowsers = createKnownBrowsers(database, signing);
  const stepUp = createStepUp(database, settings.signIn, providers);
  const lacksFactor = lacksFactorColumn(settings.signIn);
  const acts = createAccountActs(database, { outbox, observer, stepUp });
  const accounts = createAccounts({ database, passwords: hashers.account, acts, stepUp });
  const securityLog = createSecurityLog({ database, outbox, acts, openPlaces });
  const sessions = createSessions({ database, outbox, knownBrowsers, openPlaces, securityLog, lacksFactor });
  const apiTokens = createApiTokens({ database, stepUp, securityLog, lacksFactor });
  const links = createOneTimeLinks({ database, keyring });
  const parts = { database, keyring, links, limits, knownBrowsers, sessions, acts, stepUp, securityLog };
  const common = { ...parts, passwords: hashers.account, settings: settings.signIn };
  const { factors, passkeys, secondStep } = createSecondFactors({ ...common, signing });
  const forSignIn = { ...common, secondStep, passkeys, accounts, apiTokens };
  const signIn = createSignIn(forSignIn);
  const mailAddresses = createMailAddresses(database);
  const { passwordLinks, mailLinks, readAccountMail } = createAccountLinks({
    ...forSignIn,
    ...{ outbox, mailAddresses, signing, mail: settings.mail },
  });
  const { open: _open, ...ofBrowsers } = sessions;
  const requests = createRequests({ database, keyring, outbox });
  const forLinks = { ...common, passphrases: hashers.passphrase, outbox, mailAddresses, settings };
  const { files, fileList, grants, downloads, beginUpload } = createFiles({
    ...{ database, keyring, store, audit, limits },
    settings: settings.files,
  });
  const { auditLogsOf, ...pushes } = createPushes({
    ...{ database, keyring, signing, limits, audit },
    passphrases: hashers.passphrase,
    ...{ outbox, mailAddresses, fileList, grants },
    downloads,
    beginUpload,
    settings: settings.pushes,
    fileSettings: settings.files,
    observer,
    openPlaces,
  });
  const requestLinks = createRequestLinks({ ...forLinks, pushes });
  return {
    accounts,
    /** They start with `create` alone, which asks for the second factor. */
    sessions: { ...ofBrowsers, create: secondStep.create },
    factors,
    passkeys,
    secondStep,
    signIn,
    confirmation: createConfirmation({ ...common, factors, passkeys, signIn }),
    securityLog: { list: securityLog.list, purge: securityLog.purge },
    knownBrowsers,
    singleSignOn: createSingleSignOn({ ...forSignIn, observer, providers }),
    /** How many hashes of each kind this process has started, runs, and has waiting. */
    passwordChecks: () => ({ account: hashers.account.counts(), passphrase: hashers.passphrase.counts() }),
    apiTokens,
    passwordLinks,
    deviceSignIn: createDeviceSignIn({ database, apiTokens, limits, stepUp }),
    ...createTrust({ database, identityTokens, stepUp, securityLog, settings: settings.trust }),
    pushes,
    requestLinks,
    files,
    removeOrphans: createOrphanRemoval(database),
    sweeps: createSweeps({ database, outbox, settings: settings.pushes, observer }),
    webhooks: createWebhooks({ database, keyring, stepUp, settings: settings.webhooks }),
    notices: createNotices({
      ...{ database, keyring, outbox, acts, securityLog, readAccountMail, requests, requestLinks },
      pushes,
      observer,
    }),
    chat: createChat({
      database,
      keyring,
      mergeAccounts: createMergeAccounts(database, tables),
      acts,
      stepUp,
      securityLog,
      links,
      pushes: { ...pushes, auditLogsOf },
      requests,
      requestLinks,
      outbox,
      limits,
      lacksFactor,
      settings,
    }),
    mailAddresses,
    mailLinks,
    leases: createLeases(database),
    processes: createProcesses(database),
    keys: createKeys({ database, keyring, tables }),
    restoration: createRestoration({ database, settings: settings.pushes }),
    limits,
    signing,
    /** The database's clock in epoch milliseconds. Throws `unavailable` if the database is unreachable. */
    clock: database.clock,
  };
}

import type { Keyring } from '../crypto/keyring.ts';
import { createPasswords } from '../crypto/passwords.ts';
import { createSigning } from '../crypto/signing.ts';
import type { Database } from '../database/database.ts';
import { type Account, createAccounts } from './accounts/accounts.ts';
import { createApiTokens } from './accounts/apiTokens.ts';
import { createSessions } from './accounts/sessions.ts';
import { createSignIn } from './accounts/signIn.ts';
import { createAudit } from './audit/audit.ts';
import { createChat } from './chat/chat.ts';
import { createDownloads } from './files/downloads.ts';
import { createFileList } from './files/fileList.ts';
import { canAttachFiles } from './files/fileRules.ts';
import { createGrants } from './files/grants.ts';
import { createReconciliation } from './files/reconcile.ts';
import { createShredding } from './files/shred.ts';
import { type FileStore, noStore } from './files/store.ts';
import { createUploads } from './files/uploads.ts';
import { createLeases } from './leases.ts';
import { createLimits } from './limits/limits.ts';
import { createNotices } from './notices/notices.ts';
import { createOutbox } from './notices/outbox.ts';
import { noopObserver, type Observer } from './observer.ts';
import { createPushAdmission } from './pushes/admission.ts';
import { createPushes } from './pushes/pushes.ts';
import { createSweeps } from './pushes/sweeps.ts';
import { createRequests } from './requests/requests.ts';
import type { DomainSettings } from './settings.ts';
import { createWebhooks } from './webhooks/webhooks.ts';

export type { Signing } from '../crypto/signing.ts';
export { digestOf } from '../crypto/tokens.ts';
export { toRefusal } from '../database/errors.ts';
export { DomainError, type ErrorCode, type Problem, type Problems, unavailable } from '../errors.ts';
export type { Account, AccountSummary } from './accounts/accounts.ts';
export type { ApiTokenSummary } from './accounts/apiTokens.ts';
export type { SessionSummary, SignedIn } from './accounts/sessions.ts';
export type { AuditRow, ClientInfo } from './audit/audit.ts';
export type { Caller } from './caller.ts';
export type { ChatMessage } from './chat/chatMessages.ts';
export {
  accountNameOf,
  addressWorkspace,
  type ChatCaller,
  type ChatUser,
  maybeChatUserOf,
  type Platform,
} from './chat/chatUser.ts';
export type { ComposeContext } from './chat/compose.ts';
export type { ChatPushOptions } from './chat/createPush.ts';
export type { FormDefaults } from './chat/formDefaults.ts';
export type { IdentitySummary } from './chat/identities/identities.ts';
export type { LinkPreview } from './chat/identities/link.ts';
export type { InstallationSummary } from './chat/installations.ts';
export type { PushForm } from './chat/pushForm.ts';
export type { PersonalSettings, WorkspaceSettings } from './chat/settings.ts';
export type { Download } from './files/downloads.ts';
export type { PushFile } from './files/fileList.ts';
export type { FileStore } from './files/store.ts';
export type { TakeFile, Upload } from './files/uploads.ts';
export type {
  Delivery,
  Messenger,
  Messengers,
  Notice,
  PushNotice,
  RequestNotice,
} from './notices/messenger.ts';
export {
  decodePreferences,
  type NoticePreferences,
  type NoticeSwitch,
  noticeKinds,
  noticeSwitches,
  type OwnerEvent,
  type PushEvent,
  viewedOptions,
} from './notices/preferences.ts';
export type { Observer } from './observer.ts';
export type { PushState } from './pushes/list.ts';
export { daysRemaining, expireAfterDays, isExpired, type Push } from './pushes/push.ts';
export type { PushSchema } from './pushes/pushSchema.ts';
export type { Revealed } from './pushes/reveal.ts';
export type { ListedRequest } from './requests/ofAccount.ts';
export type { SecretRequest } from './requests/request.ts';
export type { Bounds, DomainSettings, FileSettings, PushSettings, Rate } from './settings.ts';
export type { WebhookDelivery } from './webhooks/deliveries.ts';
export type { EndpointResult, WebhookEndpoint } from './webhooks/endpoints.ts';
export { isPrivateHost, isPublicAddress } from './webhooks/hosts.ts';
export type { WebhookSchema } from './webhooks/webhookSchema.ts';
export type { Webhook } from './webhooks/webhooks.ts';

export type Domain = ReturnType<typeof createDomain>;

/** Everything that hushpush does, over one database and one set of keys. Adapters call this and nothing deeper. */
export function createDomain(
  database: Database,
  keyring: Keyring,
  settings: DomainSettings,
  observer: Observer = noopObserver,
  store: FileStore = noStore,
) {
  const passwords = createPasswords(keyring);
  const limits = createLimits(database, settings.limits);
  const audit = createAudit(database);
  const outbox = createOutbox(database);
  const accounts = createAccounts(database, passwords);
  const sessions = createSessions(database);
  const fileList = createFileList(database, keyring);
  const grants = createGrants({ database, keyring, attached: fileList });
  const downloads = createDownloads({ database, keyring, store, audit, limits });
  const shredding = createShredding(database, store);
  const requests = createRequests(database, keyring, outbox);
  const admitCreation = createPushAdmission({ limits, settings: settings.pushes });
  const beginUpload = createUploads({
    database,
    keyring,
    store,
    shredding,
    admitCreation,
    settings: settings.files,
  });
  const pushes = createPushes({
    database,
    keyring,
    passwords,
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
  });
  return {
    accounts,
    sessions,
    signIn: createSignIn({ database, accounts, sessions, passwords, limits, settings: settings.signIn }),
    apiTokens: createApiTokens(database),
    pushes,
    files: {
      beginUpload,
      download: downloads.find,
      shredDue: shredding.shredDue,
      overdue: shredding.overdue,
      ...createReconciliation({ database, keyring, store }),
      location: store.location,
      settings: settings.files,
      /** Whether this owner, or nobody, may attach files. */
      canAttach: (account: Account | null) => canAttachFiles(account, settings.files),
    },
    sweeps: createSweeps({ database, outbox, settings: settings.pushes, observer }),
    webhooks: createWebhooks({ database, keyring, settings: settings.webhooks }),
    notices: createNotices({ database, keyring, outbox, requests, observer }),
    chat: createChat({
      database,
      keyring,
      pushes,
      beginUpload,
      requests,
      outbox,
      limits,
      pushSettings: settings.pushes,
    }),
    leases: createLeases(database),
    limits,
    signing: createSigning(keyring),
    /** The database's clock, epoch milliseconds; refuses with `unavailable` when the database is out of reach. */
    clock: database.clock,
  };
}

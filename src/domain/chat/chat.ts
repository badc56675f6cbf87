import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { AccountActs, MergeAccounts, SecurityLog, StepUp } from '../accounts/index.ts';
import type { DomainSettings, OneTimeLinks } from '../base/index.ts';
import type { Limits } from '../limits/index.ts';
import type { Outbox } from '../outbox/index.ts';
import type { Pushes } from '../pushes/index.ts';
import type { RequestLinks, Requests } from '../requests/index.ts';
import {
  createChatSettings,
  createCommandRegistrations,
  createInstallations,
  createWorkspaceAccess,
  createWorkspaceRemoval,
} from '../workspaces/index.ts';
import { createAdmission } from './admission.ts';
import { createChatMessages } from './chatMessages.ts';
import { createComposing } from './compose.ts';
import { createChatPushes } from './createPush.ts';
import { createDeduplication } from './deduplication.ts';
import { createFormDefaults } from './formDefaults.ts';
import { createIdentities } from './identities/identities.ts';
import { createLinking, createLinkRequests } from './linkRequests.ts';
import { createProvedLinks } from './provedLinks.ts';
import { createRequestLinking } from './requestLink.ts';
import { createSecretRequesting, secretRequestSchema } from './requestSecret.ts';
import { createWorkspaceActivity } from './workspaceActivity.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  mergeAccounts: MergeAccounts;
  acts: AccountActs;
  stepUp: StepUp;
  securityLog: SecurityLog;
  links: OneTimeLinks;
  pushes: Pushes;
  requests: Requests;
  requestLinks: RequestLinks;
  outbox: Outbox;
  limits: Limits;
  lacksFactor: string;
  settings: Pick<DomainSettings, 'pushes' | 'files'>;
};

const messageRetentionMs = 400 * dayMs;

/** What only chats need: identities, settings, one-time links, installations, and creating pushes from a chat. */
export function createChat({
  database,
  keyring,
  mergeAccounts,
  acts,
  stepUp,
  securityLog,
  links,
  pushes,
  requests,
  requestLinks,
  outbox,
  limits,
  lacksFactor,
  settings: { pushes: pushSettings, files: fileSettings },
}: Dependencies) {
  const { deleteInBatches, dialect } = database;
  const identities = createIdentities(database, mergeAccounts, securityLog, stepUp, lacksFactor);
  const { setForWorkspace, ...settings } = createChatSettings({ database, settings: pushSettings });
  const linkRequests = createLinkRequests({ database, identities, outbox });
  const deduplication = createDeduplication(database);
  const workspaceRemoval = createWorkspaceRemoval(database);
  const { admit, readmit } = createAdmission({ identities, deduplication, limits });
  const { fallbackDefaults, formDefaults } = createFormDefaults({
    identities,
    settings,
    pushSettings,
    fileSettings,
  });
  const access = createWorkspaceAccess(settings, setForWorkspace);
  const chatPushes = createChatPushes({
    admit,
    access,
    formDefaults,
    identities,
    requests,
    pushes,
  });

  /** Deletes what has expired. */
  async function purge(isStopping?: () => boolean): Promise<void> {
    await links.purge(isStopping);
    await linkRequests.purge(isStopping);
    await requests.purge(isStopping);
    await deduplication.purge(isStopping);
    const expiredBefore = `${dialect.now} - ${messageRetentionMs}`;
    await deleteInBatches('chat_messages', 'created_at', expiredBefore, isStopping, 'subject_id');
  }

  return {
    admit,
    readmit,
    access,
    fallbackDefaults,
    formDefaults,
    pushes: { create: chatPushes.create },
    ...createComposing({
      chatPushes,
      formDefaults,
      identities,
      requests,
      links,
      pushes,
      outbox,
    }),
    ...createLinking({ links, linkRequests, stepUp }),
    ...createWorkspaceActivity({ database, admit, access, links, pushes }),
    linkRequests,
    provedLinks: createProvedLinks({ database, links, linkRequests, identities, stepUp }),
    identities,
    settings,
    requests,
    requestSecret: createSecretRequesting({ admit, identities, requests }),
    requestSchema: secretRequestSchema,
    createRequestLink: createRequestLinking({
      admit,
      access,
      formDefaults,
      requestLinks,
      settings: pushSettings,
    }),
    links,
    installations: createInstallations({ database, keyring, removal: workspaceRemoval, acts }),
    workspaceRemoval,
    deduplication,
    commandRegistrations: createCommandRegistrations(database),
    messages: createChatMessages(database),
    purge,
  };
}

import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { BeginUpload } from '../files/uploads.ts';
import type { Limits } from '../limits/limits.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Pushes } from '../pushes/pushes.ts';
import type { Requests } from '../requests/requests.ts';
import type { DomainSettings } from '../settings.ts';
import { createAdmission } from './admission.ts';
import { createChatMessages } from './chatMessages.ts';
import { createCommandRegistrations } from './commandRegistrations.ts';
import { createComposing } from './compose.ts';
import { createChatPushes } from './createPush.ts';
import { createDeduplication } from './deduplication.ts';
import { createFormDefaults } from './formDefaults.ts';
import { createIdentities } from './identities/identities.ts';
import { createInstallations } from './installations.ts';
import { createLinking } from './linking.ts';
import { createLinkRequests } from './linkRequests.ts';
import type { OneTimeLinks } from './oneTimeLinks.ts';
import { createSecretRequesting, secretRequestSchema } from './requestSecret.ts';
import { createChatSettings } from './settings.ts';
import { createWorkspaceAccess } from './workspaceAccess.ts';
import { createWorkspaceActivity } from './workspaceActivity.ts';
import { createWorkspaceRemoval } from './workspaceRemoval.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  links: OneTimeLinks;
  pushes: Pushes;
  beginUpload: BeginUpload;
  requests: Requests;
  outbox: Outbox;
  limits: Limits;
  settings: Pick<DomainSettings, 'pushes' | 'files'>;
};

const messageRetentionMs = 400 * dayMs;

/** What only chats need: identities, settings, one-time links, installations, and creating pushes from a chat. */
export function createChat({
  database,
  keyring,
  links,
  pushes,
  beginUpload,
  requests,
  outbox,
  limits,
  settings: { pushes: pushSettings, files: fileSettings },
}: Dependencies) {
  const { deleteInBatches, dialect } = database;
  const identities = createIdentities(database);
  const settings = createChatSettings(database, pushSettings);
  const linkRequests = createLinkRequests({ database, identities, outbox });
  const deduplication = createDeduplication(database);
  const workspaceRemoval = createWorkspaceRemoval(database);
  const admit = createAdmission({ identities, deduplication, limits });
  const { fallbackDefaults, formDefaults } = createFormDefaults({
    identities,
    settings,
    pushSettings,
    fileSettings,
  });
  const access = createWorkspaceAccess(settings);
  const chatPushes = createChatPushes({
    admit,
    access,
    formDefaults,
    identities,
    requests,
    pushes,
    beginUpload,
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
      beginUpload,
      outbox,
    }),
    ...createLinking({ links, linkRequests }),
    ...createWorkspaceActivity({ database, admit, links, pushes }),
    linkRequests,
    identities,
    settings,
    requests,
    requestSecret: createSecretRequesting({ admit, identities, requests }),
    requestSchema: secretRequestSchema,
    links,
    installations: createInstallations(database, keyring, workspaceRemoval),
    workspaceRemoval,
    deduplication,
    commandRegistrations: createCommandRegistrations(database),
    messages: createChatMessages(database),
    purge,
  };
}

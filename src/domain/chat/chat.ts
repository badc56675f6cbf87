import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { Limits } from '../limits.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Pushes } from '../pushes/pushes.ts';
import type { Requests } from '../requests/requests.ts';
import type { PushSettings } from '../settings.ts';
import { createChatMessages } from './chatMessages.ts';
import { createChatPushes } from './chatPushes.ts';
import { createDeduplication } from './deduplication.ts';
import { createIdentities } from './identities/identities.ts';
import { createInstallations } from './installations.ts';
import { createLinking } from './linking.ts';
import { createOneTimeLinks } from './oneTimeLinks.ts';
import { createChatSettings } from './settings.ts';

type Dependencies = {
  database: Database;
  keyring: Keyring;
  pushes: Pushes;
  requests: Requests;
  outbox: Outbox;
  limits: Limits;
  pushSettings: PushSettings;
};

const messageRetentionMs = 400 * dayMs;

/** What only chats need: who speaks, what they prefer, what they ask for, where the app is installed. */
export function createChat({
  database,
  keyring,
  pushes,
  requests,
  outbox,
  limits,
  pushSettings,
}: Dependencies) {
  const { deleteInBatches, dialect } = database;
  const identities = createIdentities(database);
  const settings = createChatSettings(database, pushSettings);
  const links = createOneTimeLinks(database, keyring);
  const deduplication = createDeduplication(database);
  const chatPushes = createChatPushes({
    identities,
    settings,
    requests,
    links,
    deduplication,
    pushes,
    outbox,
    limits,
    pushSettings,
  });

  /** Forgets what nobody can come back to. */
  async function purge(isStopping?: () => boolean): Promise<void> {
    await links.purge(isStopping);
    await requests.purge(isStopping);
    await deduplication.purge(isStopping);
    const tooOld = `${dialect.now} - ${messageRetentionMs}`;
    await deleteInBatches('chat_messages', 'created_at', tooOld, isStopping, 'subject_id');
  }

  return {
    ...chatPushes,
    ...createLinking({ links, identities }),
    identities,
    settings,
    requests,
    links,
    installations: createInstallations(database, keyring),
    deduplication,
    messages: createChatMessages(database),
    purge,
  };
}

import type { Database } from '../database.ts';
import type { Keyring } from '../keyring.ts';
import type { PushSettings } from '../settings.ts';
import { createDeduplication } from './deduplication.ts';
import { createIdentities } from './identities.ts';
import { createInstallations } from './installations.ts';
import { createOneTimeLinks } from './oneTimeLinks.ts';
import { createRequests } from './requests.ts';
import { createChatSettings } from './settings.ts';

type Parts = { database: Database; keyring: Keyring; settings: PushSettings };

/** What only chats need: who speaks, what they prefer, what they ask for, where the app is installed. */
export function createChat({ database, keyring, settings }: Parts) {
  return {
    identities: createIdentities(database),
    settings: createChatSettings(database, settings),
    requests: createRequests(database, keyring),
    links: createOneTimeLinks(database, keyring),
    installations: createInstallations(database, keyring),
    deduplication: createDeduplication(database),
  };
}

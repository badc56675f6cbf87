import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import type { Outbox } from '../notices/outbox.ts';
import { createRequestCreation } from './create.ts';
import { createRequestEnding } from './end.ts';
import { createRequestFinder } from './find.ts';
import { createAccountRequests } from './ofAccount.ts';

export type Requests = ReturnType<typeof createRequests>;

/** Requests for secrets between people in a chat. Owns the table requests. */
export function createRequests(database: Database, keyring: Keyring, outbox: Outbox) {
  const { deleteInBatches, dialect } = database;
  const finder = createRequestFinder(database, keyring);
  const { maybeFind, list, requireOpen } = finder;
  return {
    create: createRequestCreation({ database, keyring, outbox, finder }),
    maybeFind,
    list,
    requireOpen,
    ...createAccountRequests(database, keyring),
    ...createRequestEnding({ database, outbox, finder }),
    /** Deletes expired requests. */
    purge: (isStopping?: () => boolean) => deleteInBatches('requests', 'expires_at', dialect.now, isStopping),
  };
}

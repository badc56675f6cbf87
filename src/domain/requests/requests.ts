import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { Outbox } from '../notices/outbox.ts';
import { createRequestCreation } from './create.ts';
import { createRequestEnding } from './end.ts';
import { createRequestFinder } from './find.ts';
import { createAccountRequests } from './ofAccount.ts';
import { createRequestSweep } from './sweep.ts';

/** Their end is kept for as long as notices of it may take. */
const retentionMs = 7 * dayMs;

export type Requests = ReturnType<typeof createRequests>;

/** Requests for secrets between people in a chat. Owns the table requests. */
export function createRequests(database: Database, keyring: Keyring, outbox: Outbox) {
  const { deleteInBatches, dialect } = database;
  const finder = createRequestFinder(database, keyring);
  const { maybeFind, list, unansweredOf, requireOpen } = finder;
  const sweep = createRequestSweep({ database, outbox });

  /** Ends requests that nobody answered in time, and deletes those that ended so long ago. */
  async function purge(isStopping?: () => boolean): Promise<void> {
    await sweep(isStopping);
    await deleteInBatches('requests', 'expires_at', `${dialect.now} - ${retentionMs}`, isStopping);
  }

  return {
    create: createRequestCreation({ database, keyring, outbox, finder }),
    maybeFind,
    list,
    unansweredOf,
    requireOpen,
    ...createAccountRequests(database, keyring),
    ...createRequestEnding({ database, outbox, finder }),
    sweep,
    purge,
  };
}

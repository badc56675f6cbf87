import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../database/database.ts';
import { dayMs } from '../../time.ts';
import type { Outbox } from '../outbox/index.ts';
import { createRequestCreation } from './create.ts';
import { createRequestEnding } from './end.ts';
import { createAccountRequests, createRequestFinder } from './find.ts';
import { createRequestSweep } from './sweep.ts';

/** Their end is kept for as long as notices of it may take. */
const retentionMs = 7 * dayMs;

export type Requests = ReturnType<typeof createRequests>;

type Dependencies = { database: Database; keyring: Keyring; outbox: Outbox };

/** Requests for secrets between people in a chat. Owns the table requests. */
export function createRequests({ database, keyring, outbox }: Dependencies) {
  const { deleteInBatches, dialect } = database;
  const finder = createRequestFinder({ database, keyring });
  const { maybeFind, list, unansweredOf, requireOpen } = finder;
  const sweep = createRequestSweep({ database, outbox });

  /** Ends overdue requests, and deletes those that ended long enough ago. */
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
    ...createAccountRequests({ database, keyring }),
    ...createRequestEnding({ database, outbox, finder }),
    sweep,
    purge,
  };
}

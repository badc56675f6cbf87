import { type Database, insertOf, type Statements } from '../../../database/database.ts';
import { pushesTable, type StoredPush } from '../tables.ts';

/** What nothing has happened to yet. */
const byDefault = ['viewsUsed', 'viewsReserved', 'expiredOn', 'deleted', 'purgeAt', 'damagedAt'] as const;

/** A row to insert, with the times that count from its creation: the database sets those by its clock. */
export type NewPush = Omit<
  StoredPush,
  (typeof byDefault)[number] | 'createdAt' | 'updatedAt' | 'expiresAt' | 'expiresAtMax' | 'dueAt'
> & { lifetimeMaxMs: number | null; dueInMs: number; payload: Buffer };

/** Inserts rows of pushes. */
export function createPushInsertion({ dialect: { now, returning } }: Database) {
  const insertionOf = insertOf(pushesTable, {
    byDefault,
    sql: {
      createdAt: returning(now),
      updatedAt: now,
      expiresAt: `${now} + $lifetimeMs`,
      expiresAtMax: `${now} + $lifetimeMaxMs`,
      dueAt: `${now} + $dueInMs`,
    },
  });

  /** Inserts pushes in one statement. Returns their time of creation by the database's clock. */
  return function insertPushes(newPushes: NewPush[], { insertReturning }: Statements): Promise<number> {
    const { sql, binds } = insertionOf(newPushes);
    return insertReturning(sql, 'created_at', binds);
  };
}

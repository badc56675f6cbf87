import type { Database } from '../../database/database.ts';

const pageSize = 500;

/** The names of files that belong to live pushes, in ascending order. */
export function createAttachedFiles({ select, dialect }: Database) {
  return async function* attachedFiles(): AsyncGenerator<string> {
    for (let after = ''; ; ) {
      const page = await select<{ object: string }>(
        `SELECT object FROM files WHERE object > $after AND label IS NOT NULL AND shred_at > ${dialect.now}
         ORDER BY object LIMIT ${pageSize}`,
        { after },
      );
      for (const { object } of page) yield object;
      after = page.at(-1)?.object ?? after;
      if (page.length < pageSize) return;
    }
  };
}

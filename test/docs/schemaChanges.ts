import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { connectDatabase } from '../../src/database/database.ts';
import type { Migration } from '../../src/database/migrations.ts';
import { createSchema } from '../../src/database/schema.ts';
import type { SchemaChanges } from '../../src/database/schemaCheck.ts';
import { schemaLines } from '../../src/database/schemaLines.ts';
import { freshSqlite } from '../harness/database.ts';

/** What each migration of a folder makes of the schema of an empty SQLite database. */
export async function schemaChanges(folder: string): Promise<SchemaChanges> {
  const { url, drop } = await freshSqlite();
  const database = connectDatabase(url, { poolSize: 1 });
  const changes: SchemaChanges = {};
  try {
    let before = await schemaLines(database);
    const files = readdirSync(folder).filter((file) => /^\d{4}-.*\.ts$/.test(file));
    for (const file of files.sort()) {
      const { up } = (await import(pathToFileURL(join(folder, file)).href)) as Migration;
      await up(createSchema(database));
      const after = await schemaLines(database);
      const removed = [...before].filter((line) => !after.has(line)).map((line) => `-${line}`);
      const added = [...after].filter((line) => !before.has(line));
      changes[file.replace('.ts', '')] = [...removed, ...added].sort();
      before = after;
    }
  } finally {
    await database.close();
    await drop();
  }
  return changes;
}

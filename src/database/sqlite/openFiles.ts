import { resolve } from 'node:path';
import { collectGarbage, memory, type OpenOptions } from './engine.ts';
import { createSqliteFile, type SqliteFile } from './store.ts';

const open = new Map<string, SqliteFile>();
/** Files that this process closed. */
const closedPaths = new Set<string>();

/** The store of a file, shared by all connections of this process. Each in-memory database has its own. */
export function openSqliteFile(filename: string, options: OpenOptions): SqliteFile {
  if (filename === memory) return createSqliteFile(memory, options, () => {});
  const path = resolve(filename);
  const key = options.readOnly ? `${path} read-only` : path;
  const known = open.get(key);
  if (known !== undefined) return known;
  if (closedPaths.has(path)) {
    collectGarbage(); // the file may have been replaced
    closedPaths.clear();
  }
  const store = createSqliteFile(path, options, () => {
    open.delete(key);
    closedPaths.add(path);
  });
  open.set(key, store);
  return store;
}

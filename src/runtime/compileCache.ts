import * as nodeModule from 'node:module';
import { join } from 'node:path';

/** Node has it from version 22.8 on. */
type CompileCache = { enableCompileCache?: (folder: string) => unknown };

/**
 * Keeps what Node compiles beside the build, for the next start, where Node can and the folder is writable; a new build
 * replaces it. Not in the system's folder for temporary files, where other users might prepare it.
 */
export function useCompileCache(): void {
  const isBuilt = import.meta.filename.endsWith('.js');
  const { enableCompileCache } = nodeModule as CompileCache;
  if (isBuilt) enableCompileCache?.(join(import.meta.dirname, '../../.compile-cache'));
}

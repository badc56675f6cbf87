import { setFlagsFromString } from 'node:v8';
import { hasCompileCache, saveCompileCache } from './compileCache.ts';

/**
 * Keeps V8 from optimizing code until `endStartup`: most of what runs during a start runs only then, and its compiler leaves
 * holes in the memory of the C library. Not where Node has a compile cache, which V8 accepts under unchanged flags only.
 */
export function beginStartup(): void {
  if (!hasCompileCache) setFlagsFromString('--no-opt');
}

/** For when all that a process needs to serve is loaded. */
export function endStartup(): void {
  if (!hasCompileCache) setFlagsFromString('--opt');
  saveCompileCache();
}

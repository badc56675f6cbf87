#!/usr/bin/env node
import { runCommandLine } from './cli/program.ts';
import { useCompileCache } from './runtime/startup.ts';

useCompileCache();
// Most commands need no server, and some no database: each part is loaded when a command needs it.
await runCommandLine({
  openService: async (...args) => (await import('./service.ts')).openService(...args),
  start: async (config) => (await import('./start.ts')).start(config),
  work: async (config) => (await import('./start.ts')).work(config),
});

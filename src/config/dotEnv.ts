import { lstatSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { ConfigError } from '../errors.ts';

/** A `.env`: where it is, and what it sets. */
export type DotEnv = { path: string; settings: Record<string, string> };

/**
 * Reads a `.env`; undefined if there is none. Throws ConfigError, which names the file and never quotes it, if it
 * cannot be read, or has a line that would be passed over.
 */
export function readDotEnv(path: string): DotEnv | undefined {
  const text = read(path);
  if (text === undefined) return undefined;
  const settings: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (!isUnderstood(line)) throw new ConfigError(`Line ${index + 1} of ${path} is not NAME=VALUE.`);
    // One by one: parseEnv of Node 20 takes an indented comment for the beginning of the next name.
    for (const [name, value = ''] of Object.entries(parseEnv(line.trim()))) settings[name] = value;
  }
  return { path, settings };
}

/** Not `process.loadEnvFile`, which reports a file that it may not read as one that does not exist. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && !isThere(path)) return undefined;
    throw new ConfigError(`The file ${path} cannot be read (${code}).`);
  }
}

/** Whether there is something, be it a link to nowhere. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isUnderstood(line: string): boolean {
  return /^\s*(#.*|(export\s+)?[^\s=#]+\s*=.*)?$/.test(line);
}

import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { askSecret } from './terminal.ts';

/**
 * The secret: from a file, from standard input, or asked for at a terminal. It is never an argument, which other users
 * of the machine could read. A single line loses its line break; several lines are kept byte for byte.
 */
export async function readSecret(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) {
    const secret = await askSecret('Secret: ');
    if (secret === '') throw new Error('Nothing was entered, and nothing was pushed.');
    return secret;
  }
  const isInput = file === undefined || file === '-';
  const bytes = isInput ? await buffer(process.stdin) : await readFile(file).catch(explainMissing);
  if (bytes.length === 0) throw new Error(`${isInput ? 'Standard input' : file} is empty.`);
  return withoutLastBreak(toText(bytes, isInput ? 'Standard input' : file));
}

/** The name is not repeated, because it may be a secret, passed as an argument by mistake. */
function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ENOENT') throw error;
  throw new Error(
    'There is no such file. To push text, pipe it in, or run hushpush push and enter it: other users can read arguments.',
  );
}

/** The first line of a file, such as one with a passphrase. */
export async function readLine(file: string): Promise<string> {
  const [line = ''] = (await readFile(file, 'utf8')).split(/\r?\n/);
  return line;
}

function toText(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${source} is not text. To send a file as it is, use --attach.`);
  }
}

const withoutLastBreak = (text: string) => text.replace(/^([^\r\n]+)\r?\n$/, '$1');

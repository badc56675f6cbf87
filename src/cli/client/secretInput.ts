import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { askSecret, requireTerminal } from './terminal.ts';

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

export type PassphraseOptions = { passphrase?: true | undefined; passphraseFile?: string | undefined };

/** The passphrase that these options name: the first line of a file, or what `ask` gets at the terminal. Undefined without them. */
export async function readPassphrase(
  { passphrase, passphraseFile }: PassphraseOptions,
  ask: () => Promise<string>,
): Promise<string | undefined> {
  if (!passphrase && passphraseFile === undefined) return undefined;
  if (passphraseFile === undefined) requireTerminal('Use --passphrase-file.');
  const read = passphraseFile === undefined ? await ask() : await readLine(passphraseFile);
  if (read === '') throw new Error('The passphrase is empty.');
  return read;
}

function toText(bytes: Buffer, source: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${source} is not text. To send a file as it is, use --attach.`);
  }
}

const withoutLastBreak = (text: string) => text.replace(/^([^\r\n]+)\r?\n$/, '$1');

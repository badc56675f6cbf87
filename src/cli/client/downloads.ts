import { openAsBlob } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import {
  type AttachedFile,
  ConnectionError,
  decryptFile,
  type PushClient,
  safeFilename,
} from '../../client/client.ts';
import { growingDelay, retry } from '../../retry.ts';
import { CancelledError } from '../cancelled.ts';
import { ClientCommandError } from './failure.ts';
import { createProgress } from './progress.ts';
import { note } from './terminal.ts';

/** What encrypted files are: the key, and their names. */
type Decryption = { key: string; files: AttachedFile[] };
type Options = { folder: string; quiet?: true; decryption?: Decryption };
type SaveOptions = Options & { signal: AbortSignal };
type Target = { handle: FileHandle; onProgress(bytes: number): void; signal: AbortSignal };

/** Saves the files of a push in a folder. They cannot be retrieved again later, so it says where the rest is if it fails. */
export async function saveFiles(client: PushClient, files: AttachedFile[], options: Options): Promise<void> {
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort(new CancelledError());
  process.once('SIGINT', cancel);
  const rest = [...files];
  try {
    for (const [index, file] of files.entries()) {
      const path = await saveFile(client, file, { ...options, signal: cancellation.signal });
      const saved = options.decryption ? await decryptSaved(path, index, options.decryption, options) : path;
      note(`Saved ${saved}.`, options);
      rest.shift();
    }
  } catch (error) {
    const lines = rest.map(({ filename, url }) => `  ${safeName(filename)}  ${url ?? 'has no address'}`);
    note(['Not complete; for a few minutes, these can be downloaded:', ...lines].join('\n'));
    throw error;
  } finally {
    process.off('SIGINT', cancel);
  }
}

/** Leaves nothing behind if it fails. */
async function saveFile(client: PushClient, file: AttachedFile, options: SaveOptions): Promise<string> {
  if (file.url === null)
    throw new ClientCommandError(`The server has no address of its own for ${safeName(file.filename)}.`, {
      code: 'foreign',
    });
  const { handle, path } = await createFile(options.folder, safeName(file.filename));
  const progress = createProgress(path, file.size, options);
  let isWhole = false;
  try {
    await download(client, file, { handle, onProgress: progress.update, signal: options.signal });
    isWhole = true;
  } finally {
    progress.end();
    await handle.close();
    if (!isWhole) await rm(path);
  }
  return path;
}

/** Decrypts a saved file beside itself, and removes it. What cannot be decrypted leaves nothing behind. */
async function decryptSaved(
  path: string,
  index: number,
  { key, files }: Decryption,
  { folder }: Options,
): Promise<string> {
  const target = await createFile(folder, safeName(files[index]?.filename ?? ''));
  let isWhole = false;
  try {
    const sealed = (await openAsBlob(path)).stream();
    for await (const chunk of decryptFile(key, index + 1, sealed)) await target.handle.write(chunk);
    isWhole = true;
  } finally {
    await target.handle.close();
    await rm(path);
    if (!isWhole) await rm(target.path);
  }
  return target.path;
}

/** Continues where a broken connection ended. */
async function download(
  client: PushClient,
  file: AttachedFile,
  { handle, onProgress, signal }: Target,
): Promise<void> {
  let written = 0;

  async function receive(): Promise<void> {
    const response = await client.download(file, { fromByte: written, signal });
    if (response.status !== 206) written = 0;
    else requireStart(response, written);
    requireSize(file, written + (announcedBytes(response) ?? file.size - written));
    for await (const chunk of response.body ?? []) {
      if (written + chunk.length > file.size) requireSize(file, written + chunk.length);
      await handle.write(chunk, 0, chunk.length, written);
      written += chunk.length;
      onProgress(written);
    }
    if (written < file.size)
      throw new ConnectionError('unreachable', `The download of ${safeName(file.filename)} broke off.`);
  }

  await retry(receive, {
    signal,
    attempts: 8,
    delayMs: growingDelay(500, 10_000),
    // A body that breaks off is a TypeError of fetch.
    isRetryable: (error) =>
      error instanceof TypeError ||
      (error instanceof ConnectionError && ['unreachable', 'timeout'].includes(error.code)),
  });
}

/** How many bytes a response is going to have; undefined if it does not say, or is compressed on the way. */
function announcedBytes({ headers }: Response): number | undefined {
  const length = headers.get('content-length');
  return length === null || headers.has('content-encoding') ? undefined : Number(length);
}

/** A part that begins elsewhere would make another file of it. */
function requireStart({ headers }: Response, byte: number): void {
  const range = headers.get('content-range');
  if (range === null || range.startsWith(`bytes ${byte}-`)) return;
  throw new ClientCommandError(`The server was asked for the bytes from ${byte} on, and sends ${range}.`, {
    code: 'foreign',
  });
}

function requireSize({ filename, size }: AttachedFile, bytes: number): void {
  if (bytes === size) return;
  const amount = bytes > size ? 'more' : 'less';
  throw new ClientCommandError(
    `The server sends ${amount} of ${safeName(filename)} than its ${size} bytes.`,
    { code: 'foreign' },
  );
}

/** The last part of a name, harmless, and of a file that is not hidden. */
export function safeName(filename: string): string {
  const name = basename(filename.replaceAll('\\', '/'));
  return name === '' ? 'file' : safeFilename(name).replace(/^\.+/, '_');
}

/** A new file; a number keeps it apart from one with the same name. */
async function createFile(folder: string, name: string): Promise<{ handle: FileHandle; path: string }> {
  const end = extname(name);
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? name : `${name.slice(0, name.length - end.length)} (${number})${end}`;
    const path = join(folder, numbered);
    try {
      return { handle: await open(path, 'wx', 0o600), path };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

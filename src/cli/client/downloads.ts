import { openAsBlob } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type AttachedFile, ConnectionError, decryptFile, type PushClient } from '../../client/client.ts';
import { growingDelay, retry } from '../../retry.ts';
import { CancelledError } from '../cancelled.ts';
import { createProgress } from './progress.ts';
import { note, visible } from './terminal.ts';

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
    const lines = rest.map(({ filename, url }) => `  ${safeName(filename)}  ${visible(url ?? '')}`);
    note(['Not complete; for a few minutes, these can be downloaded:', ...lines].join('\n'));
    throw error;
  } finally {
    process.off('SIGINT', cancel);
  }
}

async function saveFile(client: PushClient, file: AttachedFile, options: SaveOptions): Promise<string> {
  const { handle, path } = await createFile(options.folder, safeName(file.filename));
  const progress = createProgress(path, file.size, options);
  try {
    await download(client, file, { handle, onProgress: progress.update, signal: options.signal });
  } finally {
    progress.end();
    await handle.close();
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
    for await (const chunk of response.body ?? []) {
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
    isRetryable: (error) => error instanceof ConnectionError || error instanceof TypeError,
  });
}

/** The last part of a name, without what hides a file or controls a terminal. */
export function safeName(filename: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not reach the terminal
  const name = basename(filename.replaceAll('\\', '/')).replace(/[\u0000-\u001f\u007f-\u009f]/g, '_');
  return name.replace(/^\.+/, '_') || 'file';
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

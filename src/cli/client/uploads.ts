import { openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { FileInput } from '../../client/client.ts';
import { createProgress } from './progress.ts';

/**
 * Opens the files of these paths, to send them. Those to encrypt are streams, so that no file is in memory as a whole; a stream
 * can be sent only once.
 */
export async function openFiles(paths: string[] = [], { isEncrypted }: { isEncrypted: boolean }) {
  const opened = await Promise.all(paths.map(openFile));
  const files = opened.map(
    ({ filename, blob }): FileInput => ({ filename, content: isEncrypted ? blob.stream() : blob }),
  );
  return { files, totalBytes: opened.reduce((sum, { blob }) => sum + blob.size, 0) };
}

async function openFile(path: string) {
  if (!(await stat(path)).isFile())
    throw new Error(`${path} is not a file. To attach a folder, pack it first.`);
  return { filename: basename(path), blob: await openAsBlob(path) };
}

/** Sends files, and draws how much of them was sent. */
export async function sendFiles<Sent>(
  totalBytes: number,
  options: { quiet?: true },
  send: (progress: { onProgress?: (sentBytes: number) => void }) => Promise<Sent>,
): Promise<Sent> {
  const progress = createProgress('Sending', totalBytes, options);
  try {
    // Counted bytes are sent without their length, which not every proxy takes.
    return await send(progress.isDrawn ? { onProgress: progress.update } : {});
  } finally {
    progress.end();
  }
}

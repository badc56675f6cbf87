import type { FileStore } from '../domain/index.ts';
import { createLocalStore } from './local.ts';
import type { S3Settings } from './s3.ts';

/** Opens the store that the settings name. It connects on first use, so a store that is out of reach does not stop the start. */
export async function openFileStore(settings: { folder: string } | S3Settings): Promise<FileStore> {
  if ('folder' in settings) return createLocalStore(settings.folder);
  const { createS3Store } = await import('./s3.ts'); // the SDK takes start-up time and memory
  return createS3Store(settings);
}

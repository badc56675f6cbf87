import type { FileStore } from '../domain/index.ts';
import { createLocalStore } from './local.ts';
import type { S3Settings } from './s3.ts';

/** Opens the configured store. It connects on first use, so an unreachable store does not prevent the start. */
export async function openFileStore(settings: { folder: string } | S3Settings): Promise<FileStore> {
  if ('folder' in settings) return createLocalStore(settings.folder);
  const { createS3Store } = await import('./s3.ts'); // the SDK costs start-up time and memory
  return createS3Store(settings);
}

import { type Config, filesFolderOf } from '../config.ts';
import type { FileStore } from '../domain/index.ts';
import { createLocalStore } from './local.ts';

/** The store that the settings name. Nothing is opened before it is needed, so a store that is away stops no start. */
export async function openFileStore(config: Config): Promise<FileStore> {
  if (config.FILES_URL === undefined) return createLocalStore(filesFolderOf(config));
  const { createS3Store } = await import('./s3.ts'); // the SDK takes time and memory that others can do without
  return createS3Store({
    ...config.FILES_URL,
    endpoint: config.AWS_ENDPOINT_URL_S3 ?? config.AWS_ENDPOINT_URL,
  });
}

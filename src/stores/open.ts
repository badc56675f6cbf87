import type { FileStore } from '../domain/index.ts';
import { SetupError } from '../errors.ts';
import { createLocalStore } from './local.ts';
import type { S3Settings } from './s3.ts';

const sdk = '@aws-sdk/client-s3';

/**
 * Opens the configured store. It connects on first use, so an unreachable store does not prevent the start. Throws
 * SetupError for a bucket if the SDK is not installed, which the package does not bring along.
 */
export async function openFileStore(settings: { folder: string } | S3Settings): Promise<FileStore> {
  if ('folder' in settings) return createLocalStore(settings.folder);
  const { createS3Store } = await import('./s3.ts').catch(explainMissing); // the SDK costs start-up time and memory
  return createS3Store(settings);
}

function explainMissing(error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes(`'${sdk}'`)) throw error;
  throw new SetupError(
    `FILES_URL is a bucket, which needs a package that is not installed. Install it beside hushpush: npm install ${sdk}`,
  );
}

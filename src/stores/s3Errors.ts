import { S3ServiceException } from '@aws-sdk/client-s3';
import { unavailable } from '../domain/index.ts';

/** Does not include `NoSuchBucket`, which is a configuration error. */
const notFoundNames = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

/** For `catch`: null if an object does not exist. Rethrows all other errors. */
export function nullIfNotFound(error: unknown): null {
  if (error instanceof S3ServiceException && notFoundNames.has(error.name)) return null;
  throw error;
}

const unsupportedStatuses = new Set([400, 405, 501]);

/** Whether the store does not support a command. */
export function isUnsupported(error: unknown): boolean {
  return error instanceof S3ServiceException && unsupportedStatuses.has(statusOf(error));
}

/** Converts any error of the store, or of the connection to it, to a refusal. */
export function refuseS3(error: unknown): never {
  if (error instanceof S3ServiceException && (statusOf(error) === 507 || /quota|full/i.test(error.name)))
    throw unavailable('fileStoreFull', error, 60);
  throw unavailable('fileStoreUnreachable', error);
}

function statusOf({ $metadata }: S3ServiceException): number {
  return $metadata.httpStatusCode ?? 0;
}

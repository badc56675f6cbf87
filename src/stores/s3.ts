import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import type { FileStore } from '../domain/index.ts';
import { refusing } from './refusing.ts';
import { isUnsupported, nullIfNotFound, refuseS3 } from './s3Errors.ts';
import { clientOptions, commandOptions } from './s3Options.ts';
import { uploadObject } from './s3Upload.ts';

/**
 * `endpoint` is for stores other than Amazon's. Requests to them use the path `ENDPOINT/BUCKET/KEY`, which all
 * support.
 */
export type S3Settings = { bucket: string; prefix: string; endpoint?: string | undefined };

/** Stores files in a bucket. The SDK finds credentials, region and proxies like the AWS command line. */
export function createS3Store({ bucket, prefix, endpoint }: S3Settings): FileStore {
  const client = new S3Client({
    ...clientOptions,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const objectOf = (name: string) => ({ Bucket: bucket, Key: prefix + name });

  async function put(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    await uploadObject(client, objectOf(name), bytes, () => remove(name));
  }

  async function read(name: string, { start, end }: { start: number; end: number }) {
    const Range = `bytes=${start}-${end - 1}`;
    const found = await client.send(new GetObjectCommand({ ...objectOf(name), Range })).catch(nullIfNotFound);
    return found && refusing(found.Body as AsyncIterable<Buffer>, refuseS3); // a Readable, in Node
  }

  async function sizeOf(name: string): Promise<number | null> {
    const found = await client
      .send(new HeadObjectCommand(objectOf(name)), commandOptions)
      .catch(nullIfNotFound);
    return found && Number(found.ContentLength);
  }

  async function remove(name: string): Promise<void> {
    await client.send(new DeleteObjectCommand(objectOf(name)), commandOptions);
    for (const { Key, UploadId } of await unfinishedUploads(name)) {
      const upload = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await client.send(upload, commandOptions).catch(nullIfNotFound);
    }
  }

  /**
   * Uploads that were neither completed nor aborted. Empty for stores that cannot list them; some abort them
   * automatically.
   */
  async function unfinishedUploads(namePrefix: string) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix + namePrefix });
    const { Uploads = [] } = await client.send(command, commandOptions).catch((error) => {
      if (isUnsupported(error)) return { Uploads: [] };
      throw error;
    });
    return Uploads;
  }

  /** Objects and unfinished uploads, in the order of their names. */
  async function* list(namePrefix: string) {
    const partial = (await unfinishedUploads(namePrefix)).map(({ Key, Initiated }) => entry(Key, Initiated));
    const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix + namePrefix });
    for await (const { Contents = [] } of pages) {
      for (const { Key, LastModified } of Contents) {
        const whole = entry(Key, LastModified);
        yield* partial.splice(0, partial.filter(({ name }) => name < whole.name).length);
        yield whole;
      }
    }
    yield* partial;
  }

  function entry(key = '', changed = new Date(0)) {
    return { name: key.slice(prefix.length), changedAt: changed.getTime() };
  }

  return {
    location: `s3://${bucket}/${prefix}`,
    put: (name, bytes) => put(name, bytes).catch(refuseS3),
    read: (name, span) => read(name, span).catch(refuseS3),
    sizeOf: (name) => sizeOf(name).catch(refuseS3),
    remove: (name) => remove(name).catch(refuseS3),
    list: (namePrefix) => refusing(list(namePrefix), refuseS3),
  };
}

import type { Agent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type FileStore, inParts, unavailable } from '../domain/index.ts';
import { minuteMs } from '../time.ts';
import { refusing } from './refusing.ts';

/** `endpoint` is for stores other than Amazon's. Requests to them use the path `ENDPOINT/BUCKET/KEY`, which all support. */
export type S3Settings = {
  bucket: string;
  prefix: string;
  endpoint?: string | undefined;
  /** The agent for requests to an address, where they do not go out directly. */
  agentOf?: (url: URL) => Agent | undefined;
};

/** What stands for the addresses of all buckets at Amazon. */
const amazon = 'https://amazonaws.com';

/** For a request without a part, and its response. */
const commandOptions = { requestTimeout: 5_000 };

/** S3 accepts at most 10,000 parts, each of at least 5 MiB except the last. */
const partBytes = 8 * 1024 * 1024;

/** For a request with a part, and its response. */
const partOptions = { requestTimeout: 30_000 };

type S3Object = { Bucket: string; Key: string };
type Part = { ETag: string | undefined; PartNumber: number };

/** Stores files in a bucket. The SDK finds credentials and region like the AWS command line. */
export function createS3Store({ bucket, prefix, endpoint, agentOf }: S3Settings): FileStore {
  const agent = agentOf?.(new URL(endpoint ?? amazon));
  const client = new S3Client({
    // Requests that fail, or return status 500 or 503, are retried with increasing delays: three attempts in all.
    maxAttempts: 3,
    // Every frame is authenticated anyway, and many stores do not support the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: 3_000,
      socketTimeout: minuteMs, // a slow reader leaves a connection idle
      throwOnRequestTimeout: true,
      ...(agent && { httpAgent: agent, httpsAgent: agent as HttpsAgent }),
    },
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const objectOf = (name: string) => ({ Bucket: bucket, Key: prefix + name });

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

  /** Uploads that were neither completed nor aborted. Empty for stores that cannot list them; some abort them automatically. */
  async function unfinishedUploads(namePrefix: string) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix + namePrefix });
    const { Uploads = [] } = await client.send(command, commandOptions).catch((error) => {
      if (error instanceof S3ServiceException && unsupportedStatuses.has(statusOf(error)))
        return { Uploads: [] };
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
    put: (name, bytes) => uploadObject(client, objectOf(name), bytes, () => remove(name)).catch(refuseS3),
    read: (name, span) => read(name, span).catch(refuseS3),
    sizeOf: (name) => sizeOf(name).catch(refuseS3),
    remove: (name) => remove(name).catch(refuseS3),
    list: (namePrefix) => refusing(list(namePrefix), refuseS3),
  };
}

/**
 * Uploads an object: in one request if it fits into one part, otherwise in parts. Holds two parts in memory. Calls
 * `cleanUp` after a failed upload.
 */
async function uploadObject(
  client: S3Client,
  object: S3Object,
  bytes: AsyncIterable<Buffer>,
  cleanUp: () => Promise<void>,
): Promise<void> {
  const parts = inParts(bytes, partBytes);
  const [first = Buffer.alloc(0), second] = [await nextPart(parts), await nextPart(parts)];
  try {
    if (second === undefined)
      await client.send(new PutObjectCommand({ ...object, Body: first }), partOptions);
    else await uploadParts(client, object, { firstParts: [first, second], rest: parts });
  } catch (error) {
    await parts.return(undefined);
    await cleanUp().catch(() => {}); // The object may be stored although the response was lost.
    throw error;
  }
}

async function uploadParts(
  client: S3Client,
  object: S3Object,
  { firstParts, rest }: { firstParts: Buffer[]; rest: AsyncIterable<Buffer> },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object), commandOptions);
  const upload = { ...object, UploadId };
  const sent: Promise<Part>[] = [];
  /** Waits for the previous part: one part is sent while the next is collected. */
  async function send(Body: Buffer): Promise<void> {
    await sent.at(-1);
    const PartNumber = sent.length + 1;
    const part = client
      .send(new UploadPartCommand({ ...upload, PartNumber, Body }), partOptions)
      .then(({ ETag }) => ({ ETag, PartNumber }));
    part.catch(() => {}); // rethrown to the next caller that waits for it
    sent.push(part);
  }
  try {
    for (const part of firstParts) await send(part);
    for await (const part of rest) await send(part);
    const MultipartUpload = { Parts: await Promise.all(sent) };
    await client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload }), partOptions);
  } catch (error) {
    await Promise.allSettled(sent); // A part that arrives after its upload was aborted would remain.
    await client.send(new AbortMultipartUploadCommand(upload), commandOptions).catch(() => {});
    throw error;
  }
}

async function nextPart(parts: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}

/** Of a store that does not support a command. */
const unsupportedStatuses = new Set([400, 405, 501]);
/** Does not include `NoSuchBucket`, which is a configuration error. */
const notFoundNames = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

/** For `catch`: null if an object does not exist. Rethrows all other errors. */
function nullIfNotFound(error: unknown): null {
  if (error instanceof S3ServiceException && notFoundNames.has(error.name)) return null;
  throw error;
}

/** Converts any error of the store, or of the connection to it, to a refusal. */
function refuseS3(error: unknown): never {
  if (error instanceof S3ServiceException && (statusOf(error) === 507 || /quota|full/i.test(error.name)))
    throw unavailable('fileStoreFull', error, 60);
  throw unavailable('fileStoreUnreachable', error);
}

function statusOf({ $metadata }: S3ServiceException): number {
  return $metadata.httpStatusCode ?? 0;
}

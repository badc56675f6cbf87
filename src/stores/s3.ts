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
import { type FileStore, unavailable } from '../domain/index.ts';
import { minuteMs } from '../time.ts';

/** `endpoint` is for stores that are not Amazon's; they are asked for `ENDPOINT/BUCKET/KEY`, which all of them understand. */
export type S3Settings = { bucket: string; prefix: string; endpoint?: string | undefined };

/** S3 takes parts of 5 MiB and more, and 10,000 of them. */
const partBytes = 8 * 1024 * 1024;

/** A request that is answered with 503 or 500, or not at all, is sent again, later and later: three times in all. */
const attempts = 3;
const connectMs = 3_000;
/** For all of a request and its answer, where there is next to nothing to send; and where there is a part. */
const commandMs = 5_000;
const partMs = 30_000;
/** A reader who takes his time keeps a connection idle. */
const idleMs = minuteMs;

type Part = { ETag: string | undefined; PartNumber: number };

/**
 * Keeps files in a bucket. What the rest of the connection needs (credentials, region, endpoint, proxies, profiles) the
 * SDK finds where all programs of Amazon's find it. Holds two parts of a file in memory, whatever the size of it.
 */
export function createS3Store({ bucket, prefix, endpoint }: S3Settings): FileStore {
  const client = new S3Client({
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    maxAttempts: attempts,
    // every frame is authenticated anyway; and many stores do not know the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: connectMs, socketTimeout: idleMs, throwOnRequestTimeout: true },
  });
  const commandOptions = { requestTimeout: commandMs };
  const partOptions = { requestTimeout: partMs };
  const objectOf = (name: string) => ({ Bucket: bucket, Key: prefix + name });

  async function put(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const parts = inParts(bytes);
    const [first = Buffer.alloc(0), second] = [await nextPart(parts), await nextPart(parts)];
    try {
      if (second !== undefined) await putParts(name, [first, second], parts);
      else await client.send(new PutObjectCommand({ ...objectOf(name), Body: first }), partOptions);
    } catch (error) {
      await parts.return(undefined);
      await remove(name).catch(() => {}); // it may be there in spite of an answer that was none
      throw error;
    }
  }

  async function putParts(name: string, firstParts: Buffer[], rest: AsyncIterable<Buffer>): Promise<void> {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(objectOf(name)), commandOptions);
    const upload = { ...objectOf(name), UploadId };
    const sent: Promise<Part>[] = [];
    /** One part is sent while the next one is gathered. */
    async function send(Body: Buffer): Promise<void> {
      await sent.at(-1);
      const PartNumber = sent.length + 1;
      const part = client
        .send(new UploadPartCommand({ ...upload, PartNumber, Body }), partOptions)
        .then(({ ETag }) => ({ ETag, PartNumber }));
      part.catch(() => {}); // seen by whoever waits for it next
      sent.push(part);
    }
    try {
      for (const part of firstParts) await send(part);
      for await (const part of rest) await send(part);
      const parts = await Promise.all(sent);
      await client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }),
        partOptions,
      );
    } catch (error) {
      await Promise.allSettled(sent); // a part that comes after the end of its upload would be kept
      await client.send(new AbortMultipartUploadCommand(upload), commandOptions).catch(() => {});
      throw error;
    }
  }

  async function read(name: string, { start, end }: { start: number; end: number }) {
    const Range = `bytes=${start}-${end - 1}`;
    const found = await client.send(new GetObjectCommand({ ...objectOf(name), Range })).catch(absentAsNull);
    return found && refusing(found.Body as AsyncIterable<Buffer>); // a stream of Node's, in Node
  }

  async function sizeOf(name: string): Promise<number | null> {
    const found = await client
      .send(new HeadObjectCommand(objectOf(name)), commandOptions)
      .catch(absentAsNull);
    return found && Number(found.ContentLength);
  }

  async function remove(name: string): Promise<void> {
    await client.send(new DeleteObjectCommand(objectOf(name)), commandOptions);
    for (const { Key, UploadId } of await unfinished(name)) {
      const upload = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
      await client.send(upload, commandOptions).catch(absentAsNull);
    }
  }

  /** Uploads that were neither completed nor aborted. Not every store can tell of them: some end them by themselves. */
  async function unfinished(namePrefix: string) {
    const asked = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix + namePrefix });
    const { Uploads = [] } = await client.send(asked, commandOptions).catch((error) => {
      if (error instanceof S3ServiceException && unsupported.has(statusOf(error))) return { Uploads: [] };
      throw error;
    });
    return Uploads;
  }

  async function* list(namePrefix: string) {
    const partial = (await unfinished(namePrefix)).map(({ Key, Initiated }) => entry(Key, Initiated));
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
    put: (name, bytes) => put(name, bytes).catch(refuse),
    read: (name, span) => read(name, span).catch(refuse),
    sizeOf: (name) => sizeOf(name).catch(refuse),
    remove: (name) => remove(name).catch(refuse),
    list: (namePrefix) => refusing(list(namePrefix)),
  };
}

/** Gathers what comes into parts of equal size, but for the last. The buffer of a part is that of the next but one, too. */
async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let part: Buffer = Buffer.allocUnsafe(partBytes);
  let next: Buffer | undefined;
  let filled = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const copied = chunk.copy(part, filled, at);
      filled += copied;
      at += copied;
      if (filled < partBytes) continue;
      yield part;
      [part, next] = [next ?? Buffer.allocUnsafe(partBytes), part];
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}

async function nextPart(parts: AsyncGenerator<Buffer>): Promise<Buffer | undefined> {
  const { done, value } = await parts.next();
  return done ? undefined : value;
}

const unsupported = new Set([400, 405, 501]);

function statusOf({ $metadata }: S3ServiceException): number {
  return $metadata.httpStatusCode ?? 0;
}

/** A bucket that is not there is a mistake in the settings instead. */
const absences = new Set(['NoSuchKey', 'NotFound', 'NoSuchUpload']);

function absentAsNull(error: unknown): null {
  if (error instanceof S3ServiceException && absences.has(error.name)) return null;
  throw error;
}

async function* refusing<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    refuse(error);
  }
}

/** Whatever the store or the way there fails of. */
function refuse(error: unknown): never {
  if (error instanceof S3ServiceException && (statusOf(error) === 507 || /quota|full/i.test(error.name)))
    throw unavailable('fileStoreFull', error, 60);
  throw unavailable('fileStoreUnreachable', error);
}

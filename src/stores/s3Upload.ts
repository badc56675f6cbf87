import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { inParts } from '../domain/index.ts';
import { commandOptions } from './s3Options.ts';

/** S3 accepts at most 10,000 parts, each of at least 5 MiB except the last. */
const partBytes = 8 * 1024 * 1024;

/** For a request with a part, and its response. */
const partOptions = { requestTimeout: 30_000 };

type S3Object = { Bucket: string; Key: string };
type Part = { ETag: string | undefined; PartNumber: number };

/**
 * Uploads an object: in one request if it fits into one part, otherwise in parts. Holds two parts in memory. Calls
 * `cleanUp` after a failed upload.
 */
export async function uploadObject(
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

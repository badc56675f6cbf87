import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { malformed } from './errors.ts';
import { joined, tooLarge } from './intake.ts';
import { emptyTree, type FormTree, plant } from './names.ts';
import { type PartHeaders, readPartHead } from './partHead.ts';
import { decodeUtf8 } from './text.ts';

/** A file that came with a form. `filename` is the client's word for it, without a path. */
export type UploadedPart = { field: string; filename: string; contentType: string };

/** A file while it arrives. */
export type FilePart = UploadedPart & { stream: Readable };

/**
 * Takes a file while it arrives; the request waits for its reader, and what it leaves unread is read away. To refuse
 * the file it throws, and the body is refused with that very error. When the body fails otherwise, the stream is
 * destroyed, and the caller learns of it only after every call has settled: then none of them still writes.
 */
export type OnFile = (file: FilePart) => Promise<unknown>;

/** What a form with files said: values nested by their names, and files apart. */
export type Multipart = { values: FormTree; files: UploadedPart[] };

/** Takes parts in their order. `take` settles when the part is over; `result` may be asked after all have. */
export function createParts({ textBytesMax, onFile }: { textBytesMax: number; onFile: OnFile }) {
  const texts: { name: string; chunks: Buffer[] }[] = [];
  const files: UploadedPart[] = [];
  let textBytes = 0;

  async function take(stream: Readable, headers: PartHeaders): Promise<void> {
    const head = readPartHead(headers);
    if (head.kind === 'text') return takeText(stream, head.name);
    // A browser sends this for a file input in which nothing was chosen.
    if (head.file.filename === '') return requireEmpty(stream);
    files.push(head.file);
    await onFile({ ...head.file, stream });
    await finished(stream.resume());
  }

  async function takeText(stream: AsyncIterable<Buffer>, name: string): Promise<void> {
    const chunks: Buffer[] = [];
    texts.push({ name, chunks });
    for await (const bytes of stream) {
      textBytes += bytes.length;
      if (textBytes > textBytesMax) throw tooLarge();
      chunks.push(bytes);
    }
  }

  function result(): Multipart {
    const values = emptyTree();
    for (const { name, chunks } of texts)
      plant(values, name, decodeUtf8(joined(chunks), 'A value in the form'));
    return { values, files };
  }

  return { take, result };
}

async function requireEmpty(stream: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of stream) throw malformed('A file in the form has no name.');
}

import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { malformed } from './errors.ts';
import { joinChunks, tooLarge } from './intake.ts';
import { assignValue, emptyTree, type FormTree } from './names.ts';
import { type PartHeaders, readPartHead } from './partHead.ts';
import { decodeUtf8 } from './text.ts';

/** A file in a form. `filename` is as the client sent it, without a path. */
export type UploadedPart = { field: string; filename: string; contentType: string };

/** A file while it arrives. */
export type FilePart = UploadedPart & {
  stream: Readable;
  /** The values that precede it in the form. */
  valuesBefore(): Promise<FormTree>;
};

/**
 * Handles a file while it arrives. The request waits for the reader; what stays unread is drained. To refuse the file it
 * throws, and the body is refused with the same error. When the body fails otherwise, the stream is destroyed, and the
 * caller gets the error only after every call has settled, so that none of them still writes. Read with pipeline or
 * `for await`, which notice a destroyed stream even if they start late.
 */
export type OnFile = (file: FilePart) => Promise<unknown>;

/** A parsed form: its values nested by their names, and its files. */
export type Multipart = { values: FormTree; files: UploadedPart[] };

type Text = { name: string; chunks: Buffer[] };

/** `textBytesMax` limits all values that are not files together. */
export type PartsOptions = { textBytesMax: number; onFile: OnFile; pause: () => void; resume: () => void };

/** Collects parts in their order: `take` settles when a part has ended; call `result` after all have. */
export function createParts({ textBytesMax, onFile, pause, resume }: PartsOptions) {
  const texts: Text[] = [];
  const files: UploadedPart[] = [];
  const open = new Set<Readable>();
  const reading: Promise<void>[] = [];
  let textBytes = 0;

  async function take(part: Readable, headers: PartHeaders): Promise<void> {
    const head = readPartHead(headers);
    if (head.kind === 'text') {
      const text = takeText(part, head.name);
      reading.push(text);
      return text;
    }
    // Browsers send this for a file input without a file.
    if (head.file.filename === '') return requireEmpty(part);
    return takeFile(part, head.file);
  }

  async function takeText(part: AsyncIterable<Buffer>, name: string): Promise<void> {
    const chunks: Buffer[] = [];
    texts.push({ name, chunks });
    for await (const bytes of part) {
      textBytes += bytes.length;
      if (textBytes > textBytesMax) throw tooLarge();
      chunks.push(bytes);
    }
  }

  async function takeFile(part: Readable, file: UploadedPart): Promise<void> {
    files.push(file);
    const stream = new Readable({ read: resume });
    open.add(stream);
    stream.once('close', () => open.delete(stream)).once('close', resume);
    // It may not have a reader yet, or no longer.
    stream.on('error', () => {});
    part.on('end', () => stream.push(null));
    part.on('data', (bytes: Buffer) => {
      if (!stream.destroyed && !stream.push(bytes)) pause();
    });
    const before = { texts: texts.slice(), read: Promise.all(reading) };
    before.read.catch(() => {}); // the part itself reports its error
    const valuesBefore = () => before.read.then(() => valuesOf(before.texts));
    await onFile({ ...file, stream, valuesBefore });
    stream.resume();
    await finished(part);
  }

  /** Destroys the streams of files that are still arriving. */
  function abort(reason: Error): void {
    for (const stream of open) stream.destroy(reason);
  }

  function result(): Multipart {
    return { values: valuesOf(texts), files };
  }

  return { take, abort, result };
}

function valuesOf(texts: Text[]): FormTree {
  const values = emptyTree();
  for (const { name, chunks } of texts)
    assignValue(values, name, decodeUtf8(joinChunks(chunks), 'A value in the form'));
  return values;
}

async function requireEmpty(part: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of part) throw malformed('A file in the form has no name.');
}

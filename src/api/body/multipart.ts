import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { malformed } from './errors.ts';
import { type Flow, type IntakeLimits, receive, type Sink } from './intake.ts';
import { type PartHeaders, partHeaderBytesMax } from './partHead.ts';
import { createParts, type Multipart, type OnFile } from './parts.ts';

/** Limits of a form with files: `maxBytes` bounds all of it, `textBytesMax` the values that are not files. */
export type MultipartOptions = IntakeLimits & { textBytesMax: number; onFile: OnFile };

const partsMax = 60;

/** Reads multipart/form-data. */
export function readMultipart(
  req: IncomingMessage,
  boundary: string,
  options: MultipartOptions,
): Promise<Multipart> {
  return receive(req, options, (flow) => openParser(flow, boundary, options));
}

/**
 * Dicer, not the Busboy that is built upon it: Busboy replaces invalid UTF-8 in names, hides a part's charset from its
 * handlers, and tells nobody of headers that it cut.
 */
function openParser(flow: Flow<Multipart>, boundary: string, options: MultipartOptions): Sink {
  const settings = { boundary, maxHeaderSize: partHeaderBytesMax };
  const dicer = new Dicer(settings);
  const parts = createParts(options);
  const streams: Readable[] = [];
  const work: Promise<void>[] = [];
  let isClosed = false;
  let isEnded = false;
  let isAborted = false;

  function take(stream: Readable, headers: PartHeaders): void {
    if (isAborted) return;
    const part = parts.take(stream, headers);
    work.push(part);
    part.catch(flow.fail);
  }
  function complete(): void {
    if (!isClosed || !isEnded) return;
    if (work.length < streams.length) flow.fail(malformed('A part of the form has no complete headers.'));
    else Promise.all(work).then(parts.result).then(flow.done).catch(flow.fail);
  }

  dicer.on('part', (stream) => {
    streams.push(stream);
    // Dicer tells its own errors of the body to the open part too.
    stream.on('error', () => {});
    stream.on('header', (headers: PartHeaders) => take(stream, headers));
    if (streams.length > partsMax) flow.fail(malformed(`The form has more than ${partsMax} parts.`));
  });
  dicer.on('drain', flow.resume);
  dicer.on('error', () => flow.fail(malformed('The body is not valid multipart/form-data.')));
  // Comes with the closing boundary, perhaps long before the end of the body, and perhaps twice.
  dicer.on('finish', () => {
    isClosed = true;
    complete();
  });
  return {
    chunk: (bytes) => {
      if (!dicer.write(bytes)) flow.pause();
    },
    end: () => {
      isEnded = true;
      dicer.end();
      complete();
    },
    abort: (error) => {
      isAborted = true;
      const reason = error instanceof Error ? error : new Error('The body was refused.', { cause: error });
      for (const stream of streams) stream.destroy(reason);
      return Promise.allSettled(work);
    },
  };
}

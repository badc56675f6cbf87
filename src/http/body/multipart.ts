import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { malformed } from './errors.ts';
import { type Flow, type IntakeLimits, receiveBody, type Sink } from './intake.ts';
import { type PartHeaders, partHeaderBytesMax } from './partHead.ts';
import { createParts, type Multipart, type PartsOptions } from './parts.ts';

/** Limits of a form with files: `maxBytes` bounds all of it, `textBytesMax` the values that are not files. */
type MultipartOptions = IntakeLimits & Pick<PartsOptions, 'textBytesMax' | 'onFile'>;

const partsMax = 60;

/** Reads multipart/form-data. */
export function readMultipart(
  req: IncomingMessage,
  boundary: string,
  options: MultipartOptions,
): Promise<Multipart> {
  return receiveBody(req, options, (flow) => openParser(flow, boundary, options));
}

/**
 * Dicer, not the Busboy that is built upon it: Busboy replaces invalid UTF-8 in names, hides a part's charset from its
 * handlers, and tells nobody of headers that it cut.
 */
function openParser(flow: Flow<Multipart>, boundary: string, options: MultipartOptions): Sink {
  // A part that fills its buffer can lock Dicer for good (a lookbehind pushed just before a boundary), so none ever
  // does: parts are read as they come, and readers of files hold back the request instead.
  const settings = { boundary, maxHeaderSize: partHeaderBytesMax, partHwm: 2 ** 40 };
  const dicer = new Dicer(settings);
  const parts = createParts({ ...options, pause: flow.pause, resume: flow.resume });
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
    // Dicer tells the open part of its own errors too.
    stream.on('error', () => {});
    stream.on('header', (headers: PartHeaders) => take(stream, headers));
    if (streams.length > partsMax) flow.fail(malformed(`The form has more than ${partsMax} parts.`));
  });
  dicer.on('error', () => flow.fail(malformed('The body is not valid multipart/form-data.')));
  // Comes with the closing boundary, perhaps long before the end of the body, and perhaps twice.
  dicer.on('finish', () => {
    isClosed = true;
    complete();
  });
  return {
    chunk: (bytes) => void dicer.write(bytes),
    end: () => {
      isEnded = true;
      dicer.end();
      complete();
    },
    abort: (error) => {
      isAborted = true;
      parts.abort(error instanceof Error ? error : new Error('The body was refused.', { cause: error }));
      for (const stream of streams) stream.destroy();
      return Promise.allSettled(work);
    },
  };
}

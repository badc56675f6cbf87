import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Dicer } from '@fastify/busboy';
import { malformed } from './errors.ts';
import { type Flow, type IntakeLimits, receiveBody, type Sink } from './intake.ts';
import { type PartHeaders, partHeaderBytesMax } from './partHead.ts';
import { createParts, type Multipart, type PartsOptions } from './parts.ts';

/** `maxBytes` limits the whole form, `textBytesMax` the values that are not files. */
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
 * Uses Dicer instead of Busboy, which is built on it: Busboy replaces invalid UTF-8 in names, hides the charset of a part,
 * and truncates headers silently.
 */
function openParser(flow: Flow<Multipart>, boundary: string, options: MultipartOptions): Sink {
  // A part that fills its buffer can block Dicer forever (a lookbehind pushed just before a boundary). So buffers are
  // unlimited, parts are read as they arrive, and slow readers of files pause the request instead.
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
    // Dicer emits its own errors on the open part too.
    stream.on('error', () => {});
    stream.on('header', (headers: PartHeaders) => take(stream, headers));
    // Thrown, because one chunk can have ten thousand more of them.
    if (streams.length > partsMax) throw malformed(`The form has more than ${partsMax} parts.`);
  });
  dicer.on('error', () => flow.fail(malformed('The body is not valid multipart/form-data.')));
  // Emitted at the closing boundary: maybe long before the end of the body, and maybe twice.
  dicer.on('finish', () => {
    isClosed = true;
    complete();
  });
  return {
    chunk(bytes) {
      try {
        dicer.write(bytes);
      } catch (error) {
        flow.fail(error);
      }
    },
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

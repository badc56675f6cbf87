import type { IncomingMessage } from 'node:http';
import { parseForm } from './form.ts';
import { collect, discardRest } from './intake.ts';
import { parseJson } from './json.ts';
import { type BodyFormat, bodyFormat } from './mediaType.ts';
import { readMultipart } from './multipart.ts';
import type { OnFile, UploadedPart } from './parts.ts';

export { BodyError, type BodyErrorCode } from './errors.ts';

/** What a request's body said: values nested under its root keys, strings only unless it was JSON; files apart. */
export type Body = { values: Record<string, unknown>; files: UploadedPart[] };

/** Limits of a body, and who takes its files. */
export type BodyOptions = {
  /** JSON, a form, or all values of a multipart form together. 6 MiB. */
  limitBytes?: number;
  /** What the files of a multipart form may have beyond that, all together. 100 MiB. */
  filesLimitBytes?: number;
  /** From the call to the last byte. 30 s; uploads want more. */
  timeoutMs?: number;
  /** How long at least the rest of a refused body is read away before the connection is cut. 5 s. */
  lingerMs?: number;
  /** Without it files are read away, and only named in `files`. */
  onFile?: OnFile;
};

type Settings = Required<BodyOptions>;

const mebibyte = 1024 * 1024;
const defaults: Settings = {
  limitBytes: 6 * mebibyte,
  filesLimitBytes: 100 * mebibyte,
  timeoutMs: 30_000,
  lingerMs: 5_000,
  onFile: async () => {},
};

/**
 * Reads the body of a POST (of any other method it reads nothing and finds nothing): JSON, urlencoded, also without a
 * Content-Type, or multipart. Rejects with a BodyError, or with what `onFile` threw. After that, what the client still
 * sends is read away in the background, so that it lives to read its answer: that answer must not carry
 * `Connection: close`, for Node would then reset the connection under the sender.
 */
export async function readBody(req: IncomingMessage, options: BodyOptions = {}): Promise<Body> {
  if (req.method !== 'POST') return { values: {}, files: [] };
  const settings = { ...defaults, ...options };
  const format = requireFormat(req, settings);
  const limits = {
    maxBytes: settings.limitBytes,
    timeoutMs: settings.timeoutMs,
    lingerMs: settings.lingerMs,
  };
  if (format.kind === 'json') return { values: parseJson(await collect(req, limits)), files: [] };
  if (format.kind === 'form') return { values: parseForm(await collect(req, limits)), files: [] };
  return readMultipart(req, format.boundary, {
    ...limits,
    maxBytes: settings.limitBytes + settings.filesLimitBytes,
    textBytesMax: settings.limitBytes,
    onFile: settings.onFile,
  });
}

function requireFormat(req: IncomingMessage, { lingerMs }: Settings): BodyFormat {
  try {
    return bodyFormat(req.headers);
  } catch (error) {
    discardRest(req, lingerMs);
    throw error;
  }
}

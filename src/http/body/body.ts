import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { BodyError, malformed } from './errors.ts';
import { parseField } from './fields.ts';
import { parseForm } from './form.ts';
import { collect, discardRest } from './intake.ts';
import { parseJson } from './json.ts';
import { readMultipart } from './multipart.ts';
import type { OnFile, UploadedPart } from './parts.ts';
import { isUtf8Charset } from './text.ts';

export { BodyError, type BodyErrorCode } from './errors.ts';

/** A parsed body: values nested under its root keys, only strings unless it was JSON, and the files. */
export type Body = { values: Record<string, unknown>; files: UploadedPart[] };

/** The limits of a body, and the handler of its files. */
export type BodyOptions = {
  /** For JSON, a form, or all values of a multipart form together. Default: 6 MiB. */
  limitBytes?: number;
  /** For all files of a multipart form together, beyond `limitBytes`. Default: 100 MiB. */
  filesLimitBytes?: number;
  /** From the call to the last byte. Default: 30 s. */
  timeoutMs?: number;
  /** How long, at least, the rest of a refused body is drained before the connection is cut. Default: 5 s. */
  lingerMs?: number;
  /** Without it, files are drained and only named in `files`. */
  onFile?: OnFile;
};

type Settings = Required<BodyOptions>;

const mebibyte = 1024 * 1024;
/** For the files of a form, where nothing else is said. */
export const filesBytesByDefault = 100 * mebibyte;

const defaults: Settings = {
  limitBytes: 6 * mebibyte,
  filesLimitBytes: filesBytesByDefault,
  timeoutMs: 30_000,
  lingerMs: 5_000,
  onFile: async () => {},
};

/**
 * Reads the body of a POST; other methods have none. Accepts JSON, multipart, and urlencoded forms with or without a
 * Content-Type. Rejects with a BodyError, or with what `onFile` threw; the rest of the body is then drained in the
 * background, so that the client gets to read the response. That response must not have `Connection: close`: Node would
 * reset the connection while the client still sends.
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

/** How to read a body. */
type BodyFormat = { kind: 'json' } | { kind: 'form' } | { kind: 'multipart'; boundary: string };

/** Chooses a parser by the headers. No Content-Type means urlencoded, since real clients send forms without one. */
function bodyFormat(headers: IncomingHttpHeaders): BodyFormat {
  const encoding = headers['content-encoding']?.trim().toLowerCase() || 'identity';
  if (encoding !== 'identity') throw unsupported('This Content-Encoding is not supported.');
  const type = headers['content-type']?.trim() || 'application/x-www-form-urlencoded';
  if (type === 'application/json') return { kind: 'json' };

  const { value, parameters } = parseField(type);
  if (!isUtf8Charset(parameters.get('charset') ?? 'utf-8'))
    throw unsupported('This charset is not supported.');
  if (value === 'application/x-www-form-urlencoded') return { kind: 'form' };
  if (value === 'application/json' || /^[^\s/]+\/[^\s/]+\+json$/.test(value)) return { kind: 'json' };
  if (value === 'multipart/form-data') return { kind: 'multipart', boundary: requireBoundary(parameters) };
  throw unsupported('This Content-Type is not supported.');
}

function unsupported(message: string): BodyError {
  return new BodyError('unsupported_media_type', message);
}

/** RFC 2046 allows 70 characters; the parser throws at 253. */
function requireBoundary(parameters: Map<string, string>): string {
  const boundary = parameters.get('boundary') ?? '';
  if (!/^[\x20-\x7e]{1,200}$/.test(boundary)) throw malformed('The Content-Type has no usable boundary.');
  return boundary;
}

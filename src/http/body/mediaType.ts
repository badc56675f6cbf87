import type { IncomingHttpHeaders } from 'node:http';
import { BodyError, malformed } from './errors.ts';
import { parseField } from './fields.ts';
import { isUtf8Charset } from './text.ts';

/** How to read a body. */
export type BodyFormat = { kind: 'json' } | { kind: 'form' } | { kind: 'multipart'; boundary: string };

/** Chooses a parser by the headers. No Content-Type means urlencoded, since real clients send forms without one. */
export function bodyFormat(headers: IncomingHttpHeaders): BodyFormat {
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

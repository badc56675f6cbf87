import { malformed } from './errors.ts';
import { type BodyField, parseField } from './fields.ts';
import { percentDecode } from './form.ts';
import { decodeUtf8, isUtf8Charset } from './text.ts';

/** A part's headers as Dicer parses them: lower-case names, values with one byte per character. */
export type PartHeaders = Record<string, string[] | undefined>;

/** A part is a file if its headers have a filename, even an empty one; otherwise it is text. */
type PartHead =
  | { kind: 'text'; name: string }
  | { kind: 'file'; file: { field: string; filename: string; contentType: string } };

const plainEncodings = new Set(['7bit', '8bit', 'binary']);

/** For all headers of one part. */
export const partHeaderBytesMax = 16 * 1024;

/** Parses the headers of a part. A part without a name, or with a transfer encoding, is malformed. */
export function readPartHead(headers: PartHeaders): PartHead {
  refuseLong(headers);
  const disposition = parseField(only(headers, 'content-disposition') ?? '');
  const name = textParameter(disposition, 'name');
  if (disposition.value !== 'form-data' || name === undefined)
    throw malformed('A part of the form has no name.');
  const encoding = only(headers, 'content-transfer-encoding')?.trim().toLowerCase() ?? 'binary';
  if (!plainEncodings.has(encoding)) throw malformed('A part of the form has a Content-Transfer-Encoding.');

  const type = parseField(only(headers, 'content-type') ?? '');
  const filename = textParameter(disposition, 'filename');
  if (filename !== undefined) {
    return { kind: 'file', file: { field: name, filename: baseName(filename), contentType: fileType(type) } };
  }
  if (!isUtf8Charset(type.parameters.get('charset') ?? 'utf-8')) {
    throw malformed('A part of the form has a charset other than UTF-8.');
  }
  return { kind: 'text', name };
}

/** Dicer truncates longer headers silently: what remains then adds up to the maximum, or more. */
function refuseLong(headers: PartHeaders): void {
  let bytes = 0;
  for (const [name, values = []] of Object.entries(headers)) {
    for (const value of values) bytes += name.length + value.length + ': \r\n'.length;
  }
  if (bytes >= partHeaderBytesMax) throw malformed('A part of the form has headers that are too long.');
}

function only(headers: PartHeaders, name: string): string | undefined {
  const values = headers[name] ?? [];
  if (values.length > 1) throw malformed('A part of the form repeats a header.');
  return values[0];
}

/**
 * A parameter in raw UTF-8, as browsers escape it; or with a star in its name in the encoding of RFC 5987, which takes
 * precedence.
 */
function textParameter({ parameters }: BodyField, name: string): string | undefined {
  const what = `A ${name} in the form`;
  const extended = parameters.get(`${name}*`);
  if (extended !== undefined) return decodeExtended(extended, what);
  const raw = parameters.get(name);
  return raw === undefined ? undefined : decodeUtf8(Buffer.from(unescapeBrowser(raw), 'latin1'), what);
}

const escapes: Record<string, string> = { '%0a': '\n', '%0d': '\r', '%22': '"' };

/** Browsers escape these three characters and no other, not even “%” (HTML, section 4.10.21.8). */
function unescapeBrowser(text: string): string {
  return text.replaceAll(/%(?:0a|0d|22)/gi, (escaped) => escapes[escaped.toLowerCase()] ?? escaped);
}

/** Decodes `UTF-8'language'percent-encoded`. */
function decodeExtended(value: string, what: string): string {
  const [charset = '', , ...encoded] = value.split("'");
  if (encoded.length !== 1 || !isUtf8Charset(charset)) throw malformed(`${what} is not encoded as UTF-8.`);
  return decodeUtf8(percentDecode(Buffer.from(encoded.join(), 'latin1')), what);
}

/** Some clients send the whole path of a file, which is private. */
function baseName(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  return name === '.' || name === '..' ? '' : name;
}

function fileType({ value }: BodyField): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(value) ? value : 'application/octet-stream';
}

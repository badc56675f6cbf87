import type { FileInput } from './wire.ts';

type Upload = { body: BodyInit; headers?: Record<string, string> };

/** Encodes a push or an answer, the object `root`, with files as a multipart form. Streams are sent as they come. */
export function encodeForm(
  fields: Record<string, unknown>,
  files: FileInput[],
  onProgress?: (sentBytes: number) => void,
  root = 'password',
): Upload {
  const entries = fieldEntries(root, fields);
  const fileField = `${root}[files][]`;
  if (files.every(({ content }) => content instanceof Blob)) {
    const form = new FormData();
    for (const [name, value] of entries) form.append(name, value);
    for (const { filename, content, content_type } of files)
      form.append(fileField, typed(content as Blob, content_type), filename);
    if (onProgress === undefined) return { body: form };
    const encoded = new Response(form);
    return streamed(encoded.body, encoded.headers.get('content-type') ?? '', onProgress);
  }
  const boundary = `hushpush-${crypto.randomUUID()}`;
  const parts = encodeParts(boundary, { entries, files, fileField });
  return streamed(toStream(parts), `multipart/form-data; boundary=${boundary}`, onProgress);
}

function streamed(
  stream: ReadableStream<Uint8Array> | null,
  contentType: string,
  onProgress: ((sentBytes: number) => void) | undefined,
): Upload {
  let sentBytes = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      sentBytes += chunk.byteLength;
      onProgress?.(sentBytes);
      controller.enqueue(chunk);
    },
  });
  const body = stream?.pipeThrough(counter) ?? new ReadableStream();
  return { body, headers: { 'content-type': contentType } };
}

/** Options in options become `password[notify][viewed]`, and lists `password[recipients][]`. */
function fieldEntries(prefix: string, fields: object): [string, string][] {
  return Object.entries(fields).flatMap(([name, value]): [string, string][] => {
    const path = `${prefix}[${name}]`;
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value.map((item) => [`${path}[]`, String(item)]);
    return typeof value === 'object' ? fieldEntries(path, value) : [[path, String(value)]];
  });
}

const typed = (blob: Blob, type: string | undefined) =>
  type === undefined ? blob : blob.slice(0, blob.size, type);

async function* encodeParts(
  boundary: string,
  { entries, files, fileField }: { entries: [string, string][]; files: FileInput[]; fileField: string },
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const [name, value] of entries)
    yield encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
  for (const { filename, content, content_type } of files) {
    const type = content_type ?? (content instanceof Blob ? content.type : '');
    yield encoder.encode(
      `--${boundary}\r\nContent-Disposition: form-data; name="${fileField}"; filename="${quoted(filename)}"\r\n` +
        `Content-Type: ${type || 'application/octet-stream'}\r\n\r\n`,
    );
    yield* chunksOf(content instanceof Blob ? content.stream() : content);
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** As browsers quote it (HTML, section 4.10.21.8). */
const quoted = (filename: string) =>
  filename.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** A stream of what a generator yields, at the pace of its reader. */
export function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

import { createHash } from 'node:crypto';
import type { IncomingFile } from '../../files/index.ts';

/** A digest of one request: of its files, names, types and bytes, and of its input. Tells whether a later one is the same. */
export function createRequestDigest() {
  const files = createHash('sha256'); // one for all files, which are stored one after the other

  /** A file that is added to the digest while it is read. */
  const withFile = ({ stream, ...label }: IncomingFile): IncomingFile => ({
    ...label,
    stream: hashed(stream, label),
  });

  async function* hashed(stream: AsyncIterable<Uint8Array>, label: object) {
    let size = 0;
    files.update(JSON.stringify(label));
    for await (const chunk of stream) {
      files.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    files.update(`\0${size}\0`); // tells where the file ends
  }

  /** Call it once all files are read. */
  const ofInput = (input: unknown): string =>
    createHash('sha256').update(files.copy().digest()).update(JSON.stringify(input)).digest('base64');

  return { withFile, ofInput };
}

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder, createTarPacker } from 'modern-tar';

/** Thrown when an archive is cut short, altered, or none of ours. */
export class DamagedArchive extends Error {}

/** Adds an entry of a known size. */
export type AddEntry = (name: string, size: number, bytes: AsyncIterable<Uint8Array>) => Promise<void>;

const sumsName = 'SHA256SUMS';
/** The entry that says what the others are. */
export const manifestName = 'manifest.json';

/**
 * Writes a tar archive that only its owner can read. Its last entry has the checksums of the others, as `sha256sum -c`
 * takes them. The file appears when it is complete, and never replaces another.
 */
export async function writeArchive(path: string, fill: (add: AddEntry) => Promise<void>): Promise<void> {
  if (existsSync(path)) throw new Error(`${path} exists. Choose another name.`);
  const partial = `${path}.${randomUUID()}.part`;
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true });
  const sums: string[] = [];

  const add: AddEntry = async (name, size, bytes) => {
    const hash = createHash('sha256');
    const entry = controller.add({ name, size, mode: 0o600 }).getWriter();
    for await (const chunk of bytes) {
      hash.update(chunk);
      await entry.write(new Uint8Array(chunk));
    }
    await entry.close();
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  };

  async function fillAll(): Promise<void> {
    try {
      await fill(add);
      const list = Buffer.from(sums.join(''));
      await add(sumsName, list.length, Readable.from([list]));
      controller.finalize();
    } catch (error) {
      controller.error(error);
      throw error;
    }
  }

  try {
    await Promise.all([fillAll(), pipeline(Readable.fromWeb(readable as never), file)]);
    await link(partial, path); // unlike a rename, it replaces nothing
  } finally {
    await rm(partial, { force: true });
  }
}

/** Passes every entry on, in order. What a handler does not read is skipped. Throws DamagedArchive. */
export async function readArchive(
  path: string,
  handle: (name: string, body: Readable) => Promise<void>,
): Promise<void> {
  const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  const entries = file.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries as unknown as AsyncIterable<Entry>) {
    const readable = Readable.fromWeb(body as never);
    await handle(header.name, readable);
    readable.resume();
  }
}

type Entry = { header: { name: string }; body: ReadableStream<Uint8Array> };

/** Compares every entry with its checksum, and returns the manifest. Throws DamagedArchive. */
export async function verifyArchive(path: string): Promise<string> {
  const sums: string[] = [];
  let manifest: string | undefined;
  let expected: string | undefined;
  await readArchive(path, async (name, body) => {
    if (expected !== undefined) throw new DamagedArchive(`${path} goes on after its end.`);
    if (name === sumsName) {
      expected = await text(body);
      return;
    }
    const hash = createHash('sha256');
    if (name === manifestName) {
      manifest = await text(body);
      hash.update(manifest);
    } else {
      for await (const chunk of body) hash.update(chunk);
    }
    sums.push(`${hash.digest('hex')}  ${name}\n`);
  }).catch((error) => {
    if (error.syscall !== undefined) throw new Error(`${path} cannot be read (${error.code}).`);
    throw new DamagedArchive(damaged(path));
  });
  if (manifest === undefined || expected !== sums.join('')) throw new DamagedArchive(damaged(path));
  return manifest;
}

const damaged = (path: string) => `${path} is not a whole backup of hushpush.`;

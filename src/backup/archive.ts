import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder, createTarPacker } from 'modern-tar';

/** Thrown when an archive is cut short, altered, or not made by hushpush. */
export class DamagedArchive extends Error {}

/** Adds an entry of a known size. */
export type AddEntry = (name: string, size: number, bytes: AsyncIterable<Uint8Array>) => Promise<void>;

/** The entry that says what the others are. */
export const manifestName = 'manifest.json';
export const keysName = 'master.key';
const sumsName = 'SHA256SUMS';
/** The seal of the checksums, and so of everything. */
const sealName = 'SHA256SUMS.hmac';

const mib = 1024 ** 2;
/** The entries that are read as text, and how large they may be. */
const textBytesMax = new Map([
  [manifestName, mib],
  [keysName, mib],
  [sumsName, 512 * mib],
  [sealName, 1_024],
]);
/** All that may be in an archive. None is a path to somewhere else. */
const entryName =
  /^(?:manifest\.json|database\.(?:sqlite|sql|ndjson)|master\.key|SHA256SUMS(?:\.hmac)?|files\/[0-9a-z]{1,100})$/;

/**
 * Writes a tar archive that only its owner can read. Its last entries have the checksums of the others, as `sha256sum -c`
 * takes them, and their seal. The file appears when it is complete, and never replaces another.
 */
export async function writeArchive(
  path: string,
  seal: (sums: string) => string,
  fill: (add: AddEntry) => Promise<void>,
): Promise<void> {
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
      const list = sums.join('');
      await addText(add, sumsName, list);
      await addText(add, sealName, seal(list));
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

export async function addText(add: AddEntry, name: string, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  await add(name, bytes.length, Readable.from([bytes]));
}

/** What an archive holds, once all of it was compared with its own checksums. */
export type ArchiveContents = {
  path: string;
  /** The checksum of each entry. */
  sums: ReadonlyMap<string, string>;
  /** What the seal is of. */
  sumsText: string;
  seal: string | undefined;
  manifest: string;
  /** The contents of the key file, if it has one. */
  keys: string | undefined;
};

/** Reads every byte of an archive, and compares it with the checksums. Uses none of it. Throws DamagedArchive. */
export async function readContents(path: string): Promise<ArchiveContents> {
  const sums = new Map<string, string>();
  const texts = new Map<string, string>();
  await eachEntry(path, async (name, body) => {
    const isAfterSums = texts.has(sumsName);
    if (texts.has(sealName) || isAfterSums !== (name === sealName) || sums.has(name))
      throw new DamagedArchive();
    const { sum, text } = await readEntry(name, body);
    if (text !== undefined) texts.set(name, text);
    if (name !== sumsName && name !== sealName) sums.set(name, sum);
  }).catch((error) => {
    if (error.syscall !== undefined) throw new Error(`${path} cannot be read (${error.code}).`);
    throw new DamagedArchive(damaged(path));
  });
  const sumsText = texts.get(sumsName);
  const manifest = texts.get(manifestName);
  const listed = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');
  if (manifest === undefined || sumsText !== listed) throw new DamagedArchive(damaged(path));
  return { path, sums, sumsText, seal: texts.get(sealName), manifest, keys: texts.get(keysName) };
}

async function readEntry(name: string, body: AsyncIterable<Buffer>): Promise<{ sum: string; text?: string }> {
  const hash = createHash('sha256');
  const parts: Buffer[] = [];
  const max = textBytesMax.get(name);
  let size = 0;
  for await (const chunk of body) {
    hash.update(chunk);
    size += chunk.length;
    if (max === undefined) continue;
    if (size > max) throw new DamagedArchive();
    parts.push(chunk);
  }
  const sum = hash.digest('hex');
  return max === undefined ? { sum } : { sum, text: Buffer.concat(parts).toString('utf8') };
}

/**
 * Passes entries on, in order, to be used. The archive may have changed since it was read: bytes end with DamagedArchive
 * where they differ from what was read then. What a handler does not read is skipped.
 */
export async function useEntries(
  { path, sums }: ArchiveContents,
  handle: (name: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  await eachEntry(path, async (name, body) => {
    const sum = sums.get(name);
    if (sum !== undefined) await handle(name, unchanged(body, sum, path));
  });
}

async function* unchanged(body: AsyncIterable<Buffer>, sum: string, path: string): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk);
    yield chunk;
  }
  if (hash.digest('hex') !== sum) throw new DamagedArchive(`${path} has changed while it was read.`);
}

type Entry = { header: { name: string; type?: string }; body: ReadableStream<Uint8Array> };

async function eachEntry(
  path: string,
  handle: (name: string, body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  const file = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  const entries = file.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries as unknown as AsyncIterable<Entry>) {
    if ((header.type ?? 'file') !== 'file' || !entryName.test(header.name))
      throw new DamagedArchive(damaged(path));
    const readable = Readable.fromWeb(body as never);
    await handle(header.name, readable);
    readable.resume();
  }
}

const damaged = (path: string) => `${path} is not a whole backup of hushpush.`;

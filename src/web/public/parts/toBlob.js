/** What a page keeps of a file in its own memory. */
const gatheredBytes = 4 * 1024 * 1024;
const prefix = 'encrypted-';

/**
 * Gathers an encrypted file while it is made, so that it is never whole in memory. Browsers keep Blobs there until they have gigabytes
 * of them, so a large file is written to storage on the disk that only this site sees (File System Standard, “bucket file system”).
 * Where a browser has none, as in a private window, it becomes a Blob.
 * @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks
 * @param {number} size about how large it gets, in bytes
 */
export async function toStoredBlob(chunks, size) {
  const created = size > gatheredBytes ? await createFile(size).catch(() => undefined) : undefined;
  if (created === undefined) return toBlob(chunks);
  const { handle, writer } = created;
  for await (const parts of gathered(chunks)) await writer.write(new Blob(parts));
  await writer.close();
  return handle.getFile();
}

/** Gathers a file while it is made, so that a page does not hold all of it. @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks */
export async function toBlob(chunks) {
  let whole = new Blob();
  for await (const parts of gathered(chunks)) whole = new Blob([whole, ...parts]);
  return whole;
}

/** Chunks in groups of some mebibytes. @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks */
async function* gathered(chunks) {
  let parts = [];
  let bytes = 0;
  for await (const part of chunks) {
    parts.push(part);
    bytes += part.length;
    if (bytes < gatheredBytes) continue;
    yield parts;
    parts = [];
    bytes = 0;
  }
  yield parts;
}

/** A file of this page, which says by a lock that it is in use. Undefined if there is no room for it. @param {number} size */
async function createFile(size) {
  const { quota = 0, usage = 0 } = await navigator.storage.estimate();
  if (quota - usage < 2 * size) return undefined;
  const folder = await navigator.storage.getDirectory();
  const name = prefix + crypto.randomUUID();
  await new Promise((resolve) => {
    const held = new Promise((release) => {
      const ended = navigator.locks.request(name, () => {
        resolve(undefined);
        return held;
      });
      locks.push(() => {
        release(undefined);
        return ended;
      });
    });
  });
  const handle = await folder.getFileHandle(name, { create: true });
  return { handle, writer: await handle.createWritable() }; // which older browsers do not have
}

/** Ends the locks of this page. @type {(() => Promise<unknown>)[]} */
const locks = [];

/** Deletes the files that this page has stored, and those of pages that were closed too early. */
export async function deleteStored() {
  if (locks.length === 0) return;
  await Promise.all(locks.splice(0).map((end) => end()));
  const folder = await navigator.storage.getDirectory();
  for await (const name of folder.keys()) {
    if (!name.startsWith(prefix)) continue;
    await navigator.locks.request(name, { ifAvailable: true }, (lock) => lock && folder.removeEntry(name));
  }
}

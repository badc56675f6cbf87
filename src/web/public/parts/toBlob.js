/** What a page keeps of a file in its own memory. Browsers keep large Blobs elsewhere, such as on the disk. */
const gatheredBytes = 4 * 1024 * 1024;

/** Gathers a file while it is made, so that a page does not hold all of it. @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks */
export async function toBlob(chunks) {
  let whole = new Blob();
  let parts = [];
  let bytes = 0;
  for await (const part of chunks) {
    parts.push(part);
    bytes += part.length;
    if (bytes < gatheredBytes) continue;
    whole = new Blob([whole, ...parts]);
    parts = [];
    bytes = 0;
  }
  return new Blob([whole, ...parts]);
}

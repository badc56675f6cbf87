import { saveFile } from './saveFile.js';
import { toBlob } from './toBlob.js';

/** Larger files are written where people choose, where browsers let them: Blobs are in memory until there are gigabytes of them. */
const gatheredBytes = 16 * 1024 * 1024;

/** @typedef {FileSystemFileHandle & { remove?: () => Promise<void> }} ChosenFile */
/** @typedef {{ showSaveFilePicker?: (options: { suggestedName: string }) => Promise<ChosenFile> }} Picker */

/**
 * Saves a file once all of it is there, and nothing if any of it fails. Call it as soon as somebody presses something: for a
 * large file, browsers with the File System Access API ask where to write it. Resolves to whether it was written there; otherwise
 * it is among the browser's downloads, or somebody chose no place.
 * @param {AsyncIterable<Uint8Array<ArrayBuffer>>} chunks
 * @param {{ name: string, size: number }} file
 */
export async function saveChunks(chunks, { name, size }) {
  const chosen = size > gatheredBytes ? await chooseFile(name) : undefined;
  if (chosen === null) return false;
  if (chosen === undefined) {
    saveFile(await toBlob(chunks), name); // without its type, which could be a page
    return false;
  }
  const writer = await chosen.createWritable();
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort().catch(() => {});
    await chosen.remove?.();
    throw error;
  }
  return true;
}

/** Null if somebody chose none, undefined where browsers do not ask. @param {string} suggestedName */
async function chooseFile(suggestedName) {
  try {
    return await /** @type {Picker} */ (window).showSaveFilePicker?.({ suggestedName });
  } catch (error) {
    return error instanceof Error && error.name === 'AbortError' ? null : undefined;
  }
}

import { stat } from 'node:fs/promises';
import type { PlaceOf } from '../domain/index.ts';
import type { GeoDatabase } from './geoDatabase.ts';

type Options = {
  /** A file that was replaced by one that cannot be used, or a damaged record. */
  onError(error: unknown): void;
};

/**
 * The places of addresses, from a file. It is read when it is first needed, and again when somebody asks after it changed;
 * until then, and while the new file cannot be used, the previous one serves. Nothing watches it, so nothing wakes an idle
 * process.
 */
export function createPlaces(path: string, { onError }: Options) {
  let database: GeoDatabase | undefined;
  let version: string | undefined;
  let reading: Promise<void> | undefined;

  /** Reads the file, if it is another than before. Throws SetupError if it cannot be used, once for each version of it. */
  async function read(): Promise<void> {
    const found = await versionOf(path);
    if (found === version) return;
    version = found;
    const { readGeoDatabase } = await import('./geoDatabase.ts'); // the library that reads it costs memory
    database = await readGeoDatabase(path);
  }

  async function openPlaces(): Promise<PlaceOf> {
    reading ??= read()
      .catch(onError)
      .finally(() => {
        reading = undefined;
      });
    await reading;
    const current = database;
    return (ip) => {
      try {
        return current?.placeOf(ip) ?? null;
      } catch (error) {
        onError(error);
        return null;
      }
    };
  }

  return {
    /** Reads the file. Throws SetupError if it cannot be used. */
    read,
    openPlaces,
  };
}

/** Changes when the file is replaced, written to, or made readable, or cannot be reached. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, ctimeMs } = await stat(path);
    return `${ino} ${ctimeMs}`;
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code);
  }
}

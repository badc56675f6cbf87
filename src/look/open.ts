import { defaultLook, type Look } from './look.ts';

/**
 * What reads the look of a folder once, when it is first asked. It throws ConfigError if the folder cannot be used. Without a
 * folder, nothing is loaded.
 */
export function createLookReader(folder: string | undefined): () => Promise<Look> {
  let look: Promise<Look> | undefined;
  const read = async () =>
    folder === undefined ? defaultLook : (await import('./readLook.ts')).readLook(folder);
  return () => {
    look ??= read();
    return look;
  };
}

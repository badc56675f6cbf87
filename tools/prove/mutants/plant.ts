import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..', '..');

/** A change to one place of a source file. */
export type Edit = { file: string; find: string; replace: string };

/** Copies files and folders of the repository to a folder, and links what was installed. */
export async function copyParts(names: readonly string[], folder: string): Promise<void> {
  for (const name of names) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
}

/** Applies edits to the sources in a folder. Throws unless each place is there exactly once. */
export async function plant(edits: readonly Edit[], folder: string): Promise<void> {
  for (const edit of edits) {
    const path = join(folder, edit.file);
    await writeFile(path, edited(await readFile(path, 'utf8'), edit));
  }
}

/** The text of a file after an edit. Throws unless its place is there exactly once. */
export function edited(text: string, { file, find, replace }: Edit): string {
  const parts = text.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places like: ${find}`);
  return parts.join(replace);
}

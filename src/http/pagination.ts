import { pageSize } from '../domain/index.ts';

/** Whether a list has a page after this one. Only behind a full page can there be one, so only then is it read. */
export async function hasNextPage<Entry>(
  entries: Entry[],
  readNext: () => Promise<Entry[]>,
): Promise<boolean> {
  return entries.length === pageSize && (await readNext()).length > 0;
}

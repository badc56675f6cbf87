/** Servers serve no page after this one. */
const pageMax = 200;

/**
 * Goes through the pages of a list, each fetched when it is needed. The list ends with an empty page: neither the size
 * of a page nor a `Link` header tells on every server. One that does not know pages sends the first again.
 */
export async function* iteratePages<Entry>(
  fetchPage: (page: number) => Promise<Entry[]>,
): AsyncGenerator<Entry, void, undefined> {
  let previous = '';
  for (let page = 1; page <= pageMax; page++) {
    const entries = await fetchPage(page);
    const current = JSON.stringify(entries);
    if (entries.length === 0 || current === previous) return;
    previous = current;
    yield* entries;
  }
}

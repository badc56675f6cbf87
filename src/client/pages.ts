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

/** Goes through what a search finds, from link to link. A page may be empty before a link to older entries. */
export async function* iterateSearch<Entry>(
  fetchPage: (position: SearchPosition) => Promise<{ body: Entry[]; next: URLSearchParams | undefined }>,
): AsyncGenerator<Entry, void, undefined> {
  for (let position: SearchPosition | undefined = {}; position !== undefined; ) {
    const { body, next }: Awaited<ReturnType<typeof fetchPage>> = await fetchPage(position);
    yield* body;
    position = next && { page: next.get('page') ?? undefined, before: next.get('before') ?? undefined };
  }
}

type SearchPosition = { page?: string | undefined; before?: string | undefined };

/** The first entries of a list, and whether it has more. */
export async function takeFirst<Entry>(entries: AsyncIterable<Entry>, limit: number) {
  const first: Entry[] = [];
  for await (const entry of entries) {
    if (first.length === limit) return { first, hasMore: true };
    first.push(entry);
  }
  return { first, hasMore: false };
}

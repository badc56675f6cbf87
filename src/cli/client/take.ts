/** The first entries of a list, and whether it has more. */
export async function take<Entry>(entries: AsyncIterable<Entry>, limit: number) {
  const taken: Entry[] = [];
  for await (const entry of entries) {
    if (taken.length === limit) return { entries: taken, isCut: true };
    taken.push(entry);
  }
  return { entries: taken, isCut: false };
}

export type Random = ReturnType<typeof createRandom>;

/** Seeded random choices (mulberry32): the same seed gives the same sequence. */
export function createRandom(seed: number) {
  let state = seed >>> 0;

  /** From 0 to below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`. */
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  const chance = (share: number) => next() < share;

  function pick<T>(items: readonly T[]): T {
    const item = items[integer(0, items.length - 1)];
    if (item === undefined) throw new Error('there is nothing to pick from');
    return item;
  }

  function shuffle<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  return { next, integer, chance, pick, shuffle };
}

/** The middle, the slowest percent and the worst of some milliseconds. */
export function summary(values: number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(2));
  return { count: sorted.length, 'p50 ms': at(0.5), 'p99 ms': at(0.99), 'max ms': at(1) };
}

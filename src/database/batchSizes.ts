/*
 * Batches have few sizes: the powers of two, and one and a half times each. Every size is a statement of its own, which each
 * connection prepares once, and then keeps with a description of each value.
 */

/** The largest size that so many items fill. */
export function sizeWithin(items: number): number {
  const power = 2 ** Math.floor(Math.log2(items));
  return items >= 1.5 * power ? 1.5 * power : power;
}

/** The smallest size that holds so many items. */
export function sizeFor(items: number): number {
  const power = 2 ** Math.ceil(Math.log2(items));
  return items <= 0.75 * power ? 0.75 * power : power;
}

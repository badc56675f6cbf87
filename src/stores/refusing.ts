/** Passes items on. Errors of their source go to `refuse`, which throws. */
export async function* refusing<T>(
  items: AsyncIterable<T>,
  refuse: (error: unknown) => never,
): AsyncGenerator<T> {
  try {
    yield* items;
  } catch (error) {
    refuse(error);
  }
}

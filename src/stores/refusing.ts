/** Passes items on; an error of their source goes to `refuse`, which throws. */
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

/** Functions that stop what a bench started. They run in reverse order. */
export function createCleanups() {
  const cleanups: (() => unknown)[] = [];
  return {
    add: (cleanup: () => unknown) => void cleanups.push(cleanup),
    async run(): Promise<void> {
      for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
    },
  };
}

/**
 * Ends what a test of this suite starts: after the test, whether it passed or not, the last thing first. Whatever still runs
 * would keep the run of tests from ending.
 */
export function cleanUpAfterEach() {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    const errors: unknown[] = [];
    for (const end of ends.splice(0).reverse()) {
      try {
        await end();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  });
  return (end: () => unknown) => void ends.push(end);
}

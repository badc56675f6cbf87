const rememberMs = 5_000;
const mostRemembered = 200;

/**
 * Answers a request that is repeated within five seconds, as a double click or a browser that lost its connection does,
 * like the first: the view is spent, so this is the last chance to see it. Only in this process's memory, only for a
 * request that proves to be the same, and never more than 200 answers.
 */
export function createRepeats<Answer>() {
  const remembered = new Map<string, Promise<Answer>>();

  return {
    /** Does the work unless it was just done under this key. What failed may be tried again. */
    async once(key: string, work: () => Promise<Answer>): Promise<Answer> {
      const before = remembered.get(key);
      if (before !== undefined) return before;
      const answer = work();
      if (remembered.size >= mostRemembered) return answer;
      remembered.set(key, answer);
      const forget = () => remembered.delete(key);
      answer.then(() => setTimeout(forget, rememberMs).unref(), forget);
      return answer;
    },
  };
}

const retentionMs = 5_000;
const responsesMax = 200;

/**
 * Answers a request that is repeated within five seconds, as a double click or a browser that lost its connection does,
 * like the first: the view is spent, so this is the last chance to see it. Only in this process's memory, only for a
 * request that proves to be the same, and never more than 200 answers.
 */
export function createResponseReplay<Answer>() {
  const responses = new Map<string, Promise<Answer>>();

  return {
    /** Does the work unless it was just done under this key. What failed may be tried again. */
    async once(key: string, work: () => Promise<Answer>): Promise<Answer> {
      const earlier = responses.get(key);
      if (earlier !== undefined) return earlier;
      const response = work();
      if (responses.size >= responsesMax) return response;
      responses.set(key, response);
      const forget = () => responses.delete(key);
      response.then(() => setTimeout(forget, retentionMs).unref(), forget);
      return response;
    },
  };
}

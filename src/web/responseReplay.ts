const retentionMs = 5_000;
const responsesMax = 200;

/**
 * Gives a request that is repeated within five seconds the response of the first, such as after a double click or a lost
 * connection: its view is counted, so this is the last chance to see the secret. Kept only in the memory of this process,
 * only for the very same request, and for 200 requests at most.
 */
export function createResponseReplay<Response>() {
  const responses = new Map<string, Promise<Response>>();

  return {
    /** Does the work, unless it was just done under this key. Failed work can be retried. */
    async once(key: string, work: () => Promise<Response>): Promise<Response> {
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

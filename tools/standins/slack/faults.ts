/**
 * What can go wrong with a request: an HTTP status, a refusal by Slack, no response, a connection that is dropped
 * before or after the request was processed, a rate limit, or a slow response.
 */
export type Fault =
  | { status: number }
  | { error: string }
  | { retryAfterSeconds: number }
  | { slowMs: number }
  | 'no answer'
  | 'dropped before'
  | 'dropped after';

/** The faults waiting for requests. */
export function createFaults() {
  const waiting: { method: string; fault: Fault; left: number }[] = [];

  return {
    /** Injects a fault into the next `times` calls of a method. `*` is any request, `response_url` a response URL. */
    add(method: string, fault: Fault, { times = 1 } = {}): void {
      waiting.push({ method, fault, left: times });
    },
    clear: () => void waiting.splice(0),
    /** Takes the next fault for a request. */
    take(method: string): Fault | undefined {
      const met = waiting.find((one) => one.left > 0 && (one.method === method || one.method === '*'));
      if (met) met.left -= 1;
      return met?.fault;
    },
  };
}

export function nameOf(fault: Fault): string {
  return typeof fault === 'string' ? fault : JSON.stringify(fault);
}

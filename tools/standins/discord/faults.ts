/**
 * What can go wrong with a request: an HTTP status, a refusal with one of Discord's codes, no response, a
 * connection that is dropped before or after the request was processed, a rate limit, or a slow response.
 */
export type Fault =
  | { status: number }
  | { code: number }
  | { retryAfterSeconds: number; scope?: 'user' | 'shared' | 'global' }
  | { slowMs: number }
  | 'no answer'
  | 'dropped before'
  | 'dropped after';

/** The faults waiting for requests. */
export function createFaults() {
  const waiting: { operation: string; fault: Fault; left: number }[] = [];

  return {
    /** Injects a fault into the next `times` calls of an operation. `*` is any request. */
    add(operation: string, fault: Fault, { times = 1 } = {}): void {
      waiting.push({ operation, fault, left: times });
    },
    clear: () => void waiting.splice(0),
    /** Takes the next fault for a request. */
    take(operation: string): Fault | undefined {
      const met = waiting.find(
        (one) => one.left > 0 && (one.operation === operation || one.operation === '*'),
      );
      if (met) met.left -= 1;
      return met?.fault;
    },
  };
}

export function nameOf(fault: Fault): string {
  return typeof fault === 'string' ? fault : JSON.stringify(fault);
}

import { AsyncLocalStorage } from 'node:async_hooks';

type Scope = { filename: string; isOpen: boolean };

const scopes = new AsyncLocalStorage<Scope>();

/** Tracking an async context costs nothing measurable on Node 24, and a fifth of a claim on earlier versions. */
let isTracked = Number.parseInt(process.versions.node, 10) >= 24;

/** Detects statements outside their transaction on every version of Node. For tests. */
export function trackScopes(): void {
  isTracked = true;
}

/** Runs the work of a transaction on a file. Everything that it calls is in the transaction's scope until it ends. */
export async function runInScope<T>(filename: string, work: () => Promise<T>): Promise<T> {
  if (!isTracked) return work();
  const scope = { filename, isOpen: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOpen = false; // for calls that were started and not awaited
  }
}

/** Whether the caller has a transaction open on this file. A statement outside it would wait for its own lock. */
export function isInScope(filename: string): boolean {
  const scope = scopes.getStore();
  return scope?.isOpen === true && scope.filename === filename;
}

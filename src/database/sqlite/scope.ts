import { AsyncLocalStorage } from 'node:async_hooks';

type Scope = { filename: string; isOpen: boolean };

const scopes = new AsyncLocalStorage<Scope>();

/** Node 24 follows a context at no cost that can be measured. Before, it costs a fifth of a claim. */
let isTracked = Number.parseInt(process.versions.node, 10) >= 24;

/** Finds statements outside their transaction on every version of Node, as the tests want it. */
export function trackScopes(): void {
  isTracked = true;
}

/** Runs the work of a transaction on a file. Until that ends, whatever it calls is in the transaction's scope. */
export async function runInScope<T>(filename: string, work: () => Promise<T>): Promise<T> {
  if (!isTracked) return work();
  const scope = { filename, isOpen: true };
  try {
    return await scopes.run(scope, work);
  } finally {
    scope.isOpen = false; // what was started and not awaited goes on without it
  }
}

/** Whether the caller has a transaction on this file open: a statement outside of it would wait for its own lock. */
export function isInScope(filename: string): boolean {
  const scope = scopes.getStore();
  return scope?.isOpen === true && scope.filename === filename;
}

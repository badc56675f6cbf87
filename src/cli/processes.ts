import type { Domain } from '../domain/index.ts';

/** Refuses to go on while processes serve the store, on any machine. */
export async function requireNoProcesses({ count }: Domain['processes']): Promise<void> {
  const serving = await count();
  if (serving === 0) return;
  const running = serving === 1 ? 'one of its processes is' : `${serving} of its processes are`;
  throw new Error(`Stop the service first: ${running} running. One that was killed counts for a minute.`);
}

import type { ServeDependencies, Serving } from './server.ts';

/**
 * Listens for people, programs and chats; as a worker, for whoever watches it, where WORKER_PORT is set. Loads only what
 * that needs.
 */
export async function serve(role: 'web' | 'worker', dependencies: ServeDependencies): Promise<Serving> {
  if (role === 'web') return (await import('./serveWeb.ts')).serveWeb(dependencies);
  dependencies.logger.info('worker started');
  if (dependencies.config.WORKER_PORT === undefined) return { stop: async () => {} };
  return (await import('./serveMonitoring.ts')).serveMonitoring(dependencies);
}
